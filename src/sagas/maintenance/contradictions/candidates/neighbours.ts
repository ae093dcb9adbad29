import { setImmediate as breath } from 'node:timers/promises';
import type { InferenceSession } from 'onnxruntime-node';
import { VectorSet } from '../../../../projections/memory/index/vectors/vectorSet.ts';
import { NearestOfRows } from './nearestOfRows.ts';
import { FLOAT, type Graph, INT32, INT64, onnxModel } from './onnxModel.ts';

type Runtime = typeof import('onnxruntime-node');

/** Vectors of length 1, one after the other. */
export interface Rows {
  readonly count: number;
  readonly dimensions: number;
  readonly values: Float32Array;
}

/** Called with a row, another that is near it, and the cosine between them. */
export type OnNeighbour = (row: number, other: number, similarity: number) => void;

/** Rows of one block: what is made of two of them stays near the processor. */
const BLOCK = 1_024;
const MOST_THREADS = 2;
const ROWS_AT_ONCE = 64;

/** The products of each of some rows with each of others, and of each of some the largest. */
const ofRows = {
  inputs: [
    { name: 'some', type: FLOAT, shape: ['some', 'dimensions'] },
    { name: 'others', type: FLOAT, shape: ['others', 'dimensions'] },
    { name: 'rowWidth', type: INT64, shape: [1] },
  ],
  operations: [
    { type: 'Gemm', inputs: ['some', 'others'], outputs: ['products'], attributes: { transB: 1 } },
    { type: 'TopK', inputs: ['products', 'rowWidth'], outputs: ['rowTops', 'rowAt64'] },
    { type: 'Cast', inputs: ['rowAt64'], outputs: ['rowAt'], attributes: { to: INT32 } },
  ],
  outputs: [
    { name: 'rowTops', type: FLOAT, shape: ['some', 'rowWidth'] },
    { name: 'rowAt', type: INT32, shape: ['some', 'rowWidth'] },
  ],
} as const satisfies Graph;

/** The same, and of each of the others the largest too: what is multiplied once serves both. */
const ofRowsAndColumns: Graph = {
  inputs: [...ofRows.inputs, { name: 'columnWidth', type: INT64, shape: [1] }],
  operations: [
    ...ofRows.operations,
    { type: 'Transpose', inputs: ['products'], outputs: ['turned'], attributes: { perm: [1, 0] } },
    { type: 'TopK', inputs: ['turned', 'columnWidth'], outputs: ['columnTops', 'columnAt64'] },
    { type: 'Cast', inputs: ['columnAt64'], outputs: ['columnAt'], attributes: { to: INT32 } },
  ],
  outputs: [
    ...ofRows.outputs,
    { name: 'columnTops', type: FLOAT, shape: ['others', 'columnWidth'] },
    { name: 'columnAt', type: INT32, shape: ['others', 'columnWidth'] },
  ],
};

export interface Wanted {
  readonly rows: Rows;
  /** So many of each row. */
  readonly nearest: number;
  readonly signal: AbortSignal;
}

/** The nearest of every row, exactly: every row is held against every other. */
export async function eachNeighbour(wanted: Wanted, onNeighbour: OnNeighbour): Promise<void> {
  if (wanted.rows.count < 2) return;
  const runtime = await import('onnxruntime-node').catch(() => undefined);
  if (runtime) await withRuntime(runtime, wanted, onNeighbour);
  else await withoutRuntime(wanted, onNeighbour);
}

async function withRuntime(runtime: Runtime, wanted: Wanted, onNeighbour: OnNeighbour): Promise<void> {
  const { rows, nearest, signal } = wanted;
  const [square, both] = await Promise.all([open(runtime, ofRows), open(runtime, ofRowsAndColumns)]);
  const found = new NearestOfRows(rows.count, Math.min(nearest, rows.count - 1));
  try {
    for (let from = 0; from < rows.count; from += BLOCK)
      for (let other = from; other < rows.count; other += BLOCK) {
        signal.throwIfAborted();
        const session = other === from ? square : both;
        await compare(runtime, session, rows, [from, other], nearest, found);
      }
  } finally {
    await Promise.all([square.release(), both.release()]);
  }
  found.each(onNeighbour);
}

function open({ InferenceSession: Session }: Runtime, graph: Graph): Promise<InferenceSession> {
  return Session.create(onnxModel(graph), {
    intraOpNumThreads: MOST_THREADS,
    // A thread that waits for work by trying again and again takes the processor from those that have some.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
}

async function compare(
  { Tensor }: Runtime,
  session: InferenceSession,
  { count, dimensions, values }: Rows,
  [from, other]: readonly [number, number],
  nearest: number,
  found: NearestOfRows,
): Promise<void> {
  const sizeAt = (start: number) => Math.min(BLOCK, count - start);
  const block = (start: number) => {
    const part = values.subarray(start * dimensions, (start + sizeAt(start)) * dimensions);
    return new Tensor('float32', part, [sizeAt(start), dimensions]);
  };
  // One more than wanted: in its own block a row is nearest to itself.
  const widthIn = (start: number) => Math.min(nearest + 1, sizeAt(start));
  const width = (start: number) => new Tensor('int64', BigInt64Array.of(BigInt(widthIn(start))), [1]);
  const given = { some: block(from), others: block(other), rowWidth: width(other) };
  const feeds = session.inputNames.includes('columnWidth') ? { ...given, columnWidth: width(from) } : given;
  const made = await session.run(feeds);
  const take = (tops: unknown, places: unknown, rowsFrom: number, othersFrom: number) => {
    if (!(tops instanceof Float32Array) || !(places instanceof Int32Array)) return;
    const each = widthIn(othersFrom);
    for (const [index, place] of places.entries()) {
      const row = rowsFrom + Math.floor(index / each);
      if (othersFrom + place !== row) found.offer(row, othersFrom + place, tops[index] ?? 0);
    }
  };
  take(made.rowTops?.data, made.rowAt?.data, from, other);
  take(made.columnTops?.data, made.columnAt?.data, other, from);
}

/** Where the runtime is not made for the machine: the same, an order of magnitude slower. */
export async function withoutRuntime(
  { rows: { count, dimensions, values }, nearest, signal }: Wanted,
  onNeighbour: OnNeighbour,
): Promise<void> {
  const set = new VectorSet(dimensions);
  const vectorAt = (row: number) => values.subarray(row * dimensions, (row + 1) * dimensions);
  for (let row = 0; row < count; row++) set.set({ id: String(row), vector: vectorAt(row) });
  for (let row = 0; row < count; row++) {
    // Only then can it be heard that nobody wants it any more.
    if (row % ROWS_AT_ONCE === 0) await breath();
    signal.throwIfAborted();
    for (const { id, similarity } of set.nearest(vectorAt(row), nearest + 1, -1))
      if (Number(id) !== row) onNeighbour(row, Number(id), similarity);
  }
}
