import assert from 'node:assert/strict';
import {
  defer,
  EMPTY,
  finalize,
  ignoreElements,
  merge,
  NEVER,
  type Observable,
  of,
  Subject,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, it } from 'vitest';
import { HarkError } from '../../src/errors.ts';
import { aborted } from '../../src/sagas/aborted.ts';
import { looks } from '../../src/sagas/dueTimes.ts';
import { onceAmongProcesses, type SagaLeases, underLease } from '../../src/sagas/lease.ts';
import { SagaRuntime } from '../../src/sagas/runtime.ts';
import type { AnySaga, Saga, TimedSaga } from '../../src/sagas/saga.ts';
import { counted } from '../store/sampleEvents.ts';
import { VirtualStore } from '../support/virtualStore.ts';

/*
 * Processes on one store, in virtual time: a frame of the marbles is a millisecond. Letters are what is begun: small
 * ones in the process one, large ones in the process two.
 */

const LEASE = 'saga-sample';
const HOUR = 3_600_000;

interface Playing {
  readonly time: TestScheduler;
  readonly store: VirtualStore;
  /** Does this at a moment. */
  at(ms: number, act: () => void): void;
  /** A process with one saga, from now on. */
  process(instanceId: 'one' | 'two', react?: React): SagaRuntime;
  tell(what: string): void;
}

type React = (letter: string, signal: AbortSignal) => Observable<unknown>;

/** Plays it up to a moment, at which all that runs is stopped. */
function play(
  expected: string,
  { log, until, saga = sagaOf }: { log: Record<number, string>; until: number; saga?: typeof sagaOf },
  scene: (playing: Playing) => void,
): void {
  const time = new TestScheduler((actual, wanted) => assert.deepEqual(actual, wanted));
  time.run(({ expectObservable }) => {
    const seen = new Subject<string>();
    const store = new VirtualStore(time, log);
    const running: SagaRuntime[] = [];
    const at = (ms: number, act: () => void) => void time.schedule(act, ms);
    const tell = (what: string) => seen.next(what);
    const process: Playing['process'] = (instanceId, react = () => EMPTY) => {
      const told = (letter: string) => tell(instanceId === 'one' ? letter : letter.toUpperCase());
      const sagas = [saga(told, react)];
      const runner = { run: () => assert.fail('nothing is recorded') };
      const onFailure = (_saga: string, error: unknown) => assert.fail(String(error));
      const runtime = new SagaRuntime({ store, runner, sagas, instanceId, onFailure, scheduler: time });
      running.push(runtime);
      runtime.start();
      return runtime;
    };
    at(until, () => {
      for (const runtime of running) void runtime.stop();
      seen.complete();
    });
    const begun = defer(() => {
      scene({ time, store, at, process, tell });
      return EMPTY;
    });
    expectObservable(merge(seen, begun).pipe(finalize(() => {}))).toBe(expected);
  });
}

function sagaOf(told: (letter: string) => void, react: React): AnySaga {
  const saga: Saga = {
    name: 'sample',
    on: [counted],
    key: ({ stream }) => stream,
    react({ stream }, { signal }) {
      told(stream);
      return react(stream, signal);
    },
  };
  return saga;
}

describe('of the processes on one store', () => {
  it('exactly one works, and another as soon as that one stops', () => {
    play(
      'a 9999ms b 9999ms C 9999ms |',
      { log: { 0: 'a', 10000: 'b', 20000: 'c' }, until: 30_000 },
      ({ at, process }) => {
        const one = process('one');
        process('two');
        at(12_000, () => void one.stop());
      },
    );
  });

  it('one waits for the lease of another that is gone, and for no longer', () => {
    play('15s a 44999ms |', { log: { 0: 'a' }, until: 60_000 }, ({ at, store, process }) => {
      store.steal(LEASE, 'one that is gone', 15_000);
      process('one');
      at(59_000, () =>
        store.acquireLease(LEASE, 'somebody else', HOUR).subscribe((lease) => assert.equal(lease, undefined)),
      );
    });
  });

  it('one keeps what it holds, however long it works', () => {
    play('a 3599999ms a 999ms |', { log: { 0: 'aa' }, until: HOUR + 1_000 }, ({ time, process }) => {
      process('one', () => timer(HOUR, time));
      process('two');
    });
  });

  it('one that is stopped ends what cannot be broken off before another begins', () => {
    play('a 9999ms A 9999ms |', { log: { 0: 'a' }, until: 20_000 }, ({ time, at, process }) => {
      const one = process('one', () => timer(8_000, time));
      process('two');
      at(100, () => void one.stop());
    });
  });
});

describe('work under a lease', () => {
  const never = new AbortController().signal;

  /** When the lease was acquired and let go, and what came of the work. */
  function playWork(
    work: (time: TestScheduler) => Observable<unknown>,
    release: () => Observable<unknown> = () => of('let go'),
  ) {
    const time = new TestScheduler(assert.deepEqual);
    const seen: string[] = [];
    time.run(() => {
      const store = new VirtualStore(time, {});
      const leases: SagaLeases = {
        acquireLease: (name, holder, leaseMs) =>
          defer(() => {
            seen.push(`acquired after ${time.now()} ms for ${leaseMs} ms`);
            return store.acquireLease(name, holder, leaseMs);
          }),
        releaseLease: (lease) => {
          seen.push(`let go after ${time.now()} ms`);
          return merge(store.releaseLease(lease), release());
        },
        onReplaced: (listener) => store.onReplaced(listener),
      };
      const wanted = { name: LEASE, holder: 'one' };
      underLease(leases, wanted, never, () => work(time), time).subscribe({
        next: (value) => seen.push(String(value)),
        error: (error) => seen.push(String(error)),
        complete: () => seen.push('over'),
      });
    });
    return seen;
  }

  it('has it renewed each third of the time for which it is given, and what comes of it follows', () => {
    const seen = playWork((time) => timer(12_500, time));
    const [first, second, third] = [0, 5_000, 10_000].map((ms) => `acquired after ${ms} ms for 15000 ms`);
    assert.deepEqual(seen, [first, second, third, 'let go after 12500 ms', '0', 'over']);
  });

  it('fails once the lease is let go, and not before', () => {
    const seen = playWork(() => throwError(() => new Error('no good')));
    assert.deepEqual(seen, ['acquired after 0 ms for 15000 ms', 'let go after 0 ms', 'Error: no good']);
  });

  it('has done what it did, also where the lease cannot be let go', () => {
    const broken = () => throwError(() => new HarkError('KVSTORE_UNAVAILABLE'));
    const seen = playWork(() => of('done'), broken);
    assert.deepEqual(seen, ['acquired after 0 ms for 15000 ms', 'let go after 0 ms', 'done', 'over']);
  });
});

describe('a process that loses its lease', () => {
  /** Waits, the first time, until it is told to stop, and tells when that is. */
  const untilTold = (told: string[], time: TestScheduler): React => {
    let times = 0;
    return (_letter, signal) => {
      if (++times > 1) return of(1);
      return aborted(signal).pipe(finalize(() => told.push(`told after ${time.now()} ms`)));
    };
  };

  it('breaks off its work, notes nothing more, and takes it up when the lease is free', () => {
    const told: string[] = [];
    play('a 14999ms a 4999ms |', { log: { 0: 'a' }, until: 20_000 }, ({ time, at, store, process }) => {
      process('one', untilTold(told, time));
      at(1_000, () => store.steal(LEASE, 'thief', 10_000));
      at(14_000, () => assert.equal(store.position, 0));
      at(19_000, () => assert.equal(store.position, 1));
    });
    assert.deepEqual(told, ['told after 5000 ms']);
  });

  it('does so too when it got the lease back meanwhile: somebody may have been at work', () => {
    const told: string[] = [];
    play('a 9999ms a 4999ms |', { log: { 0: 'a' }, until: 15_000 }, ({ time, at, store, process }) => {
      process('one', untilTold(told, time));
      at(1_000, () => store.steal(LEASE, 'thief', 1_000));
    });
    assert.deepEqual(told, ['told after 5000 ms']);
  });

  it('because the store does not answer, works again when it does', () => {
    const told: string[] = [];
    play('a 14999ms a 4999ms |', { log: { 0: 'a' }, until: 20_000 }, ({ time, at, store, process }) => {
      process('one', untilTold(told, time));
      at(4_000, () => {
        store.isAway = true;
      });
      at(12_000, () => {
        store.isAway = false;
      });
    });
    assert.deepEqual(told, ['told after 5000 ms']);
  });

  it('because another log took the place of its own, breaks off at once and begins anew', () => {
    const told: string[] = [];
    play('a 5999ms a 3999ms |', { log: { 0: 'a' }, until: 10_000 }, ({ time, at, store, process }) => {
      process('one', untilTold(told, time));
      at(1_000, () => store.replace());
    });
    assert.deepEqual(told, ['told after 1000 ms']);
  });

  it('because somebody else moved its cursor, goes on from there', () => {
    const log = { 0: 'a', 1000: 'b', 2000: 'cde', 3000: 'f' };
    play('a 999ms b 5099ms (ef) 896ms |', { log, until: 7_000 }, ({ at, store, process }) => {
      process('one');
      at(1_050, () => store.moveAside(4));
    });
  });
});

describe('of what time drives', () => {
  const everySecond = (over: Partial<TimedSaga<string>>) => (told: (letter: string) => void) => ({
    name: 'sample',
    on: looks((now) => ({ due: 'a', again: now + 1_000 })),
    key: (letter: string) => letter,
    react: (letter: string) => {
      told(letter);
      return EMPTY;
    },
    ...over,
  });

  it('one process takes care, and another as soon as that one stops', () => {
    const saga = everySecond({});
    play('a 999ms a 3999ms A 999ms A 999ms |', { log: {}, until: 7_000, saga }, ({ at, process }) => {
      const one = process('one');
      process('two');
      at(1_500, () => void one.stop());
    });
  });

  it('each process takes care of what is its own matter', () => {
    const saga = everySecond({ everywhere: true });
    play('(aA) 996ms (aA) 496ms |', { log: {}, until: 1_500, saga }, ({ process }) => {
      process('one');
      process('two');
    });
  });
});

/* `a` is begun, and `b` is what came of it. */
describe('what each process wants, and one is to do', () => {
  const wanted =
    (elsewhere: Observable<unknown>) =>
    (told: (letter: string) => void, react: React): AnySaga => {
      const saga: TimedSaga<string> = {
        name: 'sample',
        everywhere: true,
        on: () => merge(of('a'), NEVER),
        key: (letter) => letter,
        react: (letter, { onceAmongProcesses }) => {
          const work = (signal: AbortSignal) => {
            told(letter);
            return react(letter, signal);
          };
          return onceAmongProcesses('work', work, elsewhere).pipe(tap(() => told('b')));
        },
      };
      return saga;
    };

  it('is done by one after the other, where what one did is not enough', () => {
    const scene = { log: {}, until: 20_000, saga: wanted(NEVER) };
    play('a 11999ms b 2999ms (AB) 4996ms |', scene, ({ time, process }) => {
      process('one', () => timer(12_000, time));
      process('two', () => of(1));
    });
  });

  it('is done once, where what one did is told to the other, and that at once', () => {
    const done = new Subject<number>();
    const scene = { log: {}, until: 20_000, saga: wanted(done) };
    play('a 10999ms B 999ms b 7999ms |', scene, ({ time, at, process }) => {
      process('one', () => timer(12_000, time));
      process('two');
      at(11_000, () => done.next(1));
    });
  });

  it('is begun when the lease of another that is gone has ended', () => {
    const scene = { log: {}, until: 20_000, saga: wanted(NEVER) };
    play('15s (ab) 4996ms |', scene, ({ store, process }) => {
      store.steal('work', 'one that is gone', 15_000);
      process('one', () => of(1));
    });
  });

  it('is begun anew by another, when one stops in the middle, and not by one that has stopped', () => {
    const scene = { log: {}, until: 20_000, saga: wanted(NEVER) };
    play('a 9999ms A 9999ms |', scene, ({ at, process }) => {
      const one = process('one', (_letter, signal) => aborted(signal).pipe(ignoreElements()));
      process('two', (_letter, signal) => aborted(signal).pipe(ignoreElements()));
      at(7_000, () => void one.stop());
    });
  });

  it('is not begun, nor asked for, by a process that is stopping', () => {
    let asked = 0;
    const store: SagaLeases = {
      acquireLease: () => of(void asked++),
      releaseLease: () => EMPTY,
      onReplaced: () => () => undefined,
    };
    const time = new TestScheduler(() => undefined);
    const own = { name: 'work', holder: 'one' };
    const over: number[] = [];
    time.run(() => {
      onceAmongProcesses(store, own, AbortSignal.abort(), () => of(1), NEVER, time).subscribe({
        next: () => assert.fail('It was begun'),
        complete: () => over.push(time.now()),
      });
    });
    assert.deepEqual([asked, over], [0, [0]]);
  });

  it('is not begun by a process that stops while it waits', () => {
    const scene = { log: {}, until: 20_000, saga: wanted(NEVER) };
    play('a 11999ms b 7999ms |', scene, ({ time, at, process }) => {
      process('one', () => timer(12_000, time));
      const two = process('two');
      at(7_000, () => void two.stop());
    });
  });
});
