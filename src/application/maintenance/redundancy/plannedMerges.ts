import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Merge } from '../../../commands/memory/sweep/mergeRedundant.ts';
import { isVouchedFor } from '../../../commands/memory/sweep/steps.ts';
import type { Sweep } from '../../../commands/memory/upkeep.ts';
import type { Conclusions } from '../../../folds/memory/conclusions.ts';
import type { Pace } from '../pace.ts';
import {
  type CandidatesPart,
  type MergeCandidate,
  type PlannedMerge,
  type PlanReply,
  planMerges,
} from './planMerges.ts';

/** What step 3 is to do, as the memory is now. What somebody took back is left as it is. */
export async function plannedMerges(
  memory: Conclusions,
  sweep: Pick<Sweep, 'timestamp' | 'thresholds'>,
  pace: Pace,
  signal: AbortSignal,
): Promise<readonly Merge[]> {
  const candidates: MergeCandidate[] = [];
  for (const { id, text, type, confidence, createdAt, status } of Object.values(memory.conclusions)) {
    if (!pace.hasTime()) await pace.pause();
    if (status !== 'active' || isVouchedFor(memory, id, sweep)) continue;
    candidates.push({ id, text: text ?? '', type, confidence, createdAt });
  }
  const planned = await findRedundant(candidates, sweep.thresholds.similarity, pace, signal);
  return planned.map(({ loser, winner, like, similarity }) => ({
    conclusionId: candidates[loser]?.id ?? '',
    mergedInto: candidates[winner]?.id ?? '',
    similarTo: candidates[like]?.id ?? '',
    similarity,
  }));
}

const THREAD = new URL('./thread.ts', import.meta.url);
/** So many take a millisecond, and a thread takes longer than that to start. */
const QUICKLY_DONE = 200;
/** Copied from thread to thread without others noticing it. */
const A_PART = 250;

/** Which of the candidates say the same, found in a thread of its own when there are many. */
export async function findRedundant(
  candidates: readonly MergeCandidate[],
  least: number,
  pace: Pace,
  signal: AbortSignal,
): Promise<readonly PlannedMerge[]> {
  if (candidates.length <= QUICKLY_DONE) return planMerges(candidates, least);
  const worker = new Worker(THREAD);
  try {
    const answered = once(worker, 'message', { signal });
    answered.catch(() => undefined);
    for (let from = 0; from < candidates.length; from += A_PART) {
      const part: CandidatesPart = { candidates: candidates.slice(from, from + A_PART) };
      const isLast = from + A_PART >= candidates.length;
      worker.postMessage(isLast ? { ...part, least } : part);
      if (!pace.hasTime()) await pace.pause();
    }
    const [reply]: PlanReply[] = await answered;
    return mergesIn(reply ?? new Float64Array());
  } finally {
    await worker.terminate();
  }
}

function mergesIn(reply: PlanReply): readonly PlannedMerge[] {
  return Array.from({ length: reply.length / 4 }, (_, index) => {
    const [loser = 0, winner = 0, like = 0, similarity = 0] = reply.subarray(index * 4, index * 4 + 4);
    return { loser, winner, like, similarity };
  });
}
