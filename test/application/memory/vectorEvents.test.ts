import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { encoded, vectorsIn } from '../../../src/application/memory/vectorEvents.ts';

const by = { provider: 'local-runner', model: 'small' } as const;
const vector = fc
  .integer({ min: 1, max: 5 })
  .chain((length) => fc.array(fc.float({ noNaN: true }), { minLength: length, maxLength: length }));

const entriesOf = (data: ReturnType<typeof encoded>[number]) =>
  vectorsIn({ type: 'memory.vectors.made', data })?.entries ?? [];

describe('vectors in the log', () => {
  it.prop([fc.array(fc.record({ episode: fc.nat(3), vector }))])(
    'read back as they were, of whatever lengths and however many',
    (given) => {
      const texts = given.map(({ episode }, index) => ({
        id: `e${episode}#${index}`,
        episodeId: `e${episode}`,
      }));
      const vectors = given.map((one) => Float32Array.from(one.vector));
      const made = encoded(texts, { ...by, vectors });
      const read = new Map(made.flatMap((one) => entriesOf(one).map(({ id, vector }) => [id, vector])));
      assert.deepEqual(read, new Map(texts.map(({ id }, index) => [id, vectors[index]])));
      assert.ok(made.every(({ episodeId, ids }) => ids.every((id) => id.startsWith(`${episodeId}#`))));
    },
  );

  it('are nothing when they were forgotten, or are cut short', () => {
    const [made] = encoded([{ id: 'e1', episodeId: 'e1' }], { ...by, vectors: [Float32Array.of(1, 2)] });
    assert(made);
    assert.deepEqual(entriesOf({ ...made, vectors: null }), []);
    assert.deepEqual(entriesOf({ ...made, vectors: 'AACAPw==' }), []);
  });
});
