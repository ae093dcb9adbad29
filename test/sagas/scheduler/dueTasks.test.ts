import assert from 'node:assert/strict';
import { map, type ObservableInput, of, Subject, takeUntil, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, it } from 'vitest';
import { taskCreated } from '../../../src/events/scheduler.ts';
import { dueTasks } from '../../../src/sagas/scheduler/firing.ts';
import { StoredEvent } from '../../../src/store/storedEvent.ts';

/*
 * When there is something to do about tasks, in virtual time: a frame of the marbles is a millisecond. A letter is a
 * task: small when its stream is read ahead, large when it is due.
 */

interface Scene {
  /** At which moment which task is made, and when it is due. */
  readonly made: Readonly<Record<number, readonly [name: string, at: number]>>;
  readonly room?: (time: TestScheduler) => () => ObservableInput<unknown>;
  readonly until: number;
}

function play(expected: string, { made, room = () => () => of(1), until }: Scene) {
  const time = new TestScheduler((actual, wanted) => assert.deepEqual(actual, wanted));
  const faults: unknown[] = [];
  time.run(({ expectObservable }) => {
    const appended = new Subject<StoredEvent>();
    for (const [moment, [taskId, at]] of Object.entries(made))
      time.schedule(() => appended.next(creation(taskId, at)), Number(moment));
    const store = {
      delivered: 0,
      onAppended(listener: (events: readonly StoredEvent[]) => void) {
        const listening = appended.subscribe((event) => listener([event]));
        return () => listening.unsubscribe();
      },
      onReplaced: () => () => {},
    };
    const never = () => new Promise<never>(() => {});
    const runner = { read: never, run: never };
    const here = { store, runner, views: { position: 0, parts: () => [] } };
    const context = () => here;
    const onFailure = (_what: string, error: unknown) => faults.push(error);
    const due = dueTasks(time, room(time), { context, onFailure }).pipe(
      map(({ is, taskId }) => (is === 'soon' ? taskId : taskId.toUpperCase())),
      takeUntil(timer(until, time)),
    );
    expectObservable(due).toBe(expected);
  });
  assert.deepEqual(faults, []);
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
});
