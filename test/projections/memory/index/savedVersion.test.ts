import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'vitest';
import { SettableClock } from '../../../../src/clock.ts';
import { IndexThread } from '../../../../src/projections/memory/index/indexThread.ts';
import { MemoryIndex } from '../../../../src/projections/memory/index/memoryIndex.ts';
import { frameOf } from '../../../../src/projections/memory/index/pieces.ts';
import { NOON } from './documents.ts';

/** By version, what an index of these words is as bytes. */
const KNOWN = { version: 1, digest: 'b98a401ba3559ffb2acc9603c9e84c4694299dcdb086e3e6aa82784f10d487c2' };

/** In several languages, with what is taken apart in ways of its own. */
const texts = [
  "The user's sister-in-law moved to Zürich on 2024-05-01; she'll stay 3.5 years.",
  'Der Donaudampfschifffahrtskapitän aß Äpfel und fuhr 120 km/h nach Köln-Ehrenfeld.',
  'L’été dernier, j’ai mangé des crêpes à l’œuf chez Madame Lefèvre.',
  'El niño comió piñas y habló con José: «¡qué rico!»',
  '東京へ行きました。 Москва не сразу строилась. ελληνικά',
  'https://example.com/a?b=c mail@example.com C++ node.js v24.1 #tag @ann 💚',
  'running runs ran runner; mice mouse; the a an and of to',
];
const SAVE_BYTES = 4;

it('an index that is kept has another version once texts are taken apart, or kept, in another way', async (test) => {
  const thread = new IndexThread();
  const clock = new SettableClock(NOON);
  const documents = Array.from({ length: 600 }, (_, number) => ({
    ...{ id: `n${number}`, episodeId: `n${number % 300}`, kind: 'episode' as const },
    ...{ text: `${texts[number % texts.length]} ${number}`, at: NOON, importance: 0.5 },
  }));
  const kept: Buffer[] = [];
  const versions = new Set<number>();
  const whole = Promise.withResolvers<void>();
  const index = new MemoryIndex(thread, {
    clock: clock.read,
    wake: clock.wake,
    async *documents() {
      yield documents;
    },
    saving: {
      store: {
        async saveBytes(_key, { version, state }) {
          versions.add(version);
          // But for which save it is.
          kept.push(Buffer.from(state.subarray(SAVE_BYTES)));
          const { number, of } = frameOf(state) ?? assert.fail('A piece without a frame');
          if (number === of - 1) whole.resolve();
          return true;
        },
        loadBytes: async () => undefined,
        onAppended: () => () => undefined,
        onReplaced: () => () => undefined,
        delivered: 1,
      },
      settled: async () => undefined,
    },
  });
  test.onTestFinished(async () => {
    index.stop();
    await thread.close();
  });
  await index.search('ann', { query: 'Köln', limit: 1, passages: 1, now: NOON });
  clock.advance(30_000);
  await whole.promise;
  const found = {
    version: [...versions][0],
    digest: createHash('sha256').update(Buffer.concat(kept)).digest('hex'),
  };
  assert.deepEqual(
    found,
    KNOWN,
    'What older processes kept would be taken in as it is: raise VERSION in savedIndex.ts, and write both down here.',
  );
});
