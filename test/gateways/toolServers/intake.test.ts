import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { Allowance } from '../../../src/gateways/toolServers/intake.ts';

const FOR_EVER = Number.POSITIVE_INFINITY;

/** Listens for so long to someone who always has something to say; the messages heard, or where it was cut off. */
function listen(ms: number, bytes: number, pause = 0) {
  let now = 0;
  let heard = 0;
  const allowance = new Allowance(() => now);
  const hear = () => {
    while (now < ms) {
      const wait = allowance.spend(bytes);
      if (wait === FOR_EVER) return { heard, cutOffAt: now };
      heard++;
      now += Math.max(wait, pause);
    }
    return { heard, cutOffAt: undefined };
  };
  return { allowance, hear };
}

describe('what a tool server may say', () => {
  it('is a burst at once, and then a share', () => {
    const { hear } = listen(1_000, 100);
    const { heard } = hear();
    assert.ok(heard > 2_000 && heard < 2_500, `${heard}`);
  });

  it('is less, the longer its messages are', () => {
    const { heard } = listen(1_000, 1_000_000).hear();
    assert.ok(heard > 5 && heard < 9, `${heard}`);
  });

  it('is no more at once after a long silence', () => {
    let now = 0;
    const allowance = new Allowance(() => now);
    now = 86_400_000;
    let heard = 0;
    while (allowance.spend(0) === 0) heard++;
    assert.equal(heard, 666);
  });

  it('is over when it never rests', () => {
    const { cutOffAt = 0 } = listen(60_000, 100).hear();
    assert.ok(cutOffAt > 3_000 && cutOffAt < 4_000, `${cutOffAt}`);
  });

  it('goes on for ever when it is a thousand messages a second, or what it is asked for', async () => {
    assert.equal(listen(600_000, 100, 1).hear().cutOffAt, undefined);
    const { allowance, hear } = listen(60_000, 100_000);
    assert.equal((await allowance.whileAsked(async () => hear())).cutOffAt, undefined);
    await assert.rejects(allowance.whileAsked(() => Promise.reject(new Error('No answer'))));
    assert.notEqual(listen(60_000, 100_000).hear().cutOffAt, undefined);
  });

  it('is told of in time when it is asked no longer', async () => {
    let now = 0;
    const allowance = new Allowance(() => now);
    const flood = () => {
      const startedAt = now;
      while (now - startedAt < 10_000) {
        const wait = allowance.spend(100);
        if (wait === FOR_EVER) break;
        now += wait;
      }
      return now - startedAt;
    };
    assert.ok((await allowance.whileAsked(async () => flood())) >= 10_000);
    await assert.rejects(
      allowance.whileAsked(async () => {
        assert.ok(flood() >= 10_000);
        throw new Error('No answer');
      }),
    );
    const ms = flood();
    assert.ok(ms > 2_900 && ms < 4_000, `${ms}`);
  });
});
