import type { Input } from '../../api/ask.ts';
import { Field, SelectField, TextField } from '../../parts/fields.tsx';
import { ownZone } from './nextRuns.tsx';
import { words } from './words.ts';

const ways = ['every', 'at', 'fields', 'cron'] as const;
const days = ['every', 'weekdays', 'weekend', 'month'] as const;

/** All that was typed, also what another way needs: changing one's mind loses nothing. */
export interface Said {
  readonly how: (typeof ways)[number];
  readonly every: string;
  readonly at: string;
  readonly expression: string;
  readonly days: (typeof days)[number];
  readonly dayOfMonth: string;
  readonly time: string;
  readonly timezone: string;
}

export const nothingSaid: Said = {
  how: 'every',
  every: '',
  at: '',
  expression: '',
  days: 'weekdays',
  dayOfMonth: '1',
  time: '07:30',
  timezone: '',
};

type When = Input<'POST /api/scheduler/preview'>;

/**
 * As the service wants it; undefined while something is missing. The zone is always named: that of the service is
 * seldom the one of whoever types.
 */
export function whenSaid(said: Said): When | undefined {
  const { how, every, at, timezone } = said;
  const zone = { timezone: timezone.trim() || ownZone };
  if (how === 'every') return every.trim() === '' ? undefined : { every: every.trim(), ...zone };
  if (how === 'at') return at.trim() === '' ? undefined : { at: at.trim(), ...zone };
  const expression = how === 'cron' ? said.expression.trim() : expressionOf(said);
  return expression === '' ? undefined : { scheduleType: 'cron', expression, ...zone };
}

function expressionOf({ days, dayOfMonth, time }: Said): string {
  const [hour = '', minute = ''] = time.split(':');
  if (hour === '' || minute === '') return '';
  const at = `${Number(minute)} ${Number(hour)}`;
  return {
    every: `${at} * * *`,
    weekdays: `${at} * * 1-5`,
    weekend: `${at} * * 0,6`,
    month: `${at} ${dayOfMonth} * *`,
  }[days];
}

interface WhenFieldsProps {
  readonly said: Said;
  readonly onSay: (said: Said) => void;
}

/** In words, by fields, or as an expression. */
export function WhenFields({ said, onSay }: WhenFieldsProps) {
  const say = (part: Partial<Said>) => onSay({ ...said, ...part });
  return (
    <>
      <SelectField
        label={words.how}
        value={said.how}
        options={ways.map((value) => ({ value, says: words.howOptions[value] }))}
        onValue={(how) => say({ how })}
      />
      {said.how === 'every' ? (
        <TextField
          label={words.everyField}
          hint={words.everyHint}
          required
          value={said.every}
          onValue={(every) => say({ every })}
        />
      ) : null}
      {said.how === 'at' ? (
        <TextField
          label={words.at}
          hint={words.atHint}
          required
          value={said.at}
          onValue={(at) => say({ at })}
        />
      ) : null}
      {said.how === 'cron' ? (
        <TextField
          label={words.expression}
          hint={words.expressionHint}
          required
          value={said.expression}
          onValue={(expression) => say({ expression })}
        />
      ) : null}
      {said.how === 'fields' ? <CalendarFields said={said} say={say} /> : null}
      <TextField
        label={words.timezone}
        hint={words.timezoneHint}
        placeholder={ownZone}
        value={said.timezone}
        onValue={(timezone) => say({ timezone })}
      />
    </>
  );
}

interface CalendarFieldsProps {
  readonly said: Said;
  readonly say: (part: Partial<Said>) => void;
}

function CalendarFields({ said, say }: CalendarFieldsProps) {
  return (
    <div class="pair">
      <SelectField
        label={words.days}
        value={said.days}
        options={days.map((value) => ({ value, says: words.dayNames[value] }))}
        onValue={(days) => say({ days })}
      />
      {said.days === 'month' ? (
        <TextField
          label={words.dayOfMonth}
          type="number"
          value={said.dayOfMonth}
          onValue={(dayOfMonth) => say({ dayOfMonth })}
        />
      ) : null}
      <Field label={words.time}>
        {(ties) => (
          <input
            {...ties}
            type="time"
            required
            value={said.time}
            onInput={(event) => say({ time: event.currentTarget.value })}
          />
        )}
      </Field>
    </div>
  );
}
