import type { Tensor } from 'onnxruntime-node';
import type { Onnxruntime } from '../../../../onnxruntime.ts';
import { BLOCK, blockOf, type PairsOfBlocks, type Rows } from './blocks.ts';
import type { NearestOfRows } from './nearestOfRows.ts';
import { FLOAT, type Graph, INT32, INT64, onnxModel } from './onnxModel.ts';

/**
 * Products that lie beside each other in a row are looked at only where the largest of them is of interest, and most
 * are not. The runtime chooses: what it gives is copied each time, and a megabyte for each two blocks kept the garbage
 * collectors of both threads busy.
 */
const GROUP = 32;
const GROUPS = BLOCK / GROUP;

/** The products of each of some rows with each of others, those of interest to a row of either. */
const graph: Graph = {
  inputs: [
    { name: 'some', type: FLOAT, shape: [BLOCK, 'dimensions'] },
    { name: 'others', type: FLOAT, shape: [BLOCK, 'dimensions'] },
    { name: 'leastOfSome', type: FLOAT, shape: [BLOCK, 1] },
    { name: 'leastOfOthers', type: FLOAT, shape: [BLOCK, 1] },
  ],
  constants: [
    wholeNumbers('byRow', BLOCK, GROUPS, GROUP),
    wholeNumbers('byGroup', BLOCK * GROUPS, GROUP),
    wholeNumbers('inOneRow', BLOCK * GROUPS),
  ],
  operations: [
    { type: 'Gemm', inputs: ['some', 'others'], outputs: ['productsOfSome'], attributes: { transB: 1 } },
    ...choosing('Some'),
    {
      type: 'Transpose',
      inputs: ['productsOfSome'],
      outputs: ['productsOfOthers'],
      attributes: { perm: [1, 0] },
    },
    ...choosing('Others'),
  ],
  outputs: [...chosen('Some'), ...chosen('Others')],
};

type Side = 'Some' | 'Others';

/** The groups of which the largest product is above the least of its row. */
function choosing(side: Side): Graph['operations'] {
  const named = (what: string) => `${what}Of${side}`;
  const reshape = (from: string, shape: string, to: string) => ({
    type: 'Reshape',
    inputs: [named(from), shape],
    outputs: [named(to)],
  });
  return [
    reshape('products', 'byRow', 'rows'),
    {
      type: 'ReduceMax',
      inputs: [named('rows')],
      outputs: [named('tops')],
      attributes: { axes: [2], keepdims: 0 },
    },
    { type: 'Greater', inputs: [named('tops'), named('least')], outputs: [named('above')] },
    reshape('above', 'inOneRow', 'aboveInOneRow'),
    { type: 'NonZero', inputs: [named('aboveInOneRow')], outputs: [named('places')] },
    reshape('products', 'byGroup', 'all'),
    { type: 'Gather', inputs: [named('all'), named('places')], outputs: [named('near')] },
    { type: 'Cast', inputs: [named('places')], outputs: [named('groups')], attributes: { to: INT32 } },
  ];
}

/** Which groups they are, in their order, and what is in them. */
function chosen(side: Side): Graph['outputs'] {
  return [
    { name: `groupsOf${side}`, type: INT32, shape: [1, `countOf${side}`] },
    { name: `nearOf${side}`, type: FLOAT, shape: [1, `countOf${side}`, GROUP] },
  ];
}

/** Holds blocks against each other for as long as there are any, with one thread. */
export async function compareBlocks(
  { InferenceSession, Tensor }: Onnxruntime,
  rows: Rows,
  pairs: PairsOfBlocks,
  found: NearestOfRows,
): Promise<void> {
  const session = await InferenceSession.create(onnxModel(graph), { intraOpNumThreads: 1 });
  const tensorOf = (block: number) => new Tensor('float32', blockOf(rows, block), [BLOCK, rows.dimensions]);
  const ofSome = new Float32Array(BLOCK);
  const ofOthers = new Float32Array(BLOCK);
  const least = {
    leastOfSome: new Tensor('float32', ofSome, [BLOCK, 1]),
    leastOfOthers: new Tensor('float32', ofOthers, [BLOCK, 1]),
  };
  try {
    for (let pair = pairs.take(); pair; pair = pairs.take()) {
      const [first, second] = pair;
      const forward = { rows: first * BLOCK, others: second * BLOCK, count: rows.count };
      const back = { rows: forward.others, others: forward.rows, count: rows.count };
      writeLeast(ofSome, forward, found);
      // In its own block each row has met all others already.
      if (first === second) ofOthers.fill(Number.POSITIVE_INFINITY);
      else writeLeast(ofOthers, back, found);
      const near = await session.run({ some: tensorOf(first), others: tensorOf(second), ...least });
      offer(numbersOf(near.groupsOfSome), productsOf(near.nearOfSome), forward, found);
      offer(numbersOf(near.groupsOfOthers), productsOf(near.nearOfOthers), back, found);
    }
  } finally {
    await session.release();
  }
}

/** The first rows of two blocks, those for which others are looked for and the others, and how many there are at all. */
interface Place {
  readonly rows: number;
  readonly others: number;
  readonly count: number;
}

/** What comes after the last row has an interest in nothing. */
function writeLeast(least: Float32Array, { rows, count }: Place, found: NearestOfRows): void {
  for (let place = 0; place < BLOCK; place++)
    least[place] = rows + place < count ? found.least(rows + place) : Number.POSITIVE_INFINITY;
}

function offer(
  groups: Int32Array,
  products: Float32Array,
  { rows, others, count }: Place,
  found: NearestOfRows,
): void {
  for (let index = 0; index < groups.length; index++) {
    const group = groups[index] ?? 0;
    const row = rows + Math.floor(group / GROUPS);
    const first = others + (group % GROUPS) * GROUP;
    const end = Math.min(first + GROUP, count);
    for (let other = first, at = index * GROUP; other < end; other++, at++) {
      const similarity = products[at] ?? 0;
      if (similarity > found.least(row) && other !== row) found.offer(row, other, similarity);
    }
  }
}

function numbersOf(tensor: Tensor | undefined): Int32Array {
  if (!(tensor?.data instanceof Int32Array)) throw new TypeError('The runtime gave no whole numbers');
  return tensor.data;
}

function productsOf(tensor: Tensor | undefined): Float32Array {
  if (!(tensor?.data instanceof Float32Array)) throw new TypeError('The runtime gave no products');
  return tensor.data;
}

function wholeNumbers(name: string, ...numbers: readonly number[]) {
  const bytes = new Uint8Array(BigInt64Array.from(numbers.map(BigInt)).buffer);
  return { name, type: INT64, shape: [numbers.length], bytes } as const;
}
