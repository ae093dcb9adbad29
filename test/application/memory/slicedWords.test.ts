import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { slicesOf } from '../../../src/application/memory/exporting.ts';
import { addSlice, importedWith } from '../../../src/application/memory/importedWords.ts';
import { expireEpisodes } from '../../../src/commands/memory/forgetting.ts';
import { type ImportRecords, importRecords } from '../../../src/commands/memory/imports.ts';
import { userMemory } from '../../../src/commands/memory/state.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { isEvent, type NewEvent } from '../../../src/events/definition.ts';
import { episodeCreated, type ImportedTurn } from '../../../src/events/episodes.ts';
import { memoryStream } from '../../../src/events/memory.ts';
import { reasonsFor } from '../../../src/projections/memory/reasons.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import { episode } from '../../commands/memory/sample.ts';
import { fold, given, NOW } from '../../support/given.ts';
import { range } from '../../support/range.ts';

const DAY = 24 * 60 * 60_000;
const nothing: ImportRecords = { profile: {}, episodes: [], conclusions: [], contradictions: [] };
const said = (text: string): ImportedTurn => ({ role: 'user', name: null, text, at: NOW });
const told = (happenedAt = NOW) => episode({ conversationId: null, happenedAt, expiresAt: NOW + 9 * DAY });
const record = (number: number, of: number, happenedAt = NOW) => ({
  ...{ episodeId: 'e1', episode: told(happenedAt), turns: [said(`${number}`)] },
  slice: { number, of, from: number },
});
const come = (number: number, of: number, happenedAt = NOW, now = NOW): NewEvent => {
  const isLast = number === of - 1;
  const slice = { number, of, from: number, happenedAt, ...(isLast ? {} : { waitsUntil: now + DAY }) };
  const data = { episodeId: 'e1', sessionId: 's1', turns: [said(`${number}`)], slice };
  return { type: 'memory.conversation.imported', data };
};
const created = (happenedAt = NOW): NewEvent => ({
  type: 'memory.episode.created',
  data: { episodeId: 'e1', ...told(happenedAt) },
});

describe('words that come in slices', () => {
  const when = (past: readonly NewEvent[], ...episodes: ImportRecords['episodes']) =>
    given(importRecords, ...past).when({ ...nothing, episodes });

  it('wait for the rest of them, and their episode comes with the last', () => {
    when([], record(0, 3), record(1, 3)).gives(come(0, 3), come(1, 3));
    when([come(0, 3), come(1, 3)], record(2, 3)).gives(come(2, 3), created());
    when([], record(0, 2), record(1, 2), record(0, 2)).gives(come(0, 2), come(1, 2), created());
  });

  it('come once each', () => {
    when([come(0, 3)], record(0, 3), record(1, 3), record(1, 3)).gives(come(1, 3));
    when([come(0, 2), come(1, 2), created()], record(0, 2), record(1, 2)).givesNothing();
  });

  it('are not taken where those before them are missing', () => {
    when([], record(1, 3)).givesNothing();
    when([come(0, 3)], record(2, 3)).givesNothing();
  });

  it('are of one episode, and begin anew for another under its id', () => {
    when([come(0, 3)], record(1, 3, 5)).givesNothing();
    when([come(0, 3)], record(0, 2, 5), record(1, 2, 5)).gives(come(0, 2, 5), come(1, 2, 5), created(5));
    const { slice: _, ...whole } = { ...record(0, 2, 5), turns: [] };
    when([come(0, 3)], whole).gives(
      { type: 'memory.conversation.imported', data: { episodeId: 'e1', sessionId: 's1', turns: [] } },
      created(5),
    );
  });

  it('are let go after a day without the rest, and may come again', () => {
    const gone: NewEvent = {
      type: 'memory.episodes.expired',
      data: { episodes: [{ episodeId: 'e1', conversationId: null }], next: null },
    };
    given(expireEpisodes, come(0, 3))
      .when({ now: NOW + DAY - 1 })
      .gives({ type: 'memory.episodes.expired', data: { episodes: [], next: NOW + DAY } });
    given(expireEpisodes, come(0, 3))
      .when({ now: NOW + DAY })
      .gives(gone);
    when([come(0, 3), gone], record(1, 3)).givesNothing();
    when([come(0, 3), gone], record(0, 3)).gives(come(0, 3));
  });

  it('are no longer waited for once all are there, or all is erased', () => {
    for (const end of [created(), { type: 'memory.erased', data: {} }])
      assert.deepEqual(fold(userMemory, [come(0, 3), end]).arriving, {});
  });
});

describe('slices', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', '\u0001', '🎈', 'ü', '\n'), maxLength: 300 });
  const turns = fc.array(text.map(said), { maxLength: 12 });

  it.prop([turns, fc.integer({ min: 1, max: 2_000 })])(
    'hold all that was said, cut no character in two, and are as small as they should be',
    (words, most) => {
      const whole: ImportedTurn[] = [];
      const slices = slicesOf(words, most);
      for (const { from, turns } of slices) {
        const bytes = Buffer.byteLength(JSON.stringify(turns));
        // What a turn is beside its text is not counted where there is room for nothing else.
        assert.ok(bytes <= Math.max(most, most / 2 + 100), `${bytes}`);
        for (const { text } of turns) assert.ok(text.isWellFormed());
        addSlice(whole, from, turns);
      }
      assert.deepEqual(whole, words);
      assert.ok(slices.length >= 1);
    },
  );
});

describe('words that came in slices', () => {
  const context = { userId: 'ann', correlationId: 'test' };
  /** Each slice with so many other events after it. */
  const imported = async (between: number) => {
    const store = await Log.open(new MemoryAdapter(), eventCatalog);
    const runner = new StoreCommandRunner({ store, clock: () => NOW, newId: randomUUID });
    const take = (episodes: ImportRecords['episodes'], conclusions: ImportRecords['conclusions'] = []) =>
      runner.run(importRecords, { ...nothing, episodes, conclusions }, context);
    // Of another episode under this id, cut off.
    await take([record(0, 4, 5), record(1, 4, 5)]);
    for (const number of range(0, 3)) {
      await take([record(number, 3)]);
      const others = range(0, between).map((other) => ({
        ...{ episodeId: `other-${number}-${other}`, episode: told(), turns: [said('Something else')] },
      }));
      if (others.length > 0 && number < 2) await take(others);
    }
    return { store, take };
  };

  for (const between of [0, 1, 50])
    it(`are read in their order, with ${between} other things between them`, async () => {
      const { store } = await imported(between);
      for await (const events of store.readStream(memoryStream('ann')))
        for (const event of events)
          if (isEvent(event, episodeCreated) && event.data.episodeId === 'e1')
            assert.deepEqual(await importedWith(store, event), ['0', '1', '2'].map(said));
    });

  it('are told by their numbers in the whole conversation', async () => {
    const { store, take } = await imported(0);
    const stated = { type: 'explicit', confidence: 0.9, by: 'offline', about: null } as const;
    const conclusion = { ...stated, conclusionId: 'k1', text: 'It is so', sources: ['e1'], turnIds: ['1'] };
    await take([], [conclusion]);
    const reasons = await reasonsFor(store, 'ann', 'k1');
    const words = reasons.flatMap(({ summary }) => (summary.includes('said') ? [summary] : []));
    assert.deepEqual(words, ['The user said, in an import: 1']);
  });
});
