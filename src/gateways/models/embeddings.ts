import { setTimeout as sleep } from 'node:timers/promises';
import { ModelFailure } from './failure.ts';
import type { EmbeddingRequest, GatewayOptions } from './gateway.ts';
import { listOf } from './loose.ts';

const ATTEMPTS = 3;
const FIRST_DELAY_MS = 250;

type Vectors = readonly Float32Array[];

/**
 * Vectors for all texts, `batch` of them at a time. Nothing that was embedded is embedded again: a batch that fails
 * with 429 or a fault of the server is tried twice more, after 250 and 500 ms; any other failure ends it all.
 */
export async function embedInBatches(
  { model, texts }: EmbeddingRequest,
  batch: number,
  embed: (texts: readonly string[]) => Promise<Vectors>,
  { wait = pause }: Pick<GatewayOptions, 'wait'>,
  blamed: { readonly providerId: ModelFailure['providerId'] },
  signal: AbortSignal,
): Promise<Vectors> {
  const vectors: Float32Array[] = [];
  for (let start = 0; start < texts.length; start += batch) {
    const some = texts.slice(start, start + batch);
    const found = await persistently(() => embed(some), wait, signal);
    if (found.length !== some.length) {
      throw new ModelFailure('malformed', { ...blamed, model, code: 'vectors_missing' });
    }
    vectors.push(...found);
  }
  return vectors;
}

async function persistently<Result>(
  attempt: () => Promise<Result>,
  wait: (ms: number, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<Result> {
  for (let number = 1; ; number++) {
    try {
      return await attempt();
    } catch (error) {
      if (number === ATTEMPTS || !(error instanceof ModelFailure) || !isPassing(error)) throw error;
      await wait(FIRST_DELAY_MS * 2 ** (number - 1), signal);
    }
  }
}

function isPassing({ status }: ModelFailure): boolean {
  return status === 429 || (status !== undefined && status >= 500);
}

/** Ends early when aborted: the attempt that follows fails for the same reason. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/** A vector as a server sent it; undefined where it is none. */
export function vectorOf(value: unknown): Float32Array | undefined {
  if (typeof value === 'string') return fromBase64(value);
  const numbers = listOf(value);
  return numbers.length > 0 && numbers.every((one) => typeof one === 'number')
    ? Float32Array.from(numbers)
    : undefined;
}

/** Little-endian floats. Copied, because a buffer of the pool need not lie on a multiple of four. */
function fromBase64(text: string): Float32Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
