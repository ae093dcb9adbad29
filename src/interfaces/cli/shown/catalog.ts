import { wrongUsage } from '../failure.ts';
import { shownEntities } from './entities.ts';
import { shownConclusions, shownEpisodes } from './memory.ts';
import { shownSettings } from './settings.ts';
import type { Shown } from './shown.ts';
import { shownSlots } from './slots.ts';
import { shownInstances } from './system.ts';
import { shownTasks } from './tasks.ts';

/** Everything that `replay` and `diff` can show. */
export const shownCatalog: readonly Shown[] = [
  shownSettings,
  shownSlots,
  shownInstances,
  shownEpisodes,
  shownConclusions,
  shownEntities,
  shownTasks,
];

export const shownNames = shownCatalog.map(({ name }) => name).join(', ');

export function findShown(name: string): Shown {
  const found = shownCatalog.find((shown) => shown.name === name);
  if (!found) throw wrongUsage(`--show: ${name} cannot be shown; there are ${shownNames}`);
  return found;
}
