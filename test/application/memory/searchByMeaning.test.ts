import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { SearchByMeaning } from '../../../src/application/memory/searchByMeaning.ts';

interface Situation {
  readonly wanted: string;
  readonly model: string | undefined;
  readonly isFailing: boolean;
  readonly absence: string | undefined;
}

const well: Situation = { wanted: 'hybrid', model: 'one/model', isFailing: false, absence: undefined };

function searching(given: Partial<Situation>): SearchByMeaning {
  const { wanted, model, isFailing, absence } = { ...well, ...given };
  return new SearchByMeaning({
    wanted: () => wanted,
    embedder: { model, isFailing },
    vectors: { countAll: async () => ({ vectors: 3, bytes: 12 }) },
    absence: () => absence,
  });
}

describe('search by meaning', () => {
  it('is as the settings want it, and both ways where they say nothing that is known', () => {
    const modes = ['keyword', 'semantic', 'hybrid', 'otherwise'].map((wanted) => searching({ wanted }).mode);
    assert.deepEqual(modes, ['keyword', 'semantic', 'hybrid', 'hybrid']);
  });

  it('gives way to words where there is no model, or no place for vectors', () => {
    const modes = [{ model: undefined }, { absence: 'No vectors' }].map((given) => searching(given).mode);
    assert.deepEqual(modes, ['keyword', 'keyword']);
  });

  it('says what is loaded, or why it is not in use', async () => {
    assert.equal(await searching({}).check(), '3 documents loaded, 12 bytes');
    const unused = [{ wanted: 'keyword' }, { absence: 'No vectors' }, { model: undefined }];
    assert.deepEqual(await Promise.all(unused.map((given) => searching(given).check())), [
      'Not in use (memorySearchMode): memory is searched by words',
      'No vectors: memory is searched by words',
      'No model in the embedding slot: memory is searched by words',
    ]);
  });

  it('is not well when its model does not answer', async () => {
    await assert.rejects(searching({ isFailing: true }).check(), {
      code: 'CHECK_FAILED',
      message: 'The embedding model does not answer: memory is searched by words',
    });
  });
});
