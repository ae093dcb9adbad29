import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, vi } from 'vitest';
import { HarkError } from '../../src/errors.ts';
import { ConnectionKeeper } from '../../src/store/keeper.ts';

const away = () => new HarkError('KVSTORE_UNAVAILABLE');

/** A keeper whose attempts come out as they are listed, one after the other. */
function keeperOf(...outcomes: (string | Error)[]) {
  const told: string[] = [];
  let attempts = 0;
  const keeper = new ConnectionKeeper<string>({
    async connect() {
      const outcome = outcomes[attempts++] ?? away();
      if (typeof outcome !== 'string') throw outcome;
      return outcome;
    },
    onFailure: (error) => told.push(`failed: ${error}`),
    onReturn: () => told.push('back'),
  });
  keeper.onPresence((isThere) => told.push(isThere ? 'there' : 'not there'));
  return { keeper, told, attempts: () => attempts };
}

describe('the keeper of a connection', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('has it made once, however many ask at the same moment', async () => {
    const { keeper, told, attempts } = keeperOf('one', 'two');
    assert.deepEqual(await Promise.all([keeper.connect(), keeper.connect()]), ['one', 'one']);
    assert.equal(keeper.current, 'one');
    assert.equal(attempts(), 1);
    assert.deepEqual(told, ['not there', 'there']);
  });

  it('starts without what cannot be reached, and tries every two seconds until it is there', async () => {
    const { keeper, told, attempts } = keeperOf(away(), away(), 'one');
    await keeper.start();
    assert.equal(keeper.current, undefined);
    await vi.advanceTimersByTimeAsync(1_999);
    assert.equal(attempts(), 1);
    await vi.advanceTimersByTimeAsync(2_001);
    assert.equal(keeper.current, 'one');
    await vi.advanceTimersByTimeAsync(10_000);
    assert.equal(attempts(), 3);
    assert.deepEqual(told, ['not there', `failed: ${away()}`, 'there', 'back']);
  });

  it('tells of a failure again only when it is another one', async () => {
    const { keeper, told } = keeperOf(away(), away(), new Error('damaged'), new Error('damaged'));
    await keeper.start();
    await vi.advanceTimersByTimeAsync(6_000);
    assert.deepEqual(told, ['not there', `failed: ${away()}`, 'failed: Error: damaged']);
    keeper.close();
  });

  it('does not start with what must not be used, and does not try it again', async () => {
    const { keeper, told, attempts } = keeperOf(new Error('damaged'), 'one');
    await assert.rejects(keeper.start(), /damaged/);
    await vi.advanceTimersByTimeAsync(10_000);
    assert.equal(attempts(), 1);
    assert.deepEqual(told, ['not there']);
  });

  it('tries no more once it is closed', async () => {
    const { keeper, attempts } = keeperOf(away(), 'one');
    await keeper.start();
    keeper.close();
    await vi.advanceTimersByTimeAsync(10_000);
    assert.equal(attempts(), 1);
    assert.equal(await keeper.release(), undefined);
  });

  it('gives up what is only being made when it has been made, and has it no longer', async () => {
    const { keeper } = keeperOf('one');
    void keeper.connect();
    assert.equal(await keeper.release(), 'one');
    assert.equal(keeper.current, undefined);
  });

  it('tells of presence when it changes, and whoever comes later at once', () => {
    const { keeper, told } = keeperOf();
    keeper.setPresent(true);
    keeper.setPresent(true);
    keeper.setPresent(false);
    keeper.onPresence((isThere) => told.push(`later: ${isThere}`));
    assert.deepEqual(told, ['not there', 'there', 'not there', 'later: false']);
  });
});
