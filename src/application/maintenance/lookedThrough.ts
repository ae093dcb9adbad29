import { type Mentions, mentionedBy, mentionsAsOf, type Swept } from '../../commands/memory/sweep/steps.ts';
import type { Sweep } from '../../commands/memory/upkeep.ts';
import { entryOf } from '../../entryOf.ts';
import type { Pace } from './pace.ts';

/** The episodes that are mentioned by what is believed, looked for in short pieces. */
export async function mentionsIn(memory: Swept, pace: Pace): Promise<Mentions> {
  const asOf = mentionsAsOf(memory);
  const episodes = new Set<string>();
  for (const conclusion of Object.values(memory.conclusions)) {
    if (!pace.hasTime()) await pace.pause();
    for (const source of mentionedBy(conclusion)) episodes.add(source);
  }
  return { asOf, episodes };
}

/** What is stale, and what comes from episodes that are not kept any more. */
export async function tally({ conclusions, episodes }: Swept, { decayed }: Sweep, pace: Pace) {
  let stale = Object.keys(decayed).length;
  let danglingSources = 0;
  for (const { id, status, stale: isStale, sources } of Object.values(conclusions)) {
    if (!pace.hasTime()) await pace.pause();
    if (status !== 'active') continue;
    // With no confidence left there is nothing to decay.
    if (isStale && !decayed[id]) stale++;
    for (const source of sources) if (!entryOf(episodes, source)) danglingSources++;
  }
  return { stale, danglingSources };
}
