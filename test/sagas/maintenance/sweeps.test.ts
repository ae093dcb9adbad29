import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { it } from '@fast-check/vitest';
import type { SchedulerLike } from 'rxjs';
import { describe } from 'vitest';
import type { ContradictionFinder } from '../../../src/application/maintenance/ports.ts';
import { type SweepRequest, SweepRequests } from '../../../src/application/maintenance/sweepRequests.ts';
import { SettableClock, type Wake } from '../../../src/clock.ts';
import { userMemory } from '../../../src/commands/memory/state.ts';
import { NO_PIPELINE } from '../../../src/commands/memory/upkeep.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { HarkError } from '../../../src/errors.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { isEvent, type NewEvent } from '../../../src/events/definition.ts';
import { maintenanceCompleted, maintenanceFailed } from '../../../src/events/maintenance.ts';
import { memoryStream } from '../../../src/events/memory.ts';
import { sweptUsers } from '../../../src/projections/maintenance/sweptUsers.ts';
import { remembered } from '../../../src/projections/memory/remembered.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { ClockScheduler } from '../../../src/sagas/clockScheduler.ts';
import { keepSwept } from '../../../src/sagas/maintenance/keepSwept.ts';
import { sweepMemory } from '../../../src/sagas/maintenance/sweepMemory.ts';
import type { SagaRuntime } from '../../../src/sagas/runtime.ts';
import { Log } from '../../../src/store/log.ts';
import { NOW } from '../../support/given.ts';
import { PassingTime, runtimeOn, standstill } from '../../support/sagas.ts';
import { type Hold, SharedStore } from '../../support/sharedStore.ts';
import { WatchedAdapter } from '../../support/watchedAdapter.ts';
import { byNumber, DAY_MS, past, Swept, USER, usual } from './sweeping.ts';

const who = { at: NOW, userId: USER, correlationId: 'test', causationId: null };
const profile = { type: 'memory.profile.changed', data: { profile: { name: 'Ann' } } };
const erased = { type: 'memory.erased', data: {} };
const asked: SweepRequest = { userId: USER, by: 'request', correlationId: 'test' };

/** A store that processes share; whose leases end by the time in which they wait for each other. */
class World {
  readonly time = new PassingTime();
  readonly store = new SharedStore(undefined, () => this.time.now());
}

interface Context {
  readonly store: Log;
  readonly runner: StoreCommandRunner;
  readonly views: ProjectionRuntime;
}

/** Sweeps as a process makes them: where they are asked for, and the saga that is asked. */
class Sweeps {
  readonly requests = new SweepRequests();
  readonly #runtime: SagaRuntime;

  constructor(
    context: Context,
    instanceId: string,
    time: SchedulerLike,
    contradictions?: ContradictionFinder,
  ) {
    const saga = sweepMemory({
      requests: this.requests,
      context: () => context,
      thresholds: () => usual,
      clock: () => NOW,
      contradictions,
      isChatting: () => false,
    });
    const onFailure = (_saga: string, error: unknown) => assert.fail(String(error));
    this.#runtime = runtimeOn(context.store, saga, { instanceId, scheduler: time, onFailure });
    this.#runtime.start();
  }

  sweep(request: SweepRequest) {
    return this.requests.ask(request);
  }

  stop(): Promise<void> {
    this.requests.stop();
    return this.#runtime.stop();
  }
}

interface Process {
  readonly store: Log;
  readonly hold: Hold;
  readonly sweeps: Sweeps;
  readonly runner: StoreCommandRunner;
  readonly views: ProjectionRuntime;
  append(events: readonly NewEvent[]): Promise<void>;
  /** Resolves with the next event of this type. */
  appended(type: string): Promise<void>;
}

async function processOn(
  { store: shared, time: passing }: World,
  name: string,
  contradictions?: ContradictionFinder,
  time: SchedulerLike = passing,
): Promise<Process> {
  const hold = shared.hold();
  const store = await Log.open(hold.adapter, eventCatalog);
  let ids = 0;
  const runner = new StoreCommandRunner({ store, clock: () => NOW, newId: () => `${name}-${++ids}` });
  const views = new ProjectionRuntime(store, [sweptUsers]);
  await views.start();
  const sweeps = new Sweeps({ store, runner, views }, name, time, contradictions);
  return {
    store,
    hold,
    sweeps,
    runner,
    views,
    append: async (events) => {
      if (events.length > 0)
        await store.append({ stream: memoryStream(USER), expected: 'any', events, ...who });
    },
    appended: (type) =>
      new Promise((resolve) => {
        store.onAppended((events) => {
          if (events.some((event) => event.type === type)) resolve();
        });
      }),
  };
}

const upkeepOf = async ({ runner }: Process) =>
  (await runner.read(userMemory, memoryStream(USER), USER)).upkeep;

/** Looks for contradictions until it is told to come to an end. */
function slowFinder(end: (signal: AbortSignal) => Promise<unknown>) {
  const asked = Promise.withResolvers<void>();
  const finder: ContradictionFinder = {
    async find({ signal }) {
      asked.resolve();
      await end(signal);
      return { confirmed: [], pipeline: NO_PIPELINE };
    },
  };
  return { finder, asked: asked.promise };
}

describe('sweeps', () => {
  it.prop([past], { numRuns: Number(process.env.PROPERTY_RUNS ?? 1_000) })(
    'that are asked for at once, in two processes, are one',
    async (events) => {
      const alone = await Swept.of(events);
      await alone.sweep();
      const shared = new World();
      const [one, other] = [
        await processOn(shared, 'one', byNumber),
        await processOn(shared, 'other', byNumber),
      ];
      await one.append(events);
      const reports = await Promise.all([one, other, one, other].map(({ sweeps }) => sweeps.sweep(asked)));
      assert.equal(new Set(reports.map(({ sweepId }) => sweepId)).size, 1);
      const { conclusions, reports: shown } = await other.views.of(remembered, USER);
      assert.equal(shown.length, 1);
      assert.deepEqual(reports[3]?.summary, (await alone.remembered()).reports[0]?.summary);
      assert.deepEqual(confidences(conclusions), confidences((await alone.memory()).conclusions));
      await Promise.all([one.sweeps.stop(), other.sweeps.stop()]);
    },
  );

  it('are gone on with after the log was away in the middle of one', async () => {
    const shared = new World();
    const { finder, asked: reached } = slowFinder(async () => away.hold.goAway());
    // What is away cannot let its lease go.
    const away = await processOn(shared, 'one', finder);
    const broken = away.sweeps.sweep(asked);
    await reached;
    await assert.rejects(broken, { code: 'KVSTORE_UNAVAILABLE' });
    await away.hold.comeBack();
    const begun = (await upkeepOf(away)).sweep?.sweepId;
    const next = await processOn(shared, 'next');
    assert.equal((await next.sweeps.sweep(asked)).sweepId, begun);
    assert.deepEqual((await upkeepOf(next)).sweep, null);
  });

  it('that end in the moment in which another is asked for are the one that was asked for', async () => {
    const adapter = new WatchedAdapter();
    const store = await Log.open(adapter, eventCatalog);
    const runner = new StoreCommandRunner({ store, clock: () => NOW, newId: () => crypto.randomUUID() });
    const views = new ProjectionRuntime(store, [sweptUsers]);
    const sweepsOf = (instanceId: string, contradictions?: ContradictionFinder) =>
      new Sweeps({ store, runner, views }, instanceId, new PassingTime(), contradictions);
    const ended = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    const { finder, asked: reached } = slowFinder(() => late.promise);
    adapter.before = async (name, _lease, holder) => {
      if (name !== 'acquireLease' || holder !== 'other') return;
      late.resolve();
      await ended.promise;
    };
    const first = sweepsOf('one', finder).sweep(asked);
    await reached;
    const second = sweepsOf('other').sweep(asked);
    const { sweepId } = await first;
    ended.resolve();
    assert.equal((await second).sweepId, sweepId);
  });

  it('that the log cut off are gone on with by themselves, once it is back and the machine is free', async () => {
    const clock = new SettableClock(NOW);
    const planned = new EventEmitter();
    let isBusy = true;
    const { finder } = slowFinder(async () => clock.read() === NOW && one.hold.goAway());
    const one = await processOn(new World(), 'one', finder);
    const onFailure = (_what: string, error: unknown) => assert.fail(String(error));
    const wake: Wake = (at, callback) => {
      planned.emit('again');
      return clock.wake(at, callback);
    };
    const saga = keepSwept({
      requests: one.sweeps.requests,
      isBegun: async () => (await upkeepOf(one)).sweep !== null,
      known: () => ({ byStream: {}, startedAt: NOW, lastMaintenanceAt: null, totalSweeps: 0 }),
      schedule: { type: 'cron', expression: '0 0 1 1 *', timezone: 'UTC' },
      usualUser: USER,
      startedAt: NOW,
      guard: { mayWork: async () => ({ safe: !isBusy }) },
      onFailure,
    });
    const time = new ClockScheduler({ clock: clock.read, wake });
    const runtime = runtimeOn(one.store, saga, { onFailure, time });
    runtime.start();
    await assert.rejects(one.sweeps.sweep(asked), { code: 'KVSTORE_UNAVAILABLE' });
    for (const needed of [true, false]) {
      isBusy = needed;
      const again = once(planned, 'again');
      clock.advance(60_000);
      await again;
    }
    await one.hold.comeBack();
    const { sweep } = await upkeepOf(one);
    const completed = one.appended(maintenanceCompleted.type);
    clock.advance(60_000);
    await completed;
    assert.ok(sweep);
    assert.deepEqual(
      (await one.views.of(remembered, USER)).reports.map(({ sweepId }) => sweepId),
      [sweep.sweepId],
    );
    await runtime.stop();
  });

  it('that the store cut off are gone on with also where it is back at once', async () => {
    const shared = new World();
    const { finder } = slowFinder(() => Promise.reject(new HarkError('STORAGE_FULL')));
    const one = await processOn(shared, 'one', finder);
    await assert.rejects(one.sweeps.sweep(asked), { code: 'STORAGE_FULL' });
    const next = await processOn(shared, 'next');
    assert.match((await next.sweeps.sweep(asked)).sweepId, /^one/);
  });

  it('that break are said to have failed, and why, and the next is another one', async () => {
    const shared = new World();
    const broken = [new Error('broken'), new HarkError('MODEL_UNAVAILABLE')];
    const { finder } = slowFinder(() => Promise.reject(broken.shift()));
    const one = await processOn(shared, 'one', finder);
    const codes: string[] = [];
    one.store.onAppended((events) => {
      for (const event of events) if (isEvent(event, maintenanceFailed)) codes.push(event.data.code);
    });
    await assert.rejects(one.sweeps.sweep(asked), /broken/);
    assert.deepEqual((await upkeepOf(one)).sweep, null);
    await assert.rejects(one.sweeps.sweep(asked), { code: 'MODEL_UNAVAILABLE' });
    assert.deepEqual(codes, ['INTERNAL', 'MODEL_UNAVAILABLE']);
    const next = await processOn(shared, 'next');
    assert.match((await next.sweeps.sweep(asked)).sweepId, /^next/);
  });

  it('are told of by the process that made them in the moment in which they end', async () => {
    const shared = new World();
    const end = Promise.withResolvers<void>();
    const { finder, asked: reached } = slowFinder(() => end.promise);
    const one = await processOn(shared, 'one', finder);
    // It would look again only when time passes.
    const waiting = await processOn(shared, 'waiting', undefined, standstill());
    const made = one.sweeps.sweep(asked);
    await reached;
    const heardOf = waiting.sweeps.sweep(asked);
    const another = { ...who, stream: memoryStream('ben'), userId: 'ben', expected: 'any' } as const;
    await one.store.append({ ...another, events: [erased] });
    end.resolve();
    assert.equal((await heardOf).sweepId, (await made).sweepId);
    await Promise.all([one.sweeps.stop(), waiting.sweeps.stop()]);
  });

  it('are told of also where their end comes together with something else', async () => {
    const shared = new World();
    const end = Promise.withResolvers<void>();
    const { finder, asked: reached } = slowFinder(() => end.promise);
    const one = await processOn(shared, 'one', finder);
    const waiting = await processOn(shared, 'waiting', undefined, standstill());
    const made = one.sweeps.sweep(asked);
    await reached;
    const heardOf = waiting.sweeps.sweep(asked);
    const { sweep } = await upkeepOf(one);
    const done = await (await Swept.of([])).sweep();
    const data = { ...done, sweepId: sweep?.sweepId };
    await one.append([{ type: maintenanceCompleted.type, data }, profile]);
    assert.equal((await heardOf).sweepId, sweep?.sweepId);
    end.resolve();
    await made.catch(() => undefined);
    await Promise.all([one.sweeps.stop(), waiting.sweeps.stop()]);
  });

  it('that break, also where that cannot be written down, are told of as what broke them', async () => {
    const one = await processOn(
      new World(),
      'one',
      slowFinder(async () => {
        const run = one.runner.run.bind(one.runner);
        one.runner.run = (command, ...args) =>
          command.name === 'memory.failSweep' ? Promise.reject(new Error('no room')) : run(command, ...args);
        throw new Error('broken');
      }).finder,
    );
    await assert.rejects(one.sweeps.sweep(asked), /broken/);
  });

  it('leave what they do to others when the service stops', async () => {
    const shared = new World();
    const { finder, asked: reached } = slowFinder(
      (signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    const one = await processOn(shared, 'one', finder);
    const cut = one.sweeps.sweep(asked);
    await Promise.all([
      reached,
      assert.rejects(cut, { code: 'NOT_READY' }),
      reached.then(() => one.sweeps.stop()),
    ]);
    const next = await processOn(shared, 'next');
    assert.match((await next.sweeps.sweep(asked)).sweepId, /^one/);
  });

  it('are not made again for who is satisfied with one since', async () => {
    const one = await processOn(new World(), 'one');
    const first = await one.sweeps.sweep(asked);
    assert.equal((await one.sweeps.sweep({ ...asked, since: first.timestamp })).sweepId, first.sweepId);
    assert.notEqual(
      (await one.sweeps.sweep({ ...asked, since: first.timestamp + 1 })).sweepId,
      first.sweepId,
    );
  });

  it('that were made while the clock was ahead satisfy nobody who wants one since', async () => {
    const one = await processOn(new World(), 'one');
    const data = { ...(await one.sweeps.sweep(asked)), sweepId: 'ahead', timestamp: NOW + 400 * DAY_MS };
    await one.append([{ type: 'memory.maintenance.completed', data }]);
    assert.notEqual((await one.sweeps.sweep({ ...asked, since: NOW })).sweepId, 'ahead');
  });
});

function confidences(conclusions: Readonly<Record<string, { confidence: number; status: string }>>) {
  return Object.entries(conclusions).map(([id, { confidence, status }]) => ({ id, confidence, status }));
}
