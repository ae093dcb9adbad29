import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Pace } from '../pace.ts';
import type { CandidatesPart, PlanReply } from './messages.ts';
import { type MergeCandidate, type PlannedMerge, planMerges } from './planMerges.ts';

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
