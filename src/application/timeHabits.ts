import type { UserViews } from '../projections/runtime.ts';
import { preferences } from '../projections/settings/preferences.ts';
import { zoneOfMachine } from '../zonedTime.ts';
import { withinTime } from './timeout.ts';

/** How a user reads the clock. */
export interface TimeHabits {
  readonly timezone: string;
  readonly locale: string;
}

interface Habits extends TimeHabits {
  /** A tag such as `de`, where the user chose the language in which they are answered. */
  readonly language?: string | undefined;
}

export type HabitsOf = (userId: string) => Promise<Habits>;

interface Settings {
  value(key: 'timezone' | 'locale'): unknown;
}

/** As the setting names the zone of the machine. */
const MACHINE = 'system';

/** Of the service: of a user who said nothing else, and of all while nothing can be read. */
export function habitsOfService(settings: Settings): TimeHabits {
  const zone = String(settings.value('timezone'));
  return { timezone: zone === MACHINE ? zoneOfMachine() : zone, locale: String(settings.value('locale')) };
}

/** What has not come by then is not waited for: nobody is left without the time. */
const LONGEST_WAIT_MS = 1_000;

/** Of the users. */
export function habitsOf(settings: Settings, views: () => UserViews | undefined): HabitsOf {
  return async (userId) => {
    const usual = habitsOfService(settings);
    const reading = views()?.of(preferences, userId);
    const read = reading && (await withinTime(reading, LONGEST_WAIT_MS).catch(() => undefined));
    const { timezone = usual.timezone, locale = usual.locale, language } = read?.value.stated ?? {};
    return { timezone, locale, language };
  };
}
