import { BLOCK, blockOf, type PairsOfBlocks, type Rows } from './blocks.ts';
import type { NearestOfRows } from './nearestOfRows.ts';
import { FLOAT, type Graph, INT64, onnxModel } from './onnxModel.ts';

export type Runtime = typeof import('onnxruntime-node');

/**
 * Products that lie beside each other, in a row or in a column of a block, are looked at only where the largest of
 * them is of interest, and most are not.
 */
const GROUP = 32;
const GROUPS = BLOCK / GROUP;

/** The products of each of some rows with each of others, and the largest of each group. */
const graph: Graph = {
  inputs: [
    { name: 'some', type: FLOAT, shape: [BLOCK, 'dimensions'] },
    { name: 'others', type: FLOAT, shape: [BLOCK, 'dimensions'] },
  ],
  constants: [
    { name: 'byRow', type: INT64, shape: [2], bytes: wholeNumbers(BLOCK * GROUPS, GROUP) },
    { name: 'byColumn', type: INT64, shape: [3], bytes: wholeNumbers(GROUPS, GROUP, BLOCK) },
  ],
  operations: [
    { type: 'Gemm', inputs: ['some', 'others'], outputs: ['products'], attributes: { transB: 1 } },
    { type: 'Reshape', inputs: ['products', 'byRow'], outputs: ['rowGroups'] },
    {
      type: 'ReduceMax',
      inputs: ['rowGroups'],
      outputs: ['rowTops'],
      attributes: { axes: [1], keepdims: 0 },
    },
    { type: 'Reshape', inputs: ['products', 'byColumn'], outputs: ['columnGroups'] },
    {
      type: 'ReduceMax',
      inputs: ['columnGroups'],
      outputs: ['columnTops'],
      attributes: { axes: [1], keepdims: 0 },
    },
  ],
  outputs: [
    { name: 'products', type: FLOAT, shape: [BLOCK, BLOCK] },
    { name: 'rowTops', type: FLOAT, shape: [BLOCK * GROUPS] },
    { name: 'columnTops', type: FLOAT, shape: [GROUPS, BLOCK] },
  ],
};

/** Holds blocks against each other for as long as there are any, with one thread. */
export async function compareBlocks(
  { InferenceSession, Tensor }: Runtime,
  rows: Rows,
  pairs: PairsOfBlocks,
  found: NearestOfRows,
): Promise<void> {
  // It is given the room for what it makes, and needs no store of its own.
  const options = { intraOpNumThreads: 1, enableCpuMemArena: false };
  const session = await InferenceSession.create(onnxModel(graph), options);
  const tensorOf = (block: number) => new Tensor('float32', blockOf(rows, block), [BLOCK, rows.dimensions]);
  try {
    const room = new Float32Array(BLOCK * BLOCK);
    const tops = [new Float32Array(BLOCK * GROUPS), new Float32Array(BLOCK * GROUPS)] as const;
    const made = {
      products: new Tensor('float32', room, [BLOCK, BLOCK]),
      rowTops: new Tensor('float32', tops[0], [BLOCK * GROUPS]),
      columnTops: new Tensor('float32', tops[1], [GROUPS, BLOCK]),
    };
    for (let pair = pairs.take(); pair; pair = pairs.take()) {
      const [first, second] = pair;
      await session.run({ some: tensorOf(first), others: tensorOf(second) }, made);
      const place = { from: first * BLOCK, to: second * BLOCK, count: rows.count };
      offerRows(room, tops[0], place, found);
      // In its own block each row has met all others already.
      if (first !== second) offerColumns(room, tops[1], place, found);
    }
  } finally {
    await session.release();
  }
}

/** The first rows of both blocks, and how many rows there are at all. */
interface Place {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

function offerRows(
  products: Float32Array,
  tops: Float32Array,
  { from, to, count }: Place,
  found: NearestOfRows,
): void {
  const rows = Math.min(BLOCK, count - from);
  for (let group = 0; group < rows * GROUPS; group++) {
    const row = from + Math.floor(group / GROUPS);
    if (!((tops[group] ?? 0) > found.least(row))) continue;
    const first = to + (group % GROUPS) * GROUP;
    const end = Math.min(first + GROUP, count);
    for (let other = first, at = group * GROUP; other < end; other++, at++) {
      const similarity = products[at] ?? 0;
      if (similarity > found.least(row) && other !== row) found.offer(row, other, similarity);
    }
  }
}

function offerColumns(
  products: Float32Array,
  tops: Float32Array,
  { from, to, count }: Place,
  found: NearestOfRows,
): void {
  const columns = Math.min(BLOCK, count - to);
  for (let first = 0; first < BLOCK; first += GROUP) {
    const group = (first / GROUP) * BLOCK;
    for (let column = 0; column < columns; column++) {
      const row = to + column;
      if (!((tops[group + column] ?? 0) > found.least(row))) continue;
      for (let place = first; place < first + GROUP; place++) {
        const similarity = products[place * BLOCK + column] ?? 0;
        if (similarity > found.least(row)) found.offer(row, from + place, similarity);
      }
    }
  }
}

function wholeNumbers(...numbers: readonly number[]): Uint8Array {
  return new Uint8Array(BigInt64Array.from(numbers.map(BigInt)).buffer);
}
