import { VectorSet } from '../../../../projections/memory/index/vectors/vectorSet.ts';
import { FLOAT, INT64, onnxModel } from './onnxModel.ts';

/** Vectors of length 1, one after the other. */
export interface Rows {
  readonly count: number;
  readonly dimensions: number;
  readonly values: Float32Array;
}

/** Called with a row, another that is near it, and the cosine between them. */
export type OnNeighbour = (row: number, other: number, similarity: number) => void;

/** Rows whose products with all others are made at once: few enough to stay near the processor. */
const ROWS_AT_ONCE = 256;
const MOST_THREADS = 2;

/** The products of some rows with all, and of each the largest: the same graph whatever the sizes. */
const graph = onnxModel({
  inputs: [
    { name: 'some', type: FLOAT, shape: ['some', 'dimensions'] },
    { name: 'all', type: FLOAT, shape: ['all', 'dimensions'] },
    { name: 'most', type: INT64, shape: [1] },
  ],
  operations: [
    { type: 'Gemm', inputs: ['some', 'all'], outputs: ['products'], attributes: { transB: 1 } },
    { type: 'TopK', inputs: ['products', 'most'], outputs: ['similarities', 'places'] },
  ],
  outputs: [
    { name: 'similarities', type: FLOAT, shape: ['some', 'nearest'] },
    { name: 'places', type: INT64, shape: ['some', 'nearest'] },
  ],
});

/** The nearest of every row, exactly: every row is held against every other. */
export async function eachNeighbour(rows: Rows, nearest: number, onNeighbour: OnNeighbour): Promise<void> {
  if (rows.count < 2) return;
  const runtime = await import('onnxruntime-node').catch(() => undefined);
  if (runtime) await withRuntime(runtime, rows, nearest, onNeighbour);
  else withoutRuntime(rows, nearest, onNeighbour);
}

async function withRuntime(
  { InferenceSession, Tensor }: typeof import('onnxruntime-node'),
  { count, dimensions, values }: Rows,
  nearest: number,
  onNeighbour: OnNeighbour,
): Promise<void> {
  // A row is nearest to itself.
  const width = Math.min(count, nearest + 1);
  const session = await InferenceSession.create(graph, { intraOpNumThreads: MOST_THREADS });
  const all = new Tensor('float32', values, [count, dimensions]);
  const most = new Tensor('int64', BigInt64Array.of(BigInt(width)), [1]);
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    const to = Math.min(count, from + ROWS_AT_ONCE);
    const part = values.subarray(from * dimensions, to * dimensions);
    const some = new Tensor('float32', part, [to - from, dimensions]);
    const { similarities, places } = await session.run({ some, all, most });
    const [products, found] = [similarities?.data, places?.data];
    if (!(products instanceof Float32Array) || !(found instanceof BigInt64Array))
      throw new TypeError('The runtime gave something else');
    for (const [index, place] of found.entries()) {
      const row = from + Math.floor(index / width);
      if (Number(place) !== row) onNeighbour(row, Number(place), products[index] ?? 0);
    }
  }
  await session.release();
}

/** Where the runtime is not made for the machine: the same, an order of magnitude slower. */
export function withoutRuntime(
  { count, dimensions, values }: Rows,
  nearest: number,
  onNeighbour: OnNeighbour,
): void {
  const set = new VectorSet(dimensions);
  const vectorAt = (row: number) => values.subarray(row * dimensions, (row + 1) * dimensions);
  for (let row = 0; row < count; row++) set.set({ id: String(row), vector: vectorAt(row) });
  for (let row = 0; row < count; row++)
    for (const { id, similarity } of set.nearest(vectorAt(row), nearest + 1, -1))
      if (Number(id) !== row) onNeighbour(row, Number(id), similarity);
}
