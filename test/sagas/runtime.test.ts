import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { HarkError, isHarkError } from '../../src/errors.ts';
import { workAbandoned } from '../../src/events/system.ts';
import { modelsAway } from '../../src/sagas/retryPolicy.ts';
import type { SagaRuntime } from '../../src/sagas/runtime.ts';
import { TryAgainLater } from '../../src/sagas/saga.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';
import { readAll, take } from '../store/contract.ts';
import { count } from '../store/sampleEvents.ts';
import { add } from '../support/counting.ts';
import { mortalAdapter } from '../support/mortalAdapter.ts';
import { range } from '../support/range.ts';
import { replaceableAdapter } from '../support/replaceableAdapter.ts';
import {
  begun,
  cursorAt,
  PassingTime,
  runtimeOn,
  sagaCatalog,
  sagaOf,
  standstill,
  Witness,
} from '../support/sagas.ts';
import { WatchedAdapter } from '../support/watchedAdapter.ts';

const HOUR = 3_600_000;

describe('the saga runtime', () => {
  let adapter: WatchedAdapter;
  let log: Log;
  const running: SagaRuntime[] = [];

  beforeEach(async () => {
    // By a clock that stands still no lease is lost, however long the machine stalls.
    adapter = new WatchedAdapter(() => 0);
    log = await Log.open(adapter, sagaCatalog);
    await begun(log);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((runtime) => runtime.stop()));
  });

  function start(...given: Parameters<typeof runtimeOn>): SagaRuntime {
    const runtime = runtimeOn(...given);
    running.push(runtime);
    runtime.start();
    return runtime;
  }

  describe('answers', () => {
    it('events of one key in order, one at a time, and those of other keys meanwhile', async () => {
      const seen = new Witness<string>();
      const held = Promise.withResolvers<void>();
      const saga = sagaOf(async ({ stream }, _reaction, n) => {
        seen.add(`${stream}${n} begins`);
        if (stream === 'a' && n === 2) await held.promise;
        seen.add(`${stream}${n} ends`);
      });
      start(log, saga);
      const ofA = () => seen.items.filter((item) => item.startsWith('a'));
      await Promise.all([1, 2].map((n) => log.append(count('a', n))));
      await seen.until((items) => items.includes('a2 begins'));
      await log.append(count('a', 3));
      await Promise.all([1, 2].map((n) => log.append(count('b', n))));
      await seen.until((items) => items.includes('b2 ends'));
      assert.deepEqual(ofA(), ['a1 begins', 'a1 ends', 'a2 begins']);
      held.resolve();
      await seen.count(10);
      assert.deepEqual(ofA().slice(3), ['a2 ends', 'a3 begins', 'a3 ends']);
    });

    it('no more than 32 at a time', async () => {
      let under = 0;
      let most = 0;
      const begun = new Witness<() => void>();
      const saga = sagaOf(async () => {
        most = Math.max(most, ++under);
        await new Promise<void>((resolve) => begun.add(resolve));
        under--;
      });
      start(log, saga);
      await Promise.all(range(0, 100).map((n) => log.append(count(`s${n}`, n))));
      for (const n of range(0, 100)) {
        await begun.count(Math.min(n + 32, 100));
        begun.items[n]?.();
      }
      await cursorAt(log, 'sample', 100);
      assert.equal(most, 32);
    });

    it('other keys, however many events wait behind one that is slow', async () => {
      const held = Promise.withResolvers<void>();
      const quick = new Witness<number>();
      const saga = sagaOf(async ({ stream }, _reaction, n) => {
        if (stream === 'slow') await held.promise;
        else quick.add(n);
      });
      start(log, saga);
      await Promise.all(range(0, 200).map((n) => log.append(count('slow', n))));
      await Promise.all(range(0, 50).map((n) => log.append(count('quick', n))));
      assert.deepEqual(await quick.count(50), range(0, 50));
      held.resolve();
      await cursorAt(log, 'sample', 250);
    });

    it('only what it handles, and only what came after it was first there', async () => {
      const other = await Log.open(new MemoryAdapter(), sagaCatalog);
      await other.append(count('a', 1));
      const seen = new Witness<number>();
      start(
        other,
        sagaOf((_event, _reaction, n) => seen.add(n)),
      );
      await cursorAt(other, 'sample', 1);
      await other.append(count('a', 2));
      assert.deepEqual(await seen.count(1), [2]);
    });

    it('events of one user alone, where it is of one, from the place that it names on', async () => {
      const seen = new Witness<number>();
      const { position: since } = await log.append(count('a', 1, { userId: 'ann' }));
      await log.append(count('a', 2, { userId: 'ann' }));
      await log.append(count('b', 3, { userId: 'bob' }));
      const saga = sagaOf((_event, _reaction, n) => seen.add(n));
      start(log, { ...saga, name: 'of one user', range: { userId: 'ann', since } });
      await seen.count(1);
      await log.append(count('b', 4, { userId: 'bob' }));
      await log.append(count('a', 5, { userId: 'ann' }));
      assert.deepEqual(await seen.count(2), [2, 5]);
    });

    it('with commands that follow from the event, each once however often it answers', async () => {
      const answered = new Witness<number>();
      const saga = sagaOf(async ({ stream }, { run, failures }) => {
        const outcome = await run(add, { to: `${stream}-answer`, n: 1 }, { step: 'first' });
        await run(add, { to: `${stream}-answer`, n: 1 }, { step: 'second' });
        assert.equal(outcome.repeated, failures > 0);
        if (failures < 2) throw new Error('only now');
        answered.add(failures);
      });
      start(log, saga);
      await log.append(count('a', 1, { userId: 'ann', correlationId: 'the cause' }));
      await answered.count(1);
      const [cause, ...answers] = await readAll(log);
      assert.equal(answers.length, 2);
      for (const answer of answers) {
        assert.equal(answer.causationId, cause?.id);
        assert.equal(answer.correlationId, 'the cause');
        assert.equal(answer.userId, 'ann');
      }
    });
  });

  describe('when an answer fails', () => {
    it('tries five times, then says that it gives up, and the key goes on', async () => {
      const tries: number[] = [];
      const told: unknown[] = [];
      const answered = new Witness<number>();
      const saga = sagaOf((_event, { failures }, n) => {
        if (n === 2) answered.add(n);
        if (n !== 1) return;
        tries.push(failures);
        throw new HarkError('BAD_REQUEST', { message: 'no good' });
      });
      start(log, saga, { onFailure: (name, error) => told.push([name, String(error)]) });
      const { position } = await log.append(count('a', 1, { correlationId: 'the cause' }));
      await log.append(count('a', 2));
      await answered.count(1);
      assert.deepEqual(tries, [0, 1, 2, 3, 4]);
      assert.deepEqual(told, Array(5).fill(['sample', 'HarkError: no good']));
      const abandoned = (await readAll(log)).filter(({ type }) => type === workAbandoned.type);
      assert.deepEqual(
        abandoned.map(({ data, correlationId, causationId }) => ({ data, correlationId, causationId })),
        [
          {
            data: { saga: 'sample', position, attempts: 5, code: 'BAD_REQUEST' },
            correlationId: 'the cause',
            causationId: 'a@1',
          },
        ],
      );
      await log.append(count('a', 3));
      await cursorAt(log, 'sample', 4);
    });

    it('holds up nobody else while it waits to be tried again', async () => {
      const order = new Witness<string>();
      const saga = sagaOf(({ stream }) => {
        order.add(stream);
        if (stream !== 'good') throw new Error('not yet');
      });
      start(log, saga, { scheduler: standstill() });
      await Promise.all(range(0, 40).map((n) => log.append(count(`bad${n}`, n))));
      await log.append(count('good', 1));
      await order.until((items) => items.includes('good'));
      assert.equal(order.items.length, 41);
    });

    it('with a fault that is no word of ours, says no more than that', async () => {
      const failing = sagaOf(() => {
        throw new Error('a text that may be personal');
      });
      start(log, failing);
      await log.append(count('a', 1));
      const [, abandoned] = await take(log, { after: 0 }, 2);
      assert.deepEqual(abandoned?.data, { saga: 'sample', position: 1, attempts: 5, code: 'INTERNAL' });
    });

    it('because it is too early, tries again as often as it takes', async () => {
      const answered = new Witness<number>();
      let tries = 0;
      const saga = sagaOf((_event, { failures }) => {
        if (++tries < 20) throw new TryAgainLater(1);
        answered.add(failures);
      });
      start(log, saga);
      await log.append(count('a', 1));
      assert.deepEqual(await answered.count(1), [0]);
      assert.equal(await log.head(), 1);
    });

    it('because what it needs is away, waits half a minute and more, and gives nothing up', async () => {
      const answered = new Witness<number>();
      const told: unknown[] = [];
      const triedAt: number[] = [];
      const scheduler = new PassingTime();
      const react = (_event: unknown, { failures }: { failures: number }) => {
        triedAt.push(scheduler.now());
        if (triedAt.length <= 8) throw new HarkError('MODEL_UNAVAILABLE');
        answered.add(failures);
      };
      const saga = sagaOf(react, 'sample', { tries: 2, firstPauseMs: 100, awaits: modelsAway });
      start(log, saga, { onFailure: (name) => told.push(name), scheduler });
      await log.append(count('a', 1));
      assert.deepEqual(await answered.count(1), [0]);
      const minutes = triedAt.slice(1).map((at, index) => (at - (triedAt[index] ?? 0)) / 60_000);
      assert.deepEqual(minutes, [0.5, 1, 2, 4, 8, 10, 10, 10]);
      assert.deepEqual(told, ['sample'], 'and tells of it once');
    });

    it('for a reason that will not pass, tries no more', async () => {
      let tries = 0;
      const react = () => {
        tries++;
        throw new HarkError('REQUEST_REFUSED');
      };
      start(log, sagaOf(react, 'sample', { tries: 5, firstPauseMs: 100, hopeless: ['REQUEST_REFUSED'] }));
      await log.append(count('a', 1));
      const [, abandoned] = await take(log, { after: 0 }, 2);
      assert.partialDeepStrictEqual(abandoned?.data, { attempts: 1, code: 'REQUEST_REFUSED' });
      assert.equal(tries, 1);
    });

    for (const code of ['KVSTORE_UNAVAILABLE', 'STORAGE_FULL'] as const) {
      it(`because of the store (${code}), tries again as often as it takes`, async () => {
        const answered = new Witness<number>();
        let tries = 0;
        const saga = sagaOf((_event, { failures }) => {
          if (++tries < 8) throw new HarkError(code);
          answered.add(failures);
        });
        start(log, saga);
        await log.append(count('a', 1));
        assert.deepEqual(await answered.count(1), [0]);
      });
    }

    it('and the store is away when it would give up, gives up when that is back', async () => {
      const tried = new Witness<string>();
      const saga = sagaOf((_event, _reaction, n) => {
        tried.add(`try ${n}`);
        if (n === 1) throw new Error('no good');
      });
      adapter.before = (name, append) => {
        const isOurs = typeof append === 'object' && append !== null && 'stream' in append && append.stream;
        if (name !== 'append' || isOurs !== 'saga-sample') return;
        tried.add('say so');
        if (tried.items.filter((item) => item === 'say so').length < 4)
          throw new HarkError('KVSTORE_UNAVAILABLE');
      };
      start(log, saga);
      await log.append(count('a', 1));
      await log.append(count('a', 2));
      await tried.until((items) => items.includes('try 2'));
      assert.deepEqual(tried.items, [...Array(5).fill('try 1'), ...Array(4).fill('say so'), 'try 2']);
    });
  });

  describe('its cursor', () => {
    const movedTo = () => adapter.calls.flatMap(({ name, args }) => (name === 'moveCursor' ? [args[2]] : []));

    it('stands before the oldest event that is not answered', async () => {
      const held = Promise.withResolvers<void>();
      const answered = new Witness<string>();
      const saga = sagaOf(async ({ id, stream }) => {
        if (stream === 'slow') await held.promise;
        answered.add(id);
      });
      for (const stream of ['quick', 'slow', 'quick', 'quick']) await log.append(count(stream, 1));
      adapter.calls.length = 0;
      start(log, saga);
      await answered.count(3);
      await cursorAt(log, 'sample', 1);
      held.resolve();
      await cursorAt(log, 'sample', 4);
      assert.deepEqual(movedTo(), [1, 4]);
    });

    it('passes by what is none of its business, in large steps', async () => {
      start(
        log,
        sagaOf(() => {}),
      );
      const forgotten = { type: 'sample.note.forgotten', data: { notes: [] } };
      await log.append({ ...count('a', 0), events: Array.from({ length: 1_000 }, () => forgotten) });
      await cursorAt(log, 'sample', 1_000);
    });
  });

  describe('that is stopped', () => {
    it('notes what it has answered, breaks off the rest, and that is done at the next start', async () => {
      const seen = new Witness<string>();
      const saga = sagaOf(async ({ stream }, { signal }) => {
        seen.add(stream);
        if (stream === 'never' && seen.items.length < 4) await aborted(signal);
        if (signal.aborted) throw new Error('broken off');
      });
      const runtime = start(log, saga);
      for (const [before, stream] of ['a', 'b', 'never'].entries()) {
        await log.append(count(stream, 1));
        await seen.count(before + 1);
      }
      await runtime.stop();
      assert.equal((await log.readCursor('sample')).position, 2);
      start(log, saga);
      await cursorAt(log, 'sample', 3);
      assert.deepEqual(seen.items, ['a', 'b', 'never', 'never']);
      assert.equal(await log.head(), 3);
    });

    for (const [what, react] of [
      [
        'is tried again in an hour',
        () => {
          throw new TryAgainLater(HOUR);
        },
      ],
      ['waits for its signal', (signal: AbortSignal) => aborted(signal)],
      [
        'fails',
        () => {
          throw new Error('no good');
        },
      ],
    ] as const) {
      it(`waits for nothing that ${what}`, async () => {
        const seen = new Witness<number>();
        const saga = sagaOf((_event, { signal }, n) => {
          seen.add(n);
          return react(signal);
        });
        const runtime = start(log, saga, { scheduler: standstill() });
        await Promise.all(range(0, 1_200).map((n) => log.append(count('a', n))));
        await Promise.all(range(0, 100).map((n) => log.append(count(`s${n}`, n))));
        await seen.count(1);
        await runtime.stop();
        assert.equal((await log.readCursor('sample')).position, 0);
        assert.ok(await log.acquireLease('saga-sample', 'somebody else', HOUR));
      });
    }

    it('waits for what cannot be broken off, before anybody else has the lease', async () => {
      const held = Promise.withResolvers<void>();
      const seen = new Witness<string>();
      const saga = sagaOf(async () => {
        seen.add('begins');
        await held.promise;
        seen.add('ends');
      });
      const runtime = start(log, saga);
      await log.append(count('a', 1));
      await seen.count(1);
      const stopped = runtime.stop().then(() => seen.add('stopped'));
      // Far more turns than it takes to stop where nothing is waited for.
      for (let turns = 0; turns < 50; turns++) await nextTurn();
      assert.equal(await log.acquireLease('saga-sample', 'somebody else', HOUR), undefined);
      held.resolve();
      await stopped;
      assert.deepEqual(seen.items, ['begins', 'ends', 'stopped']);
    });

    it('before it had the lease', async () => {
      assert.ok(await log.acquireLease('saga-sample', 'somebody else', HOUR));
      await start(
        log,
        sagaOf(() => {}),
      ).stop();
    });
  });

  describe('in a process that is killed', () => {
    it('leaves what it had begun to the next, whose commands are made once', async () => {
      const first = mortalAdapter(adapter);
      const half = new Witness<string>();
      const saga = sagaOf(async ({ stream }, { run, signal }) => {
        await run(add, { to: `${stream}-answer`, n: 1 });
        half.add(stream);
        await aborted(signal);
      });
      const dying = await Log.open(first.adapter, sagaCatalog);
      runtimeOn(dying, saga).start();
      for (const n of range(0, 5)) await dying.append(count(`s${n}`, 1));
      await half.count(5);
      first.kill();
      // What it held would be free once it had run out: nobody has to wait for that here.
      const held = await log.acquireLease('saga-sample', 'one', 1_000);
      if (held) await log.releaseLease(held);
      const next = sagaOf(({ stream }, { run }) => run(add, { to: `${stream}-answer`, n: 1 }));
      start(await Log.open(adapter, sagaCatalog), next, { instanceId: 'two' });
      await cursorAt(log, 'sample', 10);
      const answers = (await readAll(log)).filter(({ stream }) => stream.endsWith('-answer'));
      assert.deepEqual(
        answers.map(({ stream }) => stream).sort(),
        range(0, 5).map((n) => `s${n}-answer`),
      );
    });
  });

  for (const waiting of [1, 1_200]) {
    it(`goes on with another log that takes the place of its own (${waiting} waiting)`, async () => {
      const { adapter: place, replaceBy } = replaceableAdapter();
      const placed = await Log.open(place, sagaCatalog);
      await begun(placed);
      const seen = new Witness<number>();
      const failures: unknown[] = [];
      const saga = sagaOf((_event, _reaction, n) => {
        seen.add(n);
        if (n < 100_000) throw new TryAgainLater(HOUR);
      });
      start(placed, saga, { onFailure: (_saga, error) => failures.push(error) });
      await Promise.all(range(0, waiting).map((n) => placed.append(count('a', n))));
      await seen.count(1);
      const other = new MemoryAdapter();
      await begun(await Log.open(other, sagaCatalog));
      await replaceBy(other);
      await placed.append(count('a', 100_000));
      assert.deepEqual(await seen.count(2), [0, 100_000]);
      assert.ok(failures.every((error) => isHarkError(error, 'KVSTORE_UNAVAILABLE')));
    });
  }
});

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
