import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { defineCommand } from '../../src/commands/command.ts';
import type { StoreCommandRunner } from '../../src/commands/runner.ts';
import { HarkError, isHarkError } from '../../src/errors.ts';
import { ProjectionRuntime } from '../../src/projections/runtime.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';
import { SqliteAdapter } from '../../src/store/sqlite/adapter.ts';
import { readAll } from '../store/contract.ts';
import { AT, count, counted } from '../store/sampleEvents.ts';
import { add, asAnn, countingCatalog, runnerOn, sumState, totals } from '../support/counting.ts';
import { WatchedAdapter } from '../support/watchedAdapter.ts';

describe('the command runner', () => {
  let adapter: WatchedAdapter;
  let log: Log;
  let runner: StoreCommandRunner;

  beforeEach(async () => {
    adapter = new WatchedAdapter();
    log = await Log.open(adapter, countingCatalog);
    runner = runnerOn(log);
  });

  const bad = (error: unknown) => isHarkError(error, 'BAD_REQUEST');
  const away = (error: unknown) => isHarkError(error, 'KVSTORE_UNAVAILABLE');

  const unavailable = () => {
    throw new HarkError('KVSTORE_UNAVAILABLE');
  };

  describe('loads', () => {
    it('a stream once, and knows it from then on', async () => {
      await runner.run(add, { to: 'a', n: 2 }, asAnn);
      await runner.run(add, { to: 'a', n: 2, most: 4 }, asAnn);
      await assert.rejects(runner.run(add, { to: 'a', n: 1, most: 4 }, asAnn), bad);
      assert.equal(adapter.countOf('readStream'), 1);
    });

    it('nothing of a stream that can only be new, and all of one that is not after all', async () => {
      const first = { ...add, isFirst: () => true };
      assert.equal((await runner.run(first, { to: 'a', n: 2 }, asAnn)).version, 1);
      await assert.rejects(runner.run(add, { to: 'a', n: 1, most: 2 }, asAnn), bad);
      assert.equal(adapter.countOf('readStream'), 0);
      await log.append(count('b', 5));
      await runnerOn(log).run(first, { to: 'b', n: 1, most: 6 }, asAnn);
      await assert.rejects(runnerOn(log).run(first, { to: 'b', n: 1, most: 6 }, asAnn), bad);
      assert.equal(adapter.countOf('readStream'), 2);
    });

    it('what it took for new once it may not be', async () => {
      const first = { ...add, isFirst: () => true };
      await log.append(count('a', 5));
      adapter.before = (name) => (name === 'append' ? unavailable() : undefined);
      const other = runnerOn(log);
      await assert.rejects(other.run(first, { to: 'a', n: 1 }, asAnn), away);
      adapter.before = () => {};
      assert.equal((await other.run(add, { to: 'a', n: 0 }, asAnn)).version, 1);
    });

    it('nothing anew when somebody else in this process appended', async () => {
      await runner.run(add, { to: 'a', n: 1 }, asAnn);
      await log.append(count('a', 5));
      await assert.rejects(runner.run(add, { to: 'a', n: 1, most: 6 }, asAnn), bad);
      assert.equal((await runner.run(add, { to: 'a', n: 1, most: 7 }, asAnn)).version, 3);
      assert.equal(adapter.countOf('readStream'), 1);
    });

    it('what was appended before it was there, over many pages', async () => {
      for (let n = 0; n < 600; n++) await log.append(count('a', 1));
      await assert.rejects(runner.run(add, { to: 'a', n: 1, most: 600 }, asAnn), bad);
      assert.equal((await runner.run(add, { to: 'a', n: 1, most: 601 }, asAnn)).version, 601);
    });

    it('what is appended while it loads, once', async () => {
      // A whole page of 256, so that the next one is asked for when all that is known so far has been taken in.
      for (let n = 0; n < 256; n++) await log.append(count('a', 1));
      adapter.before = async (name) => {
        if (name !== 'readStream' || adapter.countOf('readStream') !== 2) return;
        for (let n = 0; n < 3; n++) await log.append(count('a', 1));
      };
      assert.equal((await runner.run(add, { to: 'a', n: 1, most: 260 }, asAnn)).version, 260);
      await assert.rejects(runner.run(add, { to: 'a', n: 1, most: 260 }, asAnn), bad);
      assert.equal(adapter.countOf('append'), 260);
    });

    it('for each state that a stream is seen as', async () => {
      const addUpToThree = defineCommand({
        ...add,
        state: { name: 'count', version: 1, initial: 0, evolve: (events: number) => events + 1 },
        decide: (events, { n }: Parameters<typeof add.stream>[0]) => {
          if (events >= 3) throw new HarkError('BAD_REQUEST');
          return [{ type: counted.type, data: { n } }];
        },
      });
      await runner.run(add, { to: 'a', n: 5 }, asAnn);
      await runner.run(addUpToThree, { to: 'a', n: 5 }, asAnn);
      await runner.run(add, { to: 'a', n: 5, most: 15 }, asAnn);
      await assert.rejects(runner.run(addUpToThree, { to: 'a', n: 5 }, asAnn), bad);
    });
  });

  describe('takes a snapshot', () => {
    const fromVersions = () =>
      adapter.calls.flatMap(({ name, args: [, range] }) =>
        name === 'readStream' && typeof range === 'object' && range !== null && 'fromVersion' in range
          ? [range.fromVersion]
          : [],
      );
    const nextSave = () =>
      new Promise<void>((resolve) => {
        adapter.before = (name) => {
          if (name === 'saveSnapshot') resolve();
        };
      });
    beforeEach(async () => {
      for (let n = 0; n < 500; n++) await log.append(count('a', 1));
      const saved = nextSave();
      await runner.run(add, { to: 'a', n: 1 }, asAnn);
      await saved;
      adapter.calls.length = 0;
    });

    it('of a long stream, and reads only what came after it', async () => {
      await assert.rejects(runnerOn(log).run(add, { to: 'a', n: 1, most: 501 }, asAnn), bad);
      assert.deepEqual(fromVersions(), [502]);
    });

    it('that counts for nothing once its state means something else', async () => {
      const newer = defineCommand({ ...add, state: { ...sumState, version: 2 } });
      await assert.rejects(runnerOn(log).run(newer, { to: 'a', n: 1, most: 501 }, asAnn), bad);
      assert.equal(fromVersions()[0], 1);
    });

    it('that is of one stream and one user', async () => {
      await log.append(count('b', 1));
      await runnerOn(log).run(add, { to: 'b', n: 1, most: 2 }, asAnn);
      await runnerOn(log).run(add, { to: 'a', n: 1, most: 502 }, { ...asAnn, userId: 'ben' });
      assert.deepEqual(fromVersions().slice(0, 2), [1, 1]);
    });

    it('that need not be kept for the command to go through', async () => {
      for (let n = 0; n < 500; n++) await log.append(count('a', 1));
      const refused = Promise.withResolvers<void>();
      adapter.before = (name) => {
        if (name !== 'saveSnapshot') return;
        refused.resolve();
        throw new HarkError('STORAGE_FULL');
      };
      assert.equal((await runnerOn(log).run(add, { to: 'a', n: 1 }, asAnn)).version, 1_002);
      await refused.promise;
      assert.equal(adapter.countOf('saveSnapshot'), 1);
    });
  });

  describe('when another process was quicker', () => {
    const undo: (() => unknown)[] = [];
    afterEach(async () => {
      for (const step of undo.splice(0).reverse()) await step();
    });

    const places = {
      memory: async () => new MemoryAdapter(),
      async sqlite() {
        const directory = mkdtempSync(join(tmpdir(), 'hark-runner-'));
        const place = await SqliteAdapter.open(directory);
        undo.push(
          () => rmSync(directory, { recursive: true }),
          () => place.close(),
        );
        return place;
      },
    };
    for (const [name, open] of Object.entries(places)) {
      /** As two processes have them: neither hears of what the other appends. */
      const twoRunners = async () => {
        const place = await open();
        return [
          runnerOn(await Log.open(place, countingCatalog)),
          runnerOn(await Log.open(place, countingCatalog)),
        ] as const;
      };

      it(`decides again on what is now (${name})`, async () => {
        const [first, second] = await twoRunners();
        await first.run(add, { to: 'a', n: 1 }, asAnn);
        await second.run(add, { to: 'a', n: 1 }, asAnn);
        assert.equal((await first.run(add, { to: 'a', n: 1, most: 3 }, asAnn)).version, 3);
        await assert.rejects(second.run(add, { to: 'a', n: 2, most: 4 }, asAnn), bad);
        assert.equal((await second.run(add, { to: 'a', n: 1, most: 4 }, asAnn)).version, 4);
      });

      it(`has both get through, gap-free, however hard they press (${name})`, async () => {
        const EACH = 40;
        const outcomes = await Promise.all(
          (await twoRunners()).flatMap((each) =>
            Array.from({ length: EACH }, () => each.run(add, { to: 'a', n: 1, most: 2 * EACH }, asAnn)),
          ),
        );
        const versions = outcomes.map(({ version }) => version).sort((a, b) => a - b);
        assert.deepEqual(
          versions,
          versions.map((_, index) => index + 1),
        );
      });
    }

    it('every time, has no more patience in the end, and the next command is as if nothing had been', async () => {
      let decided = 0;
      const contested = defineCommand({
        ...add,
        decide: (state, input: Parameters<typeof add.stream>[0], surroundings) => {
          decided++;
          return add.decide(state, input, surroundings);
        },
      });
      const quicker = await Log.open(adapter, countingCatalog);
      adapter.before = async (name, append) => {
        const isOurs = typeof append === 'object' && append !== null && 'userId' in append && append.userId;
        if (name === 'append' && isOurs) await quicker.append(count('a', 1));
      };
      const hasty = runnerOn(log, { timeoutMs: 0 });
      await assert.rejects(hasty.run(contested, { to: 'a', n: 1 }, asAnn), away);
      assert.equal(decided, 3);
      adapter.before = () => {};
      assert.equal((await hasty.run(contested, { to: 'a', n: 1 }, asAnn)).version, 4);
    });

    it('and nothing is left to do, lets the others go on', async () => {
      const left: string[] = [];
      log.leaveTurn = async (stream) => void left.push(stream);
      const quicker = await Log.open(adapter, countingCatalog);
      const once = defineCommand({
        ...add,
        decide: ({ events }, { n }: Parameters<typeof add.stream>[0]) =>
          events > 0 ? [] : [{ type: counted.type, data: { n } }],
      });
      adapter.before = async (name, append) => {
        if (name !== 'append' || !isTo(append, 'a')) return;
        adapter.before = () => {};
        await quicker.append(count('a', 1));
      };
      assert.equal((await runner.run(once, { to: 'a', n: 1 }, asAnn)).version, 1);
      assert.deepEqual(left, ['a']);
    });
  });

  describe('has commands take turns', () => {
    it('to one stream: 64 at once give 64 versions, without a conflict', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 64 }, (_, n) => runner.run(add, { to: 'a', n: 1, most: n + 1 }, asAnn)),
      );
      assert.deepEqual(
        outcomes.map(({ version }) => version),
        outcomes.map((_, index) => index + 1),
      );
      assert.equal(adapter.countOf('append'), 64);
      assert.equal(adapter.countOf('readStream'), 1);
    });

    it('and not with those to another stream', async () => {
      const held = Promise.withResolvers<void>();
      adapter.before = (name, append) =>
        name === 'append' && isTo(append, 'slow') ? held.promise : undefined;
      const slow = runner.run(add, { to: 'slow', n: 1 }, asAnn);
      await runner.run(add, { to: 'quick', n: 1 }, asAnn);
      held.resolve();
      assert.equal((await slow).position, 2);
    });

    it('also after one of them was refused', async () => {
      const outcomes = await Promise.allSettled(
        [1, 5, 1].map((n) => runner.run(add, { to: 'a', n, most: 2 }, asAnn)),
      );
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      );
    });
  });

  describe('given the same command id again', () => {
    const once = { ...asAnn, commandId: 'once' };

    it('does nothing, and says what it gave the first time, even where it would be refused by now', async () => {
      const first = await runner.run(add, { to: 'a', n: 2, most: 2 }, once);
      assert.deepEqual(first.appended, [{ type: counted.type, data: { n: 2 } }]);
      const again = { ...first, repeated: true, appended: [] };
      assert.deepEqual(await runner.run(add, { to: 'a', n: 2, most: 2 }, once), again);
      assert.deepEqual(await runnerOn(log).run(add, { to: 'a', n: 2, most: 2 }, once), again);
      assert.equal(await log.head(), 1);
    });

    it('says so where nothing would follow from it by now', async () => {
      const reach = defineCommand({
        ...add,
        decide: ({ total }, { n }: Parameters<typeof add.stream>[0]) =>
          total >= n ? [] : [{ type: counted.type, data: { n: n - total } }],
      });
      const first = await runner.run(reach, { to: 'a', n: 2 }, once);
      await log.append(count('a', 3));
      const again = { ...first, repeated: true, appended: [] };
      assert.deepEqual(await runner.run(reach, { to: 'a', n: 2 }, once), again);
    });

    it('where the stream was taken for new, loads it before the next command', async () => {
      const first = { ...add, isFirst: () => true };
      await runner.run(first, { to: 'a', n: 2 }, once);
      const other = runnerOn(log);
      assert.equal((await other.run(first, { to: 'a', n: 2 }, once)).repeated, true);
      await assert.rejects(other.run(add, { to: 'a', n: 1, most: 2 }, asAnn), bad);
    });

    it('asks the log for it only where nothing is appended', async () => {
      await runner.run(add, { to: 'a', n: 1 }, once);
      assert.equal(adapter.countOf('findCommand'), 0);
      await assert.rejects(runner.run(add, { to: 'a', n: 5, most: 2 }, { ...once, commandId: 'other' }), bad);
      assert.equal(adapter.countOf('findCommand'), 1);
    });

    it('at once, appends once', async () => {
      const asked = Array.from({ length: 8 }, () => runner.run(add, { to: 'a', n: 1, most: 1 }, once));
      const outcomes = await Promise.all(asked);
      assert.equal(outcomes.filter(({ repeated }) => !repeated).length, 1);
      assert.equal(await log.head(), 1);
    });

    it('by two processes at once, appends once', async () => {
      const other = runnerOn(await Log.open(adapter, countingCatalog));
      const outcomes = await Promise.all(
        [runner, other].map((each) => each.run(add, { to: 'a', n: 1 }, once)),
      );
      assert.deepEqual(outcomes.map(({ repeated }) => repeated).sort(), [false, true]);
      assert.equal(await log.head(), 1);
    });

    it('decides anew where the first time was refused', async () => {
      await assert.rejects(runner.run(add, { to: 'a', n: 2, most: 1 }, once), bad);
      assert.equal((await runner.run(add, { to: 'a', n: 2, most: 2 }, once)).repeated, false);
    });
  });

  it('has the change in every projection when it says that it is done', async () => {
    const views = new ProjectionRuntime(log, [totals]);
    await views.start();
    for (let n = 1; n <= 20; n++) {
      await runner.run(add, { to: 'a', n: 1 }, asAnn);
      assert.equal(views.view(totals).a, n);
    }
    await Promise.all(
      Array.from({ length: 64 }, async (_, n) => {
        await runner.run(add, { to: `s${n}`, n: 1 }, asAnn);
        assert.equal(views.view(totals)[`s${n}`], 1);
      }),
    );
  });

  it('appends nothing where nothing follows, and says where the caller stands', async () => {
    const first = await runner.run(add, { to: 'a', n: 1 }, asAnn);
    await log.append(count('b', 1));
    assert.deepEqual(await runner.run(add, { to: 'a', n: 0 }, asAnn), { ...first, appended: [] });
    assert.equal(adapter.countOf('append'), 2);
  });

  it('writes down who asked, when, and what it follows from', async () => {
    const making = defineCommand({
      ...add,
      name: 'sample.make',
      decide: (_state, _input: Parameters<typeof add.stream>[0], { now, newId }) => [
        { type: counted.type, data: { n: now + Number(newId().slice(3)) } },
      ],
    });
    const context = { userId: 'ann', correlationId: 'cause', causationId: 'before', commandId: 'c' };
    await runner.run(making, { to: 'a', n: 0 }, context);
    await runner.run(defineCommand({ ...add, scope: 'system' }), { to: 'b', n: 1 }, asAnn);
    const [ofUser, ofSystem] = await readAll(log);
    const { position, id, ...envelope } = ofUser?.toJSON() ?? {};
    assert.deepEqual(envelope, {
      stream: 'a',
      version: 1,
      type: counted.type,
      at: AT,
      userId: 'ann',
      correlationId: 'cause',
      causationId: 'before',
      data: { n: AT + 1 },
    });
    assert.equal(ofSystem?.userId, null);
  });

  describe('without its store', () => {
    for (const call of ['append', 'readStream', 'loadSnapshot'] as const) {
      it(`says so when ${call} fails, and goes on when it is back`, async () => {
        adapter.before = (name) => (name === call ? unavailable() : undefined);
        await assert.rejects(runner.run(add, { to: 'a', n: 1 }, asAnn), away);
        adapter.before = () => {};
        assert.equal((await runner.run(add, { to: 'a', n: 1, most: 1 }, asAnn)).version, 1);
      });
    }

    it('in the middle of a stream, decides nothing on half of it later', async () => {
      for (let n = 0; n < 300; n++) await log.append(count('a', 1));
      adapter.before = (name) =>
        name === 'readStream' && adapter.countOf('readStream') === 2 ? unavailable() : undefined;
      await assert.rejects(runner.run(add, { to: 'a', n: 0 }, asAnn), away);
      assert.equal((await runner.run(add, { to: 'a', n: 0 }, asAnn)).version, 300);
    });
  });
});

function isTo(append: unknown, stream: string): boolean {
  return typeof append === 'object' && append !== null && 'stream' in append && append.stream === stream;
}
