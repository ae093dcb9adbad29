import { HarkError } from '../../errors.ts';
import type { MemoryEvent } from '../../events/memory.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import type { Conversations } from './conversations.ts';
import {
  createEpisode,
  isRepeatedPrompt,
  type KnownEpisode,
  type KnownEpisodes,
  type NewEpisode,
} from './episodes.ts';
import { type Finding, settleFindings } from './findings.ts';
import { defineMemoryCommand } from './state.ts';

interface RememberTurn {
  readonly episode: NewEpisode;
  readonly findings: readonly Finding[];
  /** As they were when the turn was read. */
  readonly erasures: number;
  /** So many answers of one session are kept for themselves. */
  readonly mostIngests: number;
}

/** What was kept of a conversation so shortly before or after speaks for the answer too. */
const SAME_WITHIN_MS = 5_000;

/** Something in a conversation that goes on is worth keeping at once. */
export const rememberTurn = defineMemoryCommand<RememberTurn>({
  name: 'memory.rememberTurn',
  decide(
    memory: KnownEpisodes & Conversations & Conclusions,
    { episode, findings, erasures, mostIngests },
    { newId },
  ): MemoryEvent[] {
    if (memory.erasures !== erasures) throw new HarkError('MEMORY_CHANGED');
    const { conversationId, type } = episode;
    const same = Object.values(memory.episodes).filter((one) => one.conversationId === conversationId);
    if (same.some((one) => one.turnId === episode.turnId && one.type === type)) return [];
    if (isRepeatedPrompt(memory, episode)) return [];
    if (type === 'RESPONSE_INGEST' && !mayIngest(same, episode, mostIngests)) return [];
    const episodeId = newId();
    const settled = settleFindings(memory, findings, { episodeId, conversationId }, newId);
    return [createEpisode(episodeId, episode), ...settled];
  },
});

function mayIngest(
  same: readonly Pick<KnownEpisode, 'type' | 'happenedAt' | 'summary'>[],
  { happenedAt, summary }: NewEpisode,
  most: number,
): boolean {
  const isIngest = ({ type }: Pick<KnownEpisode, 'type'>) => type === 'RESPONSE_INGEST';
  if (same.filter(isIngest).length >= most) return false;
  const close = same.filter((one) => Math.abs(one.happenedAt - happenedAt) < SAME_WITHIN_MS);
  // Another answer is another one, however soon it comes.
  return !close.some((one) => !isIngest(one) || one.summary === summary);
}
