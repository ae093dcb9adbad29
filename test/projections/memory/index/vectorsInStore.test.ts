import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import {
  VectorsInStore,
  type VectorsUpTo,
} from '../../../../src/projections/memory/index/vectors/vectorsInStore.ts';
import type { Vectors } from '../../../../src/store/port.ts';

const MODEL = 'local-runner/small';
const vector = (...numbers: readonly number[]) => new Float32Array(numbers);
const passages = { of: 'passages', model: MODEL } as const;
const statements = { of: 'statements', model: MODEL } as const;
const query = { ...passages, vector: vector(1, 0), limit: 2, threshold: 0.5 };

/** What a search module keeps: says of everything how near it is by its first number. */
class Kept implements Vectors {
  readonly absence = undefined;
  readonly kept: { readonly subject: string; readonly model: string; readonly ids: readonly string[] }[] = [];
  readonly near: { readonly id: string; readonly similarity: number }[] = [];
  position = 0;
  searches = 0;

  async takenIn() {
    return this.position;
  }
  async noteTakenIn(_userId: string, position: number) {
    this.position = position;
  }
  async keep({ subject, model }: Parameters<Vectors['keep']>[0], some: Parameters<Vectors['keep']>[1]) {
    this.kept.push({ subject, model, ids: some.map(({ id }) => id) });
    for (const {
      id,
      vector: [similarity = 0],
    } of some)
      this.near.push({ id, similarity });
  }
  async nearest() {
    this.searches++;
    return this.near;
  }
  async count() {
    return { vectors: this.near.length, bytes: 0 };
  }
}

/** An index of one user, of whom the log has these. */
function indexOf(past: readonly VectorsUpTo[]) {
  const store = new Kept();
  const readFrom: number[] = [];
  const log = { fails: false };
  const index = new VectorsInStore({
    store,
    async *vectors(_userId, after) {
      readFrom.push(after);
      if (log.fails) throw new Error('the log is away');
      yield* past.filter(({ position }) => position > after);
    },
  });
  return { store, index, readFrom, log };
}

const two: VectorsUpTo = {
  position: 7,
  models: [
    {
      ...passages,
      entries: [
        { id: 'e1#0', vector: vector(0.6, 0) },
        { id: 'e1', vector: vector(0.9, 0) },
      ],
    },
    {
      ...passages,
      entries: [
        { id: 'e2', vector: vector(0.4, 0) },
        { id: 'e3', vector: vector(0, 0) },
      ],
    },
  ],
};

describe('vectors in the store', () => {
  it('that it does not have are taken in once, up to where the log is, and then found, the nearest first', async () => {
    const { store, index, readFrom } = indexOf([two]);
    const hits = await index.search('ann', query);
    assert.deepEqual(
      hits.map(({ id }) => id),
      ['e1', 'e1#0'],
    );
    assert.equal(store.position, 7);
    await index.near('ann', query);
    await index.prepare('ann');
    assert.deepEqual(readFrom, [0]);
    assert.equal((await index.countAll()).vectors, 3);
  });

  it('are kept under what they are forgotten with, passages and statements apart', async () => {
    const { store, index } = indexOf([two]);
    await index.prepare('ann');
    await index.add('ann', { ...statements, entries: [{ id: 'conclusion-c1', vector: vector(1, 0) }] });
    assert.deepEqual(store.kept, [
      { subject: 'episode-e1', model: MODEL, ids: ['e1#0', 'e1'] },
      { subject: 'episode-e2', model: MODEL, ids: ['e2'] },
      { subject: 'conclusion-c1', model: `statements ${MODEL}`, ids: ['conclusion-c1'] },
    ]);
  });

  it('of a user for whom nobody looked yet come with the rest, when somebody does', async () => {
    const { store, index } = indexOf([two]);
    await index.add('ann', { ...passages, entries: [{ id: 'e9', vector: vector(1, 0) }] });
    assert.deepEqual(store.kept, []);
    await index.prepare('ann');
    await index.drop('ann');
    await index.add('ann', { ...passages, entries: [{ id: 'e9', vector: vector(1, 0) }] });
    assert.equal(store.kept.length, 2);
  });

  it('are not asked for what has no direction, or for none', async () => {
    const { store, index } = indexOf([]);
    assert.deepEqual(await index.search('ann', { ...query, vector: vector(0, 0) }), []);
    assert.deepEqual(await index.search('ann', { ...query, limit: 0 }), []);
    assert.equal(store.searches, 0);
  });

  it('are looked for again after the log could not be read', async () => {
    const { index, readFrom, log } = indexOf([two]);
    log.fails = true;
    await assert.rejects(index.search('ann', query), /away/);
    log.fails = false;
    assert.equal((await index.search('ann', query)).length, 2);
    assert.deepEqual(readFrom, [0, 0]);
  });
});
