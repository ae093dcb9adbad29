import assert from 'node:assert/strict';
import { concat, defer, EMPTY, map, NEVER, of, throwError } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, it } from 'vitest';
import { HarkError } from '../../src/errors.ts';
import { aborted } from '../../src/sagas/aborted.ts';
import { looks } from '../../src/sagas/dueTimes.ts';
import { SagaRuntime } from '../../src/sagas/runtime.ts';
import type { AnySaga, Saga, SagaGroup, TimedSaga } from '../../src/sagas/saga.ts';
import type { LogRange } from '../../src/store/port.ts';
import { counted } from '../store/sampleEvents.ts';
import { Witness } from '../support/sagas.ts';
import { VirtualStore } from '../support/virtualStore.ts';

/** In virtual time: when each event was answered, and what was told of. */
class World {
  readonly time = new TestScheduler(assert.deepEqual);
  readonly told: unknown[] = [];
  readonly answered: string[] = [];
  readonly saga: Saga = {
    name: 'sample',
    on: [counted],
    key: ({ stream }) => stream,
    react: ({ stream }) =>
      defer(() => {
        this.answered.push(`${stream} after ${this.time.now()} ms`);
        return EMPTY;
      }),
  };

  /** Runs it up to a moment, at which it is to stop. */
  play(store: (time: TestScheduler) => VirtualStore, until: number, saga: AnySaga = this.saga): void {
    this.time.run(() => {
      const runtime = this.runtime(store(this.time), saga);
      runtime.start();
      this.time.schedule(() => void runtime.stop(), until);
    });
  }

  runtime(store: VirtualStore, saga: AnySaga = this.saga): SagaRuntime {
    return new SagaRuntime({
      ...{ store, sagas: [saga], instanceId: 'one', scheduler: this.time },
      runner: { run: () => assert.fail('nothing is recorded') },
      onFailure: (name, error) => this.told.push([name, error]),
    });
  }
}

/** Whose cursor cannot be read as often as there are errors. */
class BrokenStore extends VirtualStore {
  readonly #errors: unknown[];

  constructor(time: TestScheduler, log: Readonly<Record<number, string>>, errors: readonly unknown[]) {
    super(time, log);
    this.#errors = [...errors];
  }

  override readCursor() {
    return this.#errors.length > 0 ? throwError(() => this.#errors.shift()) : super.readCursor();
  }
}

describe('a saga that cannot go on', () => {
  it('is begun again five seconds later, and each fault is told under its name', () => {
    const faults = [new RangeError('no such cursor'), new RangeError('still none')];
    const world = new World();
    world.play((time) => new BrokenStore(time, { 0: 'a' }, faults), 20_000);
    assert.deepEqual(
      world.told,
      faults.map((fault) => ['sample', fault]),
    );
    assert.deepEqual(world.answered, ['a after 10000 ms']);
  });

  it('because the store is away is begun again as soon, and nothing is told of it', () => {
    const world = new World();
    world.play((time) => new BrokenStore(time, { 0: 'a' }, [new HarkError('KVSTORE_UNAVAILABLE')]), 20_000);
    assert.deepEqual(world.told, []);
    assert.deepEqual(world.answered, ['a after 5000 ms']);
  });

  it('because it is to stop tells nothing of what broke off with that', () => {
    class BreaksOff extends VirtualStore {
      override follow(_range: LogRange, signal: AbortSignal) {
        const next = () => aborted(signal).pipe(map((): never => assert.fail('broken off')));
        return { [Symbol.asyncIterator]: () => ({ next }) };
      }
    }
    const world = new World();
    world.play((time) => new BreaksOff(time, {}), 1_000);
    assert.deepEqual(world.told, []);
  });

  it('because it was stopped before does not begin, and takes no lease', () => {
    const taken: string[] = [];
    class NotedLeases extends VirtualStore {
      override acquireLease(...[name, holder, ms]: Parameters<VirtualStore['acquireLease']>) {
        taken.push(name);
        return super.acquireLease(name, holder, ms);
      }
    }
    const world = new World();
    world.time.run(() => {
      const runtime = world.runtime(new NotedLeases(world.time, { 0: 'a' }));
      void runtime.stop();
      runtime.start();
    });
    assert.deepEqual([taken, world.answered], [[], []]);
  });
});

describe('a saga of a group', () => {
  it('is read an event at a time, since it has one key', () => {
    const readAt: number[] = [];
    class CountedReads extends VirtualStore {
      override follow(range: LogRange, signal: AbortSignal) {
        const inner = super.follow(range, signal)[Symbol.asyncIterator]();
        const next = () => {
          readAt.push(world.time.now());
          return inner.next();
        };
        return { [Symbol.asyncIterator]: () => ({ next }) };
      }
    }
    const world = new World();
    const member: Saga = { ...world.saga, react: (_event, { signal }) => aborted(signal) };
    const group: SagaGroup = { name: 'samples', changes: concat(of('sample'), NEVER), saga: () => member };
    world.play((time) => new CountedReads(time, { 0: 'abcd' }), 1_000, group);
    // And once more to hear that it is over.
    assert.deepEqual(readAt, [0, 1_000]);
  });
});

describe('a runtime that is given no time of its own', () => {
  it('looks by that of the machine for what is due, and stops at once', async () => {
    const answered = new Witness<string>();
    const saga: TimedSaga<string> = {
      name: 'sample',
      on: looks(() => ({ due: 'a', again: Date.now() + 3_600_000 })),
      key: (letter) => letter,
      react: (letter) => {
        answered.add(letter);
        return EMPTY;
      },
    };
    const never = new TestScheduler(assert.deepEqual);
    const runtime = new SagaRuntime({
      ...{ store: new VirtualStore(never, {}), sagas: [saga], instanceId: 'one' },
      runner: { run: () => assert.fail('nothing is recorded') },
      onFailure: (_name, error) => assert.fail(String(error)),
    });
    runtime.start();
    assert.deepEqual(await answered.count(1), ['a']);
    await runtime.stop();
  });
});
