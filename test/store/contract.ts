import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { z } from 'zod';
import { isHarkError } from '../../src/errors.ts';
import { defineEvent } from '../../src/events/definition.ts';
import type { RawEvent, StoreAdapter } from '../../src/store/adapter.ts';
import { Log } from '../../src/store/log.ts';
import type { EventBatch, EventReader, LogRange, Store, StreamRange } from '../../src/store/port.ts';
import type { StoredEvent } from '../../src/store/storedEvent.ts';
import { skippedFor } from '../support/skippedFor.ts';
import {
  AT,
  appendOf,
  begin,
  begun,
  count,
  counted,
  forget,
  note,
  noted,
  sampleCatalog,
} from './sampleEvents.ts';

/** A fresh place for a log, which can be opened again as it was left. */
export interface Place {
  open(): Promise<StoreAdapter>;
  dispose(): Promise<void>;
}

interface Kind {
  readonly name: string;
  /** Closed and opened again, it has what it had. */
  readonly outlives: boolean;
  readonly skip?: string | false;
  fresh(): Promise<Place>;
}

/** What every adapter owes to the port, seen through the log that stands on it. */
export function storeContract({ name, outlives, fresh, skip = false }: Kind): void {
  describe(`the store on ${name}`, { ...skippedFor(skip) }, () => {
    let place: Place;
    let adapter: StoreAdapter;
    let store: Store;

    beforeEach(async () => {
      place = await fresh();
      adapter = await place.open();
      store = await Log.open(adapter, sampleCatalog);
    });
    afterEach(async () => {
      // A test that failed half-way may have closed it already.
      await adapter.close().catch(() => undefined);
      await place.dispose();
    });

    describe('appending', () => {
      it('gives positions to all events and versions to those of a stream, from 1 and without a gap', async () => {
        assert.deepEqual(await store.append(count('a', 1)), { position: 1, version: 1, repeated: false });
        assert.deepEqual(await store.append(count('b', 2)), { position: 2, version: 1, repeated: false });
        assert.deepEqual(await store.append(count('a', 3)), { position: 3, version: 2, repeated: false });
        assert.equal(await store.head(), 3);
      });

      for (const [expected, onNew, onOld] of [
        ['any', true, true],
        ['new', true, false],
        ['exists', false, true],
        [0, true, false],
        [2, false, true],
        [1, false, false],
        [3, false, false],
      ] as const) {
        it(`judges ${expected}: a new stream ${onNew}, one of two events ${onOld}`, async () => {
          await store.append(count('old', 1));
          await store.append(count('old', 2));
          assert.equal(await goesThrough(store.append(count('old', 3, { expected }))), onOld);
          assert.equal(await goesThrough(store.append(count('new', 3, { expected }))), onNew);
          assert.equal(await store.head(), 2 + Number(onOld) + Number(onNew));
        });
      }

      it('writes all events of an append next to each other, or none', async () => {
        const three = [1, 2, 3].map((n) => ({ type: counted.type, data: { n } }));
        await Promise.all(
          ['a', 'b', 'c', 'd'].map((stream) => store.append(appendOf(stream, { events: three }))),
        );
        const all = await readAll(store);
        for (const [index, event] of all.entries()) {
          assert.equal(event.version, (index % 3) + 1);
          assert.equal(event.stream, all[index - (index % 3)]?.stream);
        }
        await assert.rejects(store.append(appendOf('a', { events: three, expected: 2 })), conflict);
        assert.equal(await store.head(), 12);
      });

      it('lets one of many win who expect the same version, and loses none that expect nothing', async () => {
        const racers = Array.from({ length: 40 }, (_, n) =>
          goesThrough(store.append(count('raced', n, { expected: 0 }))),
        );
        const others = Array.from({ length: 200 }, (_, n) => store.append(count(`s${n % 7}`, n)));
        const won = (await Promise.all(racers)).filter(Boolean);
        await Promise.all(others);
        assert.equal(won.length, 1);
        const all = await readAll(store);
        assert.deepEqual(
          all.map(({ position }) => position),
          Array.from({ length: 201 }, (_, index) => index + 1),
        );
        for (const stream of new Set(all.map((event) => event.stream))) {
          const versions = all.filter((event) => event.stream === stream).map(({ version }) => version);
          assert.deepEqual(
            versions,
            versions.map((_, index) => index + 1),
          );
        }
      });

      it('answers a command id that it has seen with what it gave the first time', async () => {
        const first = await store.append(count('a', 1, { commandId: 'once' }));
        await store.append(count('a', 2));
        const again = await store.append(count('elsewhere', 9, { commandId: 'once', expected: 'exists' }));
        assert.deepEqual(again, { ...first, repeated: true });
        assert.deepEqual(await store.findCommand('once'), { ...first, repeated: true });
        assert.equal(await store.findCommand('never'), undefined);
        assert.equal(await store.head(), 2);
      });

      it('appends once when the same command id is asked for many times at once', async () => {
        const asked = Array.from({ length: 20 }, () => store.append(count('a', 1, { commandId: 'once' })));
        const answers = await Promise.all(asked);
        assert.equal(answers.filter(({ repeated }) => !repeated).length, 1);
        assert.equal(await store.head(), 1);
      });

      it('remembers no command id of an append that was refused', async () => {
        await assert.rejects(store.append(count('a', 1, { commandId: 'c', expected: 'exists' })), conflict);
        assert.equal((await store.append(count('a', 1, { commandId: 'c' }))).repeated, false);
      });

      it('keeps the whole envelope, and text of any kind', async () => {
        const odd = 'ü 漢字 🙂 "quoted" \\ \n \u0000 \u2028 </script>';
        const events = [{ type: noted.type, data: { note: odd, text: odd, words: 1 } }];
        await store.append(
          appendOf(`notes-${odd}`, { events, userId: odd, correlationId: odd, causationId: odd, at: AT + 5 }),
        );
        const [event] = await readAll(store);
        assert.deepEqual(event?.toJSON(), {
          position: 1,
          id: `notes-${odd}@1`,
          stream: `notes-${odd}`,
          version: 1,
          type: noted.type,
          at: AT + 5,
          userId: odd,
          correlationId: odd,
          causationId: odd,
          data: events[0]?.data,
        });
      });
    });

    describe('reading', () => {
      /** The log that holds what was appended last, and one that was opened later, which asks the adapter. */
      const withAndWithoutMemory = async () => [store, await Log.open(adapter, sampleCatalog)];

      const MANY = 600;
      beforeEach(async () => {
        // Every third event is of stream s0, and so on; users take turns with the system.
        const users = ['ann', 'ben', null, null];
        await Promise.all(
          Array.from({ length: MANY }, (_, n) =>
            store.append(count(`s${n % 3}`, n, { userId: users[n % 4] ?? null })),
          ),
        );
      });

      it('reads everything in order, over many pages', async () => {
        assert.deepEqual(numbers(await readAll(store)), range(0, MANY));
        assert.deepEqual(numbers(await readAll(store, { after: 255, until: 515 })), range(255, 515));
        assert.deepEqual(await readAll(store, { after: MANY }), []);
      });

      it('reads a stream from a version and until a position', async () => {
        for (let n = 0; n < MANY; n++) await store.append(count('long', n));
        assert.deepEqual(numbers(await readStream(store, 'long')), range(0, MANY));
        assert.deepEqual(numbers(await readStream(store, 'long', { fromVersion: 299 })), range(298, MANY));
        for (const log of await withAndWithoutMemory()) {
          const until = { fromVersion: 10, untilPosition: MANY + 300 };
          assert.deepEqual(numbers(await readStream(log, 'long', until)), range(9, 300));
        }
        assert.deepEqual(await readStream(store, 'long', { fromVersion: MANY + 1 }), []);
        assert.deepEqual(await readStream(store, 'unknown'), []);
      });

      it('reads a stream from after a position, over many pages, also where others stand between', async () => {
        const ofStream = range(0, MANY).filter((n) => n % 3 === 1);
        for (const after of [0, 1, 2, 3, 299, 300, 301, MANY - 1, MANY]) {
          const rest = ofStream.filter((n) => n + 1 > after);
          for (const firstPage of [undefined, 1, 100, 1_000]) {
            const page = firstPage === undefined ? {} : { firstPage };
            for (const until of [{}, { untilPosition: MANY }])
              for (const log of await withAndWithoutMemory()) {
                const found = await readStream(log, 's1', { afterPosition: after, ...until, ...page });
                assert.deepEqual(numbers(found), rest, `after ${after}`);
              }
          }
        }
        for (const log of await withAndWithoutMemory()) {
          const within = { fromVersion: 60, afterPosition: 100, untilPosition: 300 };
          assert.deepEqual(numbers(await readStream(log, 's1', within)), ofStream.slice(59, 100));
          const later = { fromVersion: 20, afterPosition: 100, untilPosition: 300 };
          assert.deepEqual(numbers(await readStream(log, 's1', later)), ofStream.slice(33, 100));
          assert.deepEqual(await readStream(log, 's1', { afterPosition: 300, untilPosition: 100 }), []);
          assert.deepEqual(await readStream(log, 'unknown', { afterPosition: 1 }), []);
        }
      });

      it("reads a user's events and the system's, and never another user's", async () => {
        const seen = { ann: [0, 2, 3], ben: [1, 2, 3], nobody: [2, 3] };
        for (const [userId, turns] of Object.entries(seen)) {
          const found = await readAll(store, { after: 0, userId });
          assert.deepEqual(
            numbers(found),
            range(0, MANY).filter((n) => turns.includes(n % 4)),
          );
          for (const event of found) assert.ok(event.userId === null || event.userId === userId);
        }
        const part = await readAll(store, { after: 100, until: 140, userId: 'ann' });
        assert.deepEqual(
          part.map(({ position }) => position).filter((position) => position <= 100 || position > 140),
          [],
        );
        assert.equal(part.length, 30);
      });

      it('hands out only the types that were asked for, and says how far it looked', async () => {
        await store.append(note('ann', 'n1', 'hello'));
        const batches: EventBatch[] = [];
        for await (const batch of store.readAll({ after: 0, types: new Set([noted.type]) }))
          batches.push(batch);
        assert.equal(batches.flatMap(({ events }) => events).length, 1);
        assert.equal(batches.at(-1)?.position, MANY + 1);
      });
    });

    describe('following', () => {
      it('catches up and goes on live, with nothing lost and nothing twice', async () => {
        for (let n = 0; n < 300; n++) await store.append(count('a', n));
        const following = take(store, { after: 0 }, 700);
        await Promise.all(range(300, 700).map((n) => store.append(count(`s${n % 5}`, n))));
        const events = await following;
        assert.deepEqual(
          events.map(({ position }) => position),
          range(1, 701),
        );
      });

      it('starts where it is told to, and hands on only what was asked for', async () => {
        for (let n = 0; n < 10; n++) await store.append(count('a', n));
        const following = take(store, { after: 8, userId: 'ann', types: new Set([counted.type]) }, 3);
        await store.append(count('a', 10, { userId: 'ben' }));
        await store.append(note('ann', 'n', 'other type'));
        await store.append(count('a', 12, { userId: 'ann' }));
        assert.deepEqual(numbers(await following), [8, 9, 12]);
      });

      it('ends when it is aborted, whether it waits or not', async () => {
        const abort = new AbortController();
        const ended = drain(store.follow({ after: 0 }, abort.signal));
        await store.append(count('a', 1));
        abort.abort();
        assert.equal((await ended).length, 1);
        assert.deepEqual(await drain(store.follow({ after: 0 }, abort.signal)), []);
      });

      it('tells listeners of each event once, in order, before the append resolves', async () => {
        const told: number[] = [];
        const unsubscribe = store.onAppended((events) =>
          told.push(...events.map(({ position }) => position)),
        );
        await Promise.all(range(0, 100).map((n) => store.append(count(`s${n % 9}`, n))));
        assert.deepEqual(told, range(1, 101));
        unsubscribe();
        await store.append(count('a', 1));
        assert.equal(told.length, 100);
      });
    });

    describe('personal text', () => {
      it('lies sealed, and beside it what is not personal can be read', async () => {
        await store.append(note('ann', 'n1', 'the secret text'));
        const [raw] = await rawEvents(adapter);
        assert.ok(raw?.sealed);
        assert.deepEqual(JSON.parse(raw.data), { note: 'n1', text: null, words: 3 });
        assert.ok(!Buffer.from(raw.sealed).includes('secret'));
        assert.deepEqual(await texts(store), ['the secret text']);
      });

      it('is unreadable everywhere once its subject is forgotten, and other text is not', async () => {
        const delivered: StoredEvent[] = [];
        store.onAppended((events) => delivered.push(...events));
        await store.append(note('ann', 'n1', 'to forget'));
        await store.append(note('ann', 'n2', 'to keep'));
        await store.append(note('ben', 'n1', 'of somebody else'));
        assert.equal(delivered[0]?.erased, false);
        await store.append(forget('ann', 'n1'));
        assert.deepEqual(await texts(store), [null, 'to keep', 'of somebody else']);
        assert.deepEqual(textsOf(delivered), [null, 'to keep', 'of somebody else']);
        assert.equal(delivered[0]?.erased, true);
        assert.deepEqual(delivered[0]?.toJSON().data, { note: 'n1', text: null, words: 2 });
        const anew = await Log.open(adapter, sampleCatalog);
        assert.deepEqual(await texts(anew), [null, 'to keep', 'of somebody else']);
      });

      it('all of a user goes with *, and nothing of others', async () => {
        await store.append(note('ann', 'n1', 'one'));
        await store.append(note('ann', 'n2', 'two'));
        await store.append(note('anna', 'n1', 'a longer name'));
        await store.append(forget('ann', '*'));
        assert.deepEqual(await texts(store), [null, null, 'a longer name']);
        assert.equal((await adapter.exportKeys()).length, 1);
      });

      it('can be written anew under a forgotten subject, while the old stays erased', async () => {
        await store.append(note('ann', 'n1', 'old'));
        await store.append(forget('ann', 'n1'));
        await store.append(note('ann', 'n1', 'new'));
        assert.deepEqual(await texts(store), [null, 'new']);
        assert.deepEqual(await texts(await Log.open(adapter, sampleCatalog)), [null, 'new']);
      });

      it('that begins under a subject is sealed with the key that this has after all', async () => {
        const other = await Log.open(adapter, sampleCatalog);
        for (const log of [store, other])
          await log.append(begin('ann', `n${log === store ? 1 : 2}`, 'known'));
        await other.append(note('ann', 'n3', 'before'));
        await store.append(begin('ann', 'n3', 'begun'));
        await other.append(note('ann', 'n3', 'after'));
        const told = ['known', 'known', 'before', 'begun', 'after'];
        for (const log of [store, other, await Log.open(adapter, sampleCatalog)])
          assert.deepEqual(await texts(log), told);
        assert.equal((await adapter.exportKeys()).length, 3);
        await other.append(forget('ann', 'n3'));
        for (const log of [other, await Log.open(adapter, sampleCatalog)])
          assert.deepEqual(await texts(log), ['known', 'known', null, null, null]);
      });

      it('that begins under a subject is readable also when another process had something forgotten', async () => {
        const other = await Log.open(adapter, sampleCatalog);
        await store.append(begin('ann', 'n1', 'one'));
        await other.append(begin('ann', 'n2', 'two'));
        await other.append(forget('ann', 'n1'));
        await store.append(begin('ann', 'n1', 'anew'));
        await store.append(begin('ann', 'n3', 'three'));
        for (const log of [store, other, await Log.open(adapter, sampleCatalog)])
          assert.deepEqual(await texts(log), [null, 'two', 'anew', 'three']);
      });

      it('is written under a new key when another process forgot the one that is held here', async () => {
        const other = await Log.open(adapter, sampleCatalog);
        await store.append(note('ann', 'n1', 'old'));
        assert.deepEqual(await texts(other), ['old']);
        await store.append(forget('ann', 'n1'));
        await other.append(note('ann', 'n1', 'new'));
        assert.deepEqual(await texts(other), [null, 'new']);
        assert.deepEqual(await texts(store), [null, 'new']);
      });

      it('that goes on from what another process forgot is refused, when word of that has arrived', async () => {
        const other = await Log.open(adapter, sampleCatalog);
        const more = () =>
          other.append({ ...note('ann', 'n1', 'more'), heard: other.delivered, continues: true });
        await store.append(note('ann', 'n1', 'old'));
        assert.deepEqual(await texts(other), ['old']);
        await more();
        const { position } = await store.append(forget('ann', 'n1'));
        await assert.rejects(more(), { code: 'CONFLICT' });
        assert.ok(other.delivered >= position);
        await assert.rejects(more(), { code: 'CONFLICT' });
        await store.append(note('ann', 'n1', 'new'));
        await more();
        assert.deepEqual(await texts(store), [null, null, 'new', 'more']);
      });

      it('that goes on from what was forgotten is refused, though the new key was found before word of that', async () => {
        const other = await Log.open(adapter, sampleCatalog);
        await store.append(note('ann', 'n1', 'old'));
        assert.deepEqual(await texts(other), ['old']);
        const heard = other.delivered;
        const { position } = await store.append(forget('ann', 'n1'));
        await store.append(note('ann', 'n1', 'new'));
        assert.equal((await texts(other)).at(-1), 'new');
        const more = (heard: number) =>
          other.append({ ...note('ann', 'n1', 'more'), heard, continues: true });
        await assert.rejects(more(heard), { code: 'CONFLICT' });
        assert.ok(other.delivered >= position);
        await more(other.delivered);
        assert.deepEqual(await texts(store), [null, 'new', 'more']);
      });

      it('that was decided on before all was forgotten is refused, and may begin a key after that', async () => {
        const other = await Log.open(adapter, sampleCatalog);
        for (const before of ['known', 'unknown']) {
          if (before === 'known') await other.append(note('ann', 'n1', 'old'));
          const heard = other.delivered;
          const { position } = await store.append(forget('ann', '*'));
          const more = (heard: number) => other.append({ ...note('ann', 'n1', 'more'), heard });
          await assert.rejects(more(heard), { code: 'CONFLICT' });
          assert.ok(other.delivered >= position);
          await more(other.delivered);
          await store.append(forget('ann', '*'));
          await other.head();
        }
      });

      it('reads right where another process forgot and wrote anew, before word of it arrives', async () => {
        const other = await Log.open(adapter, sampleCatalog);
        await store.append(note('ann', 'n1', 'old'));
        assert.deepEqual(await texts(other), ['old']);
        await store.append(forget('ann', 'n1'));
        await store.append(note('ann', 'n1', 'new'));
        assert.equal((await texts(other)).at(-1), 'new');
      });

      it('shares one key when several processes write the first text of a subject at once', async () => {
        const others = [
          store,
          await Log.open(adapter, sampleCatalog),
          await Log.open(adapter, sampleCatalog),
        ];
        await Promise.all(
          others.flatMap((log, index) =>
            range(0, 5).map((n) => log.append(note('ann', 'n1', `text ${index} ${n}`))),
          ),
        );
        assert.equal((await adapter.exportKeys()).length, 1);
        assert.ok((await texts(store)).every((text) => text !== null));
      });

      it('does not come back with an append that was under way when its first key was destroyed', async () => {
        // None waits for the one before: the third is sealed before the first has been answered.
        await Promise.all([
          store.append(note('ann', 'n1', 'old')),
          store.append(forget('ann', 'n1')),
          store.append(note('ann', 'n1', 'new')),
        ]);
        const events = await readAll(store);
        const forgetAt = events.find(({ type }) => type !== noted.type)?.position ?? 0;
        for (const event of events.filter(({ type }) => type === noted.type))
          assert.equal(event.erased, event.position < forgetAt);
      });
    });

    describe('snapshots', () => {
      const key = { owner: 'ann', name: 'state' };
      const taken = { version: 1, position: 0, state: { text: 'the secret text', list: [1, 2] } };

      it('that do not read back are none', async () => {
        const half = { version: 1, position: 0, state: Buffer.from('{"text":"the se') };
        for (const owner of [null, 'ann']) {
          await adapter.saveSnapshot({ owner, name: 'damaged' }, half, null);
          assert.equal(await store.loadSnapshot({ owner, name: 'damaged' }, 1), undefined);
        }
      });

      it('come back as they were saved, the newest only', async () => {
        assert.equal(await store.loadSnapshot(key, 1), undefined);
        await store.saveSnapshot(key, taken);
        await store.saveSnapshot(key, { ...taken, position: 4 });
        await store.saveSnapshot({ owner: null, name: 'state' }, { ...taken, state: ['system'] });
        assert.deepEqual(await store.loadSnapshot(key, 1), { ...taken, position: 4 });
        assert.deepEqual(await store.loadSnapshot({ owner: null, name: 'state' }, 1), {
          ...taken,
          state: ['system'],
        });
        assert.equal(await store.loadSnapshot({ owner: 'ben', name: 'state' }, 1), undefined);
      });

      it('are of one moment, or none, however large they are', async () => {
        const list = Array.from({ length: 500_000 }, (_, index) => index);
        assert.equal(await store.saveSnapshot(key, { ...taken, state: { list } }, () => false), false);
        assert.equal(await store.loadSnapshot(key, 1), undefined);
        assert.equal(await store.saveSnapshot(key, { ...taken, state: { list } }, () => true), true);
        assert.deepEqual(await store.loadSnapshot(key, 1), { ...taken, state: { list } });
      });

      it('of another version are none', async () => {
        await store.saveSnapshot(key, taken);
        assert.equal(await store.loadSnapshot(key, 2), undefined);
      });

      it('lie sealed', async () => {
        await store.saveSnapshot(key, taken);
        const raw = await adapter.loadSnapshot(key);
        assert.ok(raw && !Buffer.from(raw.state).includes('secret'));
      });

      it('go with any forget of their owner, and so do those of the system', async () => {
        const systems = { owner: null, name: 'state' };
        const bens = { owner: 'ben', name: 'state' };
        await store.append(note('ann', 'n1', 'text'));
        for (const each of [key, systems, bens]) await store.saveSnapshot(each, { ...taken, position: 1 });
        await store.append(forget('ann', 'n1'));
        assert.equal(await store.loadSnapshot(key, 1), undefined);
        assert.equal(await store.loadSnapshot(systems, 1), undefined);
        assert.ok(await store.loadSnapshot(bens, 1));
      });

      it('from before a forget come too late after it', async () => {
        const systems = { owner: null, name: 'state' };
        await store.append(note('ann', 'n1', 'text'));
        await store.append(forget('ann', 'n1'));
        for (const each of [key, systems]) {
          await store.saveSnapshot(each, { ...taken, position: 1 });
          assert.equal(await store.loadSnapshot(each, 1), undefined);
          await store.saveSnapshot(each, { ...taken, position: 2 });
          assert.ok(await store.loadSnapshot(each, 1));
        }
      });

      it('may be bytes, of which it is told whether they are kept', async () => {
        const bytes = { version: 1, position: 1, state: Uint8Array.from({ length: 100_000 }, (_, at) => at) };
        assert.equal(await store.loadBytes(key, 1), undefined);
        await store.append(note('ann', 'n1', 'text'));
        assert.equal(await store.saveBytes(key, bytes), true);
        const loaded = await store.loadBytes(key, 1);
        assert.deepEqual(new Uint8Array(loaded?.state ?? []), bytes.state);
        assert.equal(loaded?.position, 1);
        assert.equal(await store.loadBytes(key, 2), undefined);
        const raw = await adapter.loadSnapshot(key);
        assert.ok(raw && !Buffer.from(raw.state).includes(Buffer.from(bytes.state.subarray(0, 100))));
        const damaged = Uint8Array.from(raw.state, (byte, at) => (at === 5_000 ? byte ^ 1 : byte));
        await adapter.saveSnapshot(key, { ...raw, state: damaged }, null);
        assert.equal(await store.loadBytes(key, 1), undefined);
        await store.saveBytes(key, bytes);
        await store.append(forget('ann', 'n1'));
        assert.equal(await store.loadBytes(key, 1), undefined);
        assert.equal(await store.saveBytes(key, bytes), false);
        assert.equal(await store.saveBytes(key, { ...bytes, position: 2 }), true);
      });

      it('can be saved again after the key of their owner went', async () => {
        await store.saveSnapshot(key, taken);
        await store.append(forget('ann', '*'));
        await store.saveSnapshot(key, { ...taken, position: 1 });
        assert.ok(await store.loadSnapshot(key, 1));
      });
    });

    describe('cursors', () => {
      it('move only from where they were read', async () => {
        const start = await store.readCursor('c');
        assert.deepEqual(start, { position: 0, token: 0 });
        const moved = await store.moveCursor('c', start, 5);
        assert.ok(moved);
        assert.deepEqual(await store.readCursor('c'), moved);
        assert.equal(moved.position, 5);
        assert.equal(await store.moveCursor('c', start, 6), undefined);
        assert.ok(await store.moveCursor('c', moved, 7));
        assert.equal((await store.readCursor('c')).position, 7);
        assert.equal(await store.moveCursor('unknown', moved, 7), undefined);
      });

      it('are moved by one of many who try at once', async () => {
        const start = await store.readCursor('c');
        const moves = await Promise.all(range(1, 20).map((to) => store.moveCursor('c', start, to)));
        assert.equal(moves.filter(Boolean).length, 1);
      });
    });

    describe('leases', () => {
      const HOUR = 3_600_000;

      it('have one holder, who may hold on, and a fence that grows with each new one', async () => {
        const held = await store.acquireLease('l', 'one', HOUR);
        assert.ok(held);
        assert.equal(await store.acquireLease('l', 'two', HOUR), undefined);
        const renewed = await store.acquireLease('l', 'one', HOUR);
        assert.equal(renewed?.fence, held.fence);
        await store.releaseLease(held);
        const next = await store.acquireLease('l', 'two', HOUR);
        assert.ok(next && next.fence > held.fence);
        await store.releaseLease(held);
        assert.equal(await store.acquireLease('l', 'one', HOUR), undefined);
      });

      it('end by themselves', async () => {
        const held = await store.acquireLease('l', 'one', 0);
        const next = await store.acquireLease('l', 'two', HOUR);
        assert.ok(held && next && next.fence > held.fence);
        await store.releaseLease(next);
        const again = await store.acquireLease('l', 'two', HOUR);
        assert.ok(again && again.fence > next.fence);
      });

      it('go to one of many who ask at once', async () => {
        const asked = range(0, 20).map((n) => store.acquireLease('l', `holder ${n}`, HOUR));
        assert.equal((await Promise.all(asked)).filter(Boolean).length, 1);
      });
    });

    it('gives out as many tokens as a bucket holds, and says when the next one comes', async () => {
      const perMs = 1 / 3_600_000;
      const taken = [];
      for (let n = 0; n < 5; n++) taken.push(await store.takeTokens('b', 3, perMs, 1));
      assert.deepEqual(
        taken.map(({ allowed, remaining }) => [allowed, remaining]),
        [
          [true, 2],
          [true, 1],
          [true, 0],
          [false, 0],
          [false, 0],
        ],
      );
      const wait = taken.at(-1)?.retryAfterMs ?? 0;
      assert.ok(wait > 3_500_000 && wait <= 3_600_001, `${wait}`);
      assert.equal(taken[0]?.retryAfterMs, 0);
      assert.equal((await store.takeTokens('another', 3, perMs, 1)).remaining, 2);
      // Who only looks takes none.
      for (const [bucket, left] of [
        ['another', 2],
        ['b', 0],
        ['untouched', 3],
      ] as const)
        assert.deepEqual(await store.takeTokens(bucket, 3, perMs, 0), {
          allowed: true,
          remaining: left,
          retryAfterMs: 0,
        });
    });

    describe('what the log says of itself', () => {
      it('has an identity of its own', async () => {
        const id = await logIdOf(adapter);
        assert.match(id, /^[0-9a-f-]{36}$/);
        await Log.open(adapter, sampleCatalog);
        assert.equal(await logIdOf(adapter), id);
        const status = await store.status();
        assert.equal(status.connected, true);
        // A number alone; what is only in memory has none.
        assert.match(status.version, /^(\d+(\.\d+)*)?$/);
      });

      it('refuses a hark that does not know a shape it was told of', async () => {
        const newer = defineEvent(counted.type, { version: 2, data: () => z.object({ n: z.number() }) });
        await Log.open(adapter, [newer, ...sampleCatalog.slice(1)]);
        await assert.rejects(Log.open(adapter, sampleCatalog), (error) => isHarkError(error, 'LOG_NEWER'));
        await assert.rejects(Log.open(adapter, [newer]), (error) => isHarkError(error, 'LOG_NEWER'));
      });
    });

    if (outlives)
      it('has after closing and opening what it had before', async () => {
        await store.append(note('ann', 'n1', 'kept', { commandId: 'c' }));
        await store.append(note('ann', 'n2', 'gone'));
        await store.append(forget('ann', 'n2'));
        const moved = await store.moveCursor('c', await store.readCursor('c'), 2);
        await store.saveSnapshot({ owner: 'ann', name: 's' }, { version: 1, position: 3, state: 'state' });
        const before = JSON.stringify(await readAll(store));
        const id = await logIdOf(adapter);
        await store.close();

        adapter = await place.open();
        store = await Log.open(adapter, sampleCatalog);
        assert.equal(JSON.stringify(await readAll(store)), before);
        assert.equal(await logIdOf(adapter), id);
        assert.deepEqual(await store.readCursor('c'), moved);
        assert.equal((await store.loadSnapshot({ owner: 'ann', name: 's' }, 1))?.state, 'state');
        assert.equal((await store.append(note('ann', 'n1', 'x', { commandId: 'c' }))).repeated, true);
        assert.deepEqual(await store.append(note('ann', 'n1', 'more', { expected: 3 })), {
          position: 4,
          version: 4,
          repeated: false,
        });
        assert.deepEqual(await texts(store), ['kept', null, 'more']);
      });

    it('takes in none of a page of events that do not follow each other', async () => {
      await store.append(count('s', 1));
      await store.append(count('s', 2));
      const [first, second] = await rawEvents(adapter);
      assert.ok(first && second);
      await store.close();
      await place.dispose();

      place = await fresh();
      adapter = await place.open();
      await assert.rejects(adapter.importEvents([first, { ...second, position: 1 }]));
      store = await Log.open(adapter, sampleCatalog);
      assert.equal(await store.head(), 0);
      assert.equal((await store.append(count('s', 1, { expected: 'new' }))).position, 1);
    });

    it('takes in what another exported, and nothing when it is not empty', async () => {
      await store.append(note('ann', 'n1', 'kept', { commandId: 'c' }));
      await store.append(count('s', 1));
      await store.moveCursor('c', await store.readCursor('c'), 1);
      const [events, beside, kept] = [
        await rawEvents(adapter),
        await adapter.exportBeside(),
        await adapter.exportKeys(),
      ];
      assert.equal(kept.length, 1);
      assert.equal(beside.commands.length, 1);
      const refused = (error: unknown) => isHarkError(error, 'TARGET_EXISTS');
      await assert.rejects(adapter.importEvents(events), refused);
      await store.close();
      await place.dispose();

      place = await fresh();
      adapter = await place.open();
      await adapter.importEvents(events);
      await adapter.importBeside(beside, kept);
      store = await Log.open(adapter, sampleCatalog);
      assert.equal(await logIdOf(adapter), beside.meta.logId);
      assert.deepEqual(await rawEvents(adapter), events);
      assert.deepEqual(await texts(store), ['kept']);
      assert.equal((await readStream(store, 'notes-ann')).length, 1);
      assert.equal((await store.readCursor('c')).position, 1);
      assert.equal((await store.append(count('s', 2, { commandId: 'c' }))).repeated, true);
      assert.deepEqual(await store.append(count('s', 2, { expected: 1 })), {
        position: 3,
        version: 2,
        repeated: false,
      });
      assert.equal((await readAll(store, { after: 0, userId: 'ann' })).length, 3);
    });
  });
}

function conflict(error: unknown): boolean {
  return isHarkError(error, 'CONFLICT');
}

/** False for a conflict; any other error is one. */
async function goesThrough(appending: Promise<unknown>): Promise<boolean> {
  try {
    await appending;
    return true;
  } catch (error) {
    if (conflict(error)) return false;
    throw error;
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

/** Identity of a log: another one at the same address (a lost or restored disk) has another. */
export async function logIdOf(adapter: StoreAdapter): Promise<string> {
  return (await adapter.readMeta()).logId ?? '';
}
export async function readAll(store: EventReader, range: LogRange = { after: 0 }): Promise<StoredEvent[]> {
  return drain(store.readAll(range));
}

async function readStream(store: EventReader, stream: string, range?: StreamRange): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for await (const events of store.readStream(stream, range)) found.push(...events);
  return found;
}

async function drain(batches: AsyncIterable<EventBatch>): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for await (const { events } of batches) found.push(...events);
  return found;
}

/** Follows until that many events have come. */
export async function take(store: EventReader, range: LogRange, wanted: number): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  const enough = new AbortController();
  for await (const { events } of store.follow(range, enough.signal)) {
    found.push(...events);
    if (found.length >= wanted) enough.abort();
  }
  return found;
}

function rawEvents(adapter: StoreAdapter): Promise<RawEvent[]> {
  return adapter.readAll({ after: 0, until: Number.MAX_SAFE_INTEGER, limit: 10_000 });
}

function numbers(events: readonly StoredEvent[]): number[] {
  return events.map(({ data }) => counted.data.parse(data).n);
}

function textsOf(events: readonly StoredEvent[]): (string | null)[] {
  const written = events.filter(({ type }) => type === noted.type || type === begun.type);
  return written.map(({ data }) => begun.data.parse(data).text);
}

export async function texts(store: EventReader): Promise<(string | null)[]> {
  return textsOf(await readAll(store));
}
