import type { UserMemory } from '../../commands/memory/state.ts';
import { type Mentions, mentionedBy, mentionsAsOf } from '../../commands/memory/sweep/steps.ts';
import type { Pace } from './pace.ts';

/** The episodes that are mentioned by what is believed, looked for in short pieces. */
export async function mentionsIn(memory: UserMemory, pace: Pace): Promise<Mentions> {
  const asOf = mentionsAsOf(memory);
  const episodes = new Set<string>();
  for (const conclusion of Object.values(memory.conclusions)) {
    if (!pace.hasTime()) await pace.pause();
    for (const source of mentionedBy(conclusion)) episodes.add(source);
  }
  return { asOf, episodes };
}
