import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { afterAll, describe } from 'vitest';
import {
  BLOCK,
  PairsOfBlocks,
  type Rows,
  rowsOf,
} from '../../../../src/sagas/maintenance/contradictions/candidates/blocks.ts';
import { Helper } from '../../../../src/sagas/maintenance/contradictions/candidates/helper.ts';
import {
  eachNear,
  withoutRuntime,
} from '../../../../src/sagas/maintenance/contradictions/candidates/neighbours.ts';
import { Random } from '../../../support/random.ts';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 1_000);
const { signal } = new AbortController();
const helper = new Helper();
afterAll(() => helper.end());

type Pairs = ReadonlyMap<string, number>;

/** Whole numbers, whose products are exact in whatever order they are added up; many are equal. */
function wholeRows(count: number, dimensions: number, seed: number): Rows {
  const random = new Random(seed);
  const { rows } = rowsOf(
    Array.from({ length: count }, () => new Float32Array(dimensions).fill(1)),
    count,
    dimensions,
  );
  for (let at = 0; at < count * dimensions; at++) rows.values[at] = random.whole(-2, 3);
  return rows;
}

function realRows(count: number, dimensions: number, seed: number): Rows {
  const random = new Random(seed);
  const vector = () => Float32Array.from({ length: dimensions }, () => random.next() - 0.5);
  return rowsOf(Array.from({ length: count }, vector), count, dimensions).rows;
}

/** The plain way: of each row all others, the nearest first, of equals those that come first. */
function plainly({ count, dimensions, values }: Rows, nearest: number): Pairs {
  const product = (one: number, other: number) => {
    let sum = 0;
    for (let at = 0; at < dimensions; at++)
      sum += (values[one * dimensions + at] ?? 0) * (values[other * dimensions + at] ?? 0);
    return sum;
  };
  const pairs = new Map<string, number>();
  for (let row = 0; row < count; row++) {
    const others = Array.from({ length: count }, (_, other) => ({ other, similarity: product(row, other) }));
    const near = others
      .filter(({ other }) => other !== row)
      .sort((a, b) => b.similarity - a.similarity || a.other - b.other);
    for (const { other, similarity } of near.slice(0, nearest))
      pairs.set(`${Math.min(row, other)} ${Math.max(row, other)}`, similarity);
  }
  return pairs;
}

async function found(
  rows: Rows,
  nearest: number,
  how: typeof eachNear,
  by?: Pick<Helper, 'takePart'>,
): Promise<Pairs> {
  const pairs = new Map<string, number>();
  await how({ rows, nearest, signal, helper: by }, (one, other, similarity) => {
    const key = `${Math.min(one, other)} ${Math.max(one, other)}`;
    assert.ok(!pairs.has(key), `${key} came twice`);
    pairs.set(key, similarity);
  });
  return pairs;
}

const sorted = (pairs: Pairs) => [...pairs].sort(([one], [other]) => one.localeCompare(other));

const few = fc.record({
  count: fc.integer({ min: 0, max: 40 }),
  dimensions: fc.integer({ min: 1, max: 6 }),
  nearest: fc.integer({ min: 1, max: 8 }),
  seed: fc.integer(),
});

describe('the nearest of every row', () => {
  it.prop([few], { numRuns })(
    'are those that the plain way finds, to the last one, each pair once, with a helper and without',
    async ({ count, dimensions, nearest, seed }) => {
      const rows = wholeRows(count, dimensions, seed);
      const plain = sorted(plainly(rows, nearest));
      assert.deepEqual(sorted(await found(rows, nearest, eachNear)), plain);
      assert.deepEqual(sorted(await found(rows, nearest, eachNear, helper)), plain);
    },
  );

  it('are so over many blocks, whoever takes which, and among thousands that are equal', async () => {
    for (const count of [BLOCK, BLOCK + 1, 3 * BLOCK - 1, 4 * BLOCK + 77]) {
      const rows = wholeRows(count, 3, count);
      const plain = sorted(plainly(rows, 5));
      assert.deepEqual(sorted(await found(rows, 5, eachNear)), plain);
      for (let again = 0; again < 5; again++)
        assert.deepEqual(sorted(await found(rows, 5, eachNear, helper)), plain);
    }
  });

  for (const [name, how] of [
    ['with the runtime', eachNear],
    ['without', withoutRuntime],
  ] as const)
    for (const [count, dimensions, nearest] of [
      [2, 3, 5],
      [300, 384, 5],
      [1_100, 20, 4],
    ] as const)
      it(`are as near as the plain way says ${name}: ${count} × ${dimensions}`, async () => {
        const rows = realRows(count, dimensions, count);
        const plain = plainly(rows, nearest);
        const pairs = await found(rows, nearest, how, helper);
        assert.equal(pairs.size, plain.size);
        for (const [key, similarity] of plain)
          assert.ok(Math.abs((pairs.get(key) ?? Number.NaN) - similarity) < 1e-5, key);
      });

  it('are not looked for any more when nobody wants them', async () => {
    const rows = realRows(4 * BLOCK, 32, 1);
    const giveUp = new AbortController();
    const looking = eachNear({ rows, nearest: 5, signal: giveUp.signal, helper }, () => assert.fail());
    giveUp.abort(new Error('given up'));
    await assert.rejects(looking, /given up/);
    // What the helper still says of them is no answer to who asks next.
    const few = wholeRows(20, 4, 2);
    assert.deepEqual(sorted(await found(few, 3, eachNear, helper)), sorted(plainly(few, 3)));
  });

  it('are not known where a helper fails: what it took is missing', async () => {
    const lost = new Helper();
    await lost.end();
    await assert.rejects(found(realRows(20, 4, 3), 3, eachNear, lost), /second thread/);
  });
});

describe('the pairs of blocks', () => {
  it('are each block with itself and with every one before it, each once, until they are closed', () => {
    const rows = wholeRows(50 * BLOCK + 1, 1, 1);
    const pairs = new PairsOfBlocks(rows);
    const shared = new PairsOfBlocks(rows, pairs.taken);
    const taken: string[] = [];
    for (let pair = pairs.take(); pair; pair = shared.take()) taken.push(pair.join(' '));
    const all = Array.from({ length: 51 }, (_, second) =>
      Array.from({ length: second + 1 }, (__, first) => `${first} ${second}`),
    );
    assert.deepEqual(taken, all.flat());
    const closed = new PairsOfBlocks(rows);
    closed.close();
    assert.equal(closed.take(), undefined);
  });
});
