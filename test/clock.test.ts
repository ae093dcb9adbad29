import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { SettableClock, systemClock, systemWake, type Wake, wakeBy } from '../src/clock.ts';

/** Resolves when it is called back. Its timers alone would not keep the process alive. */
async function woken(wake: Wake, at: number): Promise<void> {
  const alive = setInterval(() => {}, 1_000);
  await new Promise<void>((resolve) => wake(at, resolve));
  clearInterval(alive);
}

describe('who waits for a moment', () => {
  test('is called when it has come, and not before', async () => {
    const at = systemClock() + 20;
    await woken(systemWake, at);
    assert.ok(systemClock() >= at);
    await woken(systemWake, at);
  });

  test('is called when the clock was put back meanwhile', async () => {
    let offset = 0;
    const clock = () => systemClock() + offset;
    const waiting = woken(wakeBy(clock), clock() + 20);
    offset = -3_600_000;
    await waiting;
  });

  test('is not called once it was cancelled', async () => {
    const cancelWake = systemWake(systemClock() + 5, () => assert.fail('was cancelled'));
    cancelWake();
    await woken(systemWake, systemClock() + 20);
  });

  test('is called by a clock that a test moves, whichever way', () => {
    const clock = new SettableClock(1_000);
    const heard: string[] = [];
    const wait = (at: number) => clock.wake(at, () => heard.push(`${at} at ${clock.read()}`));
    wait(2_000);
    clock.advance(999);
    assert.deepEqual(heard, []);
    clock.advance(1);
    wait(3_000);
    clock.advance(-1_500);
    assert.deepEqual(heard, ['2000 at 2000', '3000 at 500']);
  });
});
