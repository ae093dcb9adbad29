import { type Mentions, mentionedBy, mentionsAsOf, type Swept } from '../../commands/memory/sweep/steps.ts';
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
