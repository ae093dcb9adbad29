import { Worker } from 'node:worker_threads';
import type { Pace } from '../../../application/maintenance/pace.ts';
import type {
  AddStatements,
  CandidatePair,
  CandidateReply,
  CandidateRequest,
  CandidateThreadData,
  SelectPairs,
} from './candidates/messages.ts';

const THREAD = new URL('./candidates/thread.ts', import.meta.url);
/** So many statements are handed over at a stretch. */
const HANDED_AT_ONCE = 64;

export interface ComparedStatement {
  readonly text: string;
  readonly topic: string | null;
  readonly value: string | null;
  readonly negated: boolean | null;
  readonly vector: Float32Array | undefined;
}

interface Selecting extends Omit<SelectPairs, 'kind'> {
  readonly pace: Pace;
  readonly signal: AbortSignal;
}

/** Stage 1: of all pairs of statements those that may contradict each other, the most promising first. */
export async function selectCandidates(
  statements: readonly ComparedStatement[],
  { pace, signal, ...selecting }: Selecting,
): Promise<readonly CandidatePair[]> {
  signal.throwIfAborted();
  if (statements.length < 2) return [];
  const workerData: CandidateThreadData = { statements: statements.length };
  const thread = new Worker(THREAD, { workerData });
  const answer = answerOf(thread, signal);
  // Awaited only when all is handed over.
  answer.catch(() => undefined);
  const shared = new SharedVectors(statements);
  for (let from = 0; from < statements.length && !signal.aborted; from += HANDED_AT_ONCE) {
    hand(thread, added(statements.slice(from, from + HANDED_AT_ONCE), shared));
    if (!pace.hasTime()) await pace.pause();
  }
  hand(thread, { kind: 'select', ...selecting });
  return answer;
}

function added(statements: readonly ComparedStatement[], shared: SharedVectors): AddStatements {
  return {
    kind: 'add',
    texts: statements.map(({ text }) => text),
    topics: statements.map(({ topic }) => topic),
    values: statements.map(({ value }) => value),
    negated: statements.map(({ negated }) => negated),
    lengths: statements.map(({ vector }) => vector?.length ?? 0),
    vectors: shared.take(statements),
  };
}

/** One piece of memory for all: what is handed over in pieces of its own makes the other thread collect garbage. */
class SharedVectors {
  readonly #all: Float32Array<SharedArrayBuffer>;
  #taken = 0;

  constructor(statements: readonly ComparedStatement[]) {
    const numbers = statements.reduce((sum, { vector }) => sum + (vector?.length ?? 0), 0);
    this.#all = new Float32Array(new SharedArrayBuffer(numbers * Float32Array.BYTES_PER_ELEMENT));
  }

  /** One after the other. */
  take(statements: readonly ComparedStatement[]): Float32Array<SharedArrayBuffer> {
    const from = this.#taken;
    for (const { vector } of statements) {
      if (!vector) continue;
      this.#all.set(vector, this.#taken);
      this.#taken += vector.length;
    }
    return this.#all.subarray(from, this.#taken);
  }
}

function hand(thread: Worker, request: CandidateRequest): void {
  thread.postMessage(request);
}

/** Settles when the thread has come to its end: what goes on in it must not be cut off by the end of the process. */
async function answerOf(thread: Worker, signal: AbortSignal): Promise<readonly CandidatePair[]> {
  let reply: CandidateReply | undefined;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const stop = () => hand(thread, { kind: 'stop' });
  signal.addEventListener('abort', stop, { once: true });
  thread.on('message', (told: CandidateReply) => {
    reply = told;
  });
  thread.on('error', (error) => {
    reply = { kind: 'failed', error: error.name };
  });
  thread.on('exit', () => end());
  await ended;
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (reply?.kind === 'selected') return reply.pairs;
  throw new Error(`The selection of pairs failed with ${reply?.error ?? 'no answer'}`);
}
