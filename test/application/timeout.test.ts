import assert from 'node:assert/strict';
import { describe, it, vi } from 'vitest';
import { bounded, Cancelling, Grace } from '../../src/application/timeout.ts';

const bounds = { ms: 60_000, reasonFor: (end: 'late' | 'cancelled') => new Error(end) };
const never = () => new Promise<never>(() => {});

describe('work that has bounds', () => {
  it('gives what it gives, and listens no longer', async () => {
    const cancelled = new Cancelling();
    let signal: AbortSignal | undefined;
    const given = await bounded({ ...bounds, cancelled }, async (asked) => {
      signal = asked();
      return 1;
    });
    cancelled.abort();
    assert.deepEqual([given, signal?.aborted], [1, false]);
  });

  it('is refused when it is cancelled, and told by the one signal that it asked for', async () => {
    const cancelled = new Cancelling();
    const signals: AbortSignal[] = [];
    const refused = assert.rejects(
      bounded({ ...bounds, cancelled }, (asked) => {
        signals.push(asked(), asked());
        return never();
      }),
      /cancelled/,
    );
    cancelled.abort();
    cancelled.abort();
    await refused;
    assert.equal(signals[0], signals[1]);
    assert.match(String(signals[0]?.reason), /cancelled/);
  });

  it('may ask for its signal when it is too late, and is told so', async () => {
    let ask: (() => AbortSignal) | undefined;
    const late = bounded({ ...bounds, ms: 1, cancelled: new Cancelling() }, (asked) => {
      ask = asked;
      return never();
    });
    await assert.rejects(late, /late/);
    assert.equal(ask?.().aborted, true);
    assert.match(String(ask?.().reason), /late/);
  });

  it('is not begun when it was cancelled before', async () => {
    const cancelled = new Cancelling();
    cancelled.abort();
    await assert.rejects(
      bounded({ ...bounds, cancelled }, () => assert.fail('It was begun')),
      /cancelled/,
    );
  });
});

describe('the time that a stop gives', () => {
  it('is over at once where it ran out before somebody waits, of which Node has nothing to say', async () => {
    const warnings: string[] = [];
    const hear = ({ name }: Error) => warnings.push(name);
    process.on('warning', hear);
    const started = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(started);
    const grace = new Grace();
    clock.mockReturnValue(started + 60_000);
    const { promise: work, resolve: breakOff } = Promise.withResolvers<void>();
    await grace.over(work, breakOff);
    clock.mockRestore();
    await new Promise(setImmediate);
    process.off('warning', hear);
    assert.deepEqual(warnings, []);
  });
});
