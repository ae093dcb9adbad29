import { setImmediate as breath } from 'node:timers/promises';
import { loadOnnxruntime, type Onnxruntime } from '../../../../onnxruntime.ts';
import { VectorSet } from '../../../../projections/memory/index/vectors/vectorSet.ts';
import { PairsOfBlocks, type Rows } from './blocks.ts';
import type { Helper } from './helper.ts';
import { NearestOfRows } from './nearestOfRows.ts';
import { compareBlocks } from './products.ts';

/** Called once with each two of which one is among the nearest of the other, and the cosine between them. */
export type OnPair = (row: number, other: number, similarity: number) => void;

const ROWS_AT_ONCE = 64;

export interface NeighbourSearch {
  readonly rows: Rows;
  /** So many of each row. */
  readonly nearest: number;
  readonly signal: AbortSignal;
  /** Without one, this thread does it all. */
  readonly helper?: Pick<Helper, 'takePart'> | undefined;
}

/** The nearest of every row, exactly: every row is held against every other. A helper has begun when this returns. */
export async function eachNear(wanted: NeighbourSearch, onPair: OnPair): Promise<void> {
  const { rows, nearest, signal, helper } = wanted;
  if (rows.count < 2) return;
  const pairs = new PairsOfBlocks(rows);
  const helped = helper?.takePart({ rows, taken: pairs.taken, nearest });
  // Awaited when nothing is left to do.
  helped?.catch(() => undefined);
  const runtime = await loadOnnxruntime().catch(() => undefined);
  if (!runtime) return await withoutRuntime(wanted, onPair);
  const found = await ownPart(runtime, pairs, wanted);
  const others = await helped;
  signal.throwIfAborted();
  if (others) found.add(others);
  found.eachPair(onPair);
}

async function ownPart(
  runtime: Onnxruntime,
  pairs: PairsOfBlocks,
  { rows, nearest, signal }: NeighbourSearch,
): Promise<NearestOfRows> {
  const close = () => pairs.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    signal.throwIfAborted();
    const found = new NearestOfRows(rows.count, nearest);
    await compareBlocks(runtime, rows, pairs, found);
    return found;
  } finally {
    // Whatever came of it here, a helper need not go on.
    close();
    signal.removeEventListener('abort', close);
  }
}

/** Where the runtime is not made for the machine: the same, an order of magnitude slower. */
export async function withoutRuntime(
  { rows: { count, dimensions, values }, nearest, signal }: NeighbourSearch,
  onPair: OnPair,
): Promise<void> {
  const set = new VectorSet(dimensions);
  const vectorAt = (row: number) => values.subarray(row * dimensions, (row + 1) * dimensions);
  for (let row = 0; row < count; row++) set.set({ id: String(row), vector: vectorAt(row) });
  const found = new NearestOfRows(count, nearest);
  for (let row = 0; row < count; row++) {
    // Only then can it be heard that nobody wants it any more.
    if (row % ROWS_AT_ONCE === 0) await breath();
    signal.throwIfAborted();
    for (const { id, similarity } of set.nearest(vectorAt(row), nearest + 1, -1))
      if (Number(id) !== row) found.offer(row, Number(id), similarity);
  }
  found.eachPair(onPair);
}
