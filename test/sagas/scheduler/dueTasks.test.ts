import assert from 'node:assert/strict';
import { map, type ObservableInput, of, Subject, takeUntil, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, it } from 'vitest';
import { taskCreated } from '../../../src/events/scheduler.ts';
import { DueBook } from '../../../src/sagas/scheduler/dueBook.ts';
import { dueTasks } from '../../../src/sagas/scheduler/firing.ts';
import { StoredEvent } from '../../../src/store/storedEvent.ts';
import { range } from '../../support/range.ts';

/*
 * When there is something to do about tasks, in virtual time: a frame of the marbles is a millisecond. A letter is a
 * task: small when its stream is read ahead, large when it is due.
 */

interface Scene {
  /** At which moment which task is made, and when it is due. */
  readonly made: Readonly<Record<number, readonly [name: string, at: number]>>;
  /** What else happens at which moment. */
  readonly happens?: Readonly<Record<number, (world: World) => void>>;
  readonly room?: (time: TestScheduler) => () => ObservableInput<unknown>;
  readonly until: number;
  /** What is told of. */
  readonly faults?: readonly unknown[];
}

/** A log without tables: tasks are heard of when they are made. */
class World {
  readonly appended = new Subject<StoredEvent>();
  readonly replaced = new Subject<void>();
  isHere = true;
  fault: Error | undefined;
  /** How far the tables are behind what was delivered. */
  delivered = 0;
  /** How far the clock was put forward. */
  forwardMs = 0;

  readonly #log = {
    store: {
      onAppended: (listener: (events: readonly StoredEvent[]) => void) =>
        listened(this.appended, (event) => listener([event])),
      onReplaced: (listener: () => void) => listened(this.replaced, listener),
    },
    runner: { read: never, run: never },
    views: { position: 0, parts: () => this.#tables() },
  };

  /** How often the tables were looked through. */
  looks = 0;

  /** What stands in the way of looking through them. */
  tablesFault: Error | undefined;

  #tables(): readonly never[] {
    this.looks++;
    if (this.tablesFault) throw this.tablesFault;
    return [];
  }

  readonly context = () => {
    if (this.fault) throw this.fault;
    const { store, runner, views } = this.#log;
    const { delivered } = this;
    return this.isHere ? { store: Object.assign(store, { delivered }), runner, views } : undefined;
  };
}

function listened<Value>(subject: Subject<Value>, listener: (value: Value) => void): () => void {
  const listening = subject.subscribe(listener);
  return () => listening.unsubscribe();
}

function never(): Promise<never> {
  return new Promise(() => {});
}

function play(expected: string, { made, happens = {}, room = () => () => of(1), until, faults = [] }: Scene) {
  const time = new TestScheduler((actual, wanted) => assert.deepEqual(actual, wanted));
  const told: unknown[] = [];
  const world = new World();
  time.now = () => time.frame + world.forwardMs;
  time.run(({ expectObservable }) => {
    for (const [moment, [taskId, at]] of Object.entries(made))
      time.schedule(() => world.appended.next(creation(taskId, at)), Number(moment));
    for (const [moment, change] of Object.entries(happens))
      time.schedule(() => change(world), Number(moment));
    const { context } = world;
    const onFailure = (what: string, error: unknown) => told.push([what, error]);
    const due = dueTasks(time, room(time), { context, onFailure }).pipe(
      map(({ is, taskId }) => (is === 'soon' ? taskId : taskId.toUpperCase())),
      takeUntil(timer(until, time)),
    );
    expectObservable(due).toBe(expected);
  });
  assert.deepEqual(told, faults);
  assert.deepEqual([world.appended.observed, world.replaced.observed], [false, false]);
  return world;
}

function creation(taskId: string, nextRunAt: number): StoredEvent {
  const task = { taskId, topic: 'a.topic', nextRunAt, generation: 0, madeBy: 'user' };
  const schedule = { type: 'once', atTimestamp: nextRunAt };
  const envelope = { userId: 'ann', correlationId: 'cause', causationId: null, subject: null, sealed: null };
  const place = {
    position: 1,
    stream: `task-${taskId}`,
    version: 1,
    type: taskCreated.type,
    schema: 1,
    at: 0,
  };
  return new StoredEvent({ ...envelope, ...place, data: JSON.stringify({ ...task, schedule }) }, taskCreated);
}

describe('what falls due', () => {
  it('is read ahead a second before, and told at its time', () => {
    play('6s a 999ms A 999ms |', { made: { 10: ['a', 7_000] }, until: 8_000 });
  });

  it('is told in the order of time, however it came to be known', () => {
    const made = { 10: ['c', 3_000], 20: ['a', 2_000], 30: ['b', 2_500] } as const;
    play('1s a 499ms b 499ms (Ac) 496ms B 499ms C 999ms |', { made, until: 4_000 });
  });

  it('is told at once where it was due before', () => {
    play('100ms A 99ms |', { made: { 100: ['a', 50] }, until: 200 });
  });

  it('waits for room, with what is due before what will be', () => {
    const every300ms = (time: TestScheduler) => () => timer(300, time);
    const made = { 1: ['a', 1_500], 2: ['b', 1_500], 3: ['c', 2_700] } as const;
    play('500ms a 299ms b 699ms A 299ms B 299ms c 599ms C 1399ms |', {
      made,
      room: every300ms,
      until: 4_100,
    });
  });

  it('is told by the next look, when the clock was put forward past it', () => {
    const forward = (world: World) => {
      world.forwardMs = 60_000;
    };
    play('5s A 999ms |', { made: { 10: ['a', 30_000] }, happens: { 100: forward }, until: 6_000 });
  });

  it('is not told any more, where another log stands in the place of the one that it was in', () => {
    const replace = (world: World) => world.replaced.next();
    const made = { 10: ['a', 7_000], 5500: ['b', 8_000] } as const;
    play('7s b 999ms B |', { made, happens: { 100: replace }, until: 8_001 });
  });

  it('is told by another log, when that is there', () => {
    const goAway = (world: World) => {
      world.isHere = false;
    };
    const comeBack = (world: World) => {
      world.isHere = true;
    };
    // Before 5 s nobody looks; between 5 s and 10 s nothing is heard of.
    const made = { 10: ['a', 12_000], 6000: ['b', 13_000], 11000: ['c', 15_000] } as const;
    play('14s c 999ms C |', { made, happens: { 4000: goAway, 7000: comeBack }, until: 15_001 });
  });

  it('is not told before all that was made is read', () => {
    const behind = (world: World) => {
      world.delivered = 1;
      world.replaced.next();
    };
    const caughtUp = (world: World) => {
      world.delivered = 0;
    };
    const made = { 6000: ['a', 9_000], 10500: ['b', 12_000] } as const;
    play('11s b 999ms B |', { made, happens: { 100: behind, 7000: caughtUp }, until: 12_001 });
  });

  it('is looked for again after a fault, which is told of', () => {
    const fault = new RangeError('no such page');
    const fail = (world: World) => {
      world.fault = fault;
    };
    const recover = (world: World) => {
      world.fault = undefined;
    };
    const made = { 10: ['a', 12_000] } as const;
    const happens = { 100: fail, 6000: recover };
    play('11s a 999ms A |', { made, happens, until: 12_001, faults: [['scheduler', fault]] });
  });

  it('is looked for again after a pause, also when something is due while looking fails', () => {
    const fault = new RangeError('no such page');
    const fail = (world: World) => {
      world.fault = fault;
    };
    const recover = (world: World) => {
      world.fault = undefined;
    };
    const told = ['scheduler', fault];
    const made = { 10: ['a', 3_000] } as const;
    const happens = { 2500: fail, 9000: recover };
    play('2s a 10999ms A 1s |', { made, happens, until: 14_001, faults: [told, told] });
  });

  it('is looked for in the tables again after the pause when that failed', () => {
    const fault = new RangeError('no such page');
    const fail = (world: World) => {
      world.tablesFault = fault;
    };
    const recover = (world: World) => {
      world.tablesFault = undefined;
    };
    const minutes = 60_000;
    const happens = { 1000: fail, [6 * minutes]: recover };
    const faults = Array.from({ length: 12 }, () => ['scheduler', fault]);
    // Once at first, from five minutes on every five seconds, and once when it goes well; then five minutes later.
    assert.equal(play('629999ms |', { made: {}, happens, until: 10.5 * minutes - 1, faults }).looks, 14);
  });

  it('is not looked for in the tables while these are behind, and soon after', () => {
    const behind = (world: World) => {
      world.delivered = 1;
    };
    const caughtUp = (world: World) => {
      world.delivered = 0;
    };
    const minutes = 60_000;
    const happens = { [4 * minutes]: behind, [6 * minutes]: caughtUp };
    assert.equal(play('359999ms |', { made: {}, happens, until: 6 * minutes - 1 }).looks, 1);
    assert.equal(play('365999ms |', { made: {}, happens, until: 6 * minutes + 5_999 }).looks, 2);
  });

  it('is looked for in the tables every five minutes', () => {
    const hour = 60 * 60_000;
    assert.equal(play('3599999ms |', { made: {}, until: hour - 1 }).looks, 12);
  });
});

it('is read ahead of 2 000 tasks at most, and more of them once some of these were due', () => {
  const context = new World().context();
  assert.ok(context);
  const book = new DueBook(context, 0);
  book.lookFurther(0).subscribe();
  for (const n of range(0, 2_000)) book.note(500, `early-${n}`);
  for (const n of range(0, 3)) book.note(900, `late-${n}`);
  const told = (now: number) => [...book.todo(() => now)].map(({ is, taskId }) => `${is} ${taskId}`);
  assert.deepEqual(
    told(0).toSorted(),
    range(0, 2_000)
      .map((n) => `soon early-${n}`)
      .toSorted(),
  );
  assert.equal(book.next, 500);
  const then = told(500);
  assert.ok(then.slice(0, 2_000).every((one) => one.startsWith('due early-')));
  assert.deepEqual(then.slice(2_000).toSorted(), ['soon late-0', 'soon late-1', 'soon late-2']);
  assert.deepEqual(told(900).toSorted(), ['due late-0', 'due late-1', 'due late-2']);
  book.close();
});
