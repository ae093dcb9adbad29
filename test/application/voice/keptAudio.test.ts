import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { keepAudio } from '../../../src/application/voice/keptAudio.ts';

const whose = { userId: 'ann', sessionId: 'session', correlationId: 'cause' };
/** Few samples a second, so that an hour is quickly there. */
const rate = 10;
const MINUTE = 60 * rate;

async function kept(conversationId: string | undefined, ...pieces: readonly Int16Array[]) {
  const keys: { readonly key: string; readonly samples: number }[] = [];
  const files: Int16Array[] = [];
  let made = 0;
  const parts = {
    newId: () => `audio-${++made}`,
    keepKey: async (_whose: object, { key, samples }: { readonly key: string; readonly samples: number }) => {
      keys.push({ key, samples });
      return conversationId;
    },
    files: {
      newKey: () => `key-${made}`,
      write: async (_place: object, _key: string, bytes: Uint8Array) =>
        void files.push(new Int16Array(bytes.buffer)),
    },
  };
  await keepAudio(parts, whose, { role: 'assistant', rate, pieces });
  return { keys, files };
}

const counting = (length: number, from = 0) => Int16Array.from({ length }, (_, index) => from + index);

describe('what was said is kept', () => {
  it('in one file', async () => {
    const { keys, files } = await kept('c', counting(30), counting(0), counting(20, 30));
    assert.deepEqual(files, [counting(50)]);
    assert.deepEqual(keys, [{ key: 'key-0', samples: 50 }]);
  });

  it('in several where it is longer than ten minutes, each under a key of its own', async () => {
    const { keys, files } = await kept('c', counting(7 * MINUTE), counting(18 * MINUTE, 7 * MINUTE));
    const [first, second, third] = files;
    assert.deepEqual(keys, [
      { key: 'key-0', samples: 10 * MINUTE },
      { key: 'key-1', samples: 10 * MINUTE },
      { key: 'key-2', samples: 5 * MINUTE },
    ]);
    assert.deepEqual(first, counting(10 * MINUTE));
    assert.deepEqual(second, counting(10 * MINUTE, 10 * MINUTE));
    assert.deepEqual(third, counting(5 * MINUTE, 20 * MINUTE));
  });

  it('not at all where nothing was said, or no conversation goes on', async () => {
    assert.deepEqual(await kept('c'), { keys: [], files: [] });
    assert.deepEqual((await kept(undefined, counting(11 * MINUTE))).files, []);
  });
});
