import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import { RestingThread, ThreadLost } from '../src/restingThread.ts';
import type { Work } from './support/workingThread.ts';

function start(
  test: Pick<TestContext, 'onTestFinished'>,
  tuning: { atHand?: number; keeps?: boolean; lost?: unknown[] } = {},
) {
  const { lost, ...options } = tuning;
  const thread = new RestingThread<Work, string>({
    script: new URL('./support/workingThread.ts', import.meta.url),
    limitMs: 300,
    startingMs: 30_000,
    tries: 2,
    onLost: (error) => lost?.push(error),
    ...options,
  });
  test.onTestFinished(() => thread.stop());
  return thread;
}

const isSlow = (error: unknown) => error instanceof ThreadLost && error.reason === 'slow';

describe('a thread that many share', () => {
  for (const atHand of [1, 2])
    it(`lets those whose work it is take turns (${atHand} at hand)`, async (t) => {
      const thread = start(t, { atHand });
      const done: string[] = [];
      const work = (owner: string, echo: string) =>
        thread.do({ echo }, { owner }).then((answer) => done.push(answer));
      const busy = Array.from({ length: 20 }, (_, index) => work('busy', `busy ${index}`));
      await Promise.all([...busy, work('other', 'other')]);
      assert.ok(done.indexOf('other') <= atHand + 1, done.join(', '));
      assert.deepEqual(
        done.filter((one) => one !== 'other'),
        busy.map((_, index) => `busy ${index}`),
      );
    });

  for (const atHand of [1, 2])
    it(`gives up what goes on for ever, once, and nothing else with it (${atHand} at hand)`, async (t) => {
      const lost: unknown[] = [];
      const thread = start(t, { atHand, lost });
      const endless = assert.rejects(thread.do('forever', { owner: 'busy' }), isSlow);
      const others = ['one', 'two'].map((echo) => thread.do({ echo }, { owner: 'other' }));
      await endless;
      assert.deepEqual(await Promise.all(others), ['one', 'two']);
      assert.equal(lost.length, 1);
    });

  it('that keeps what it was told loses all that waits with it, and begins anew', async (t) => {
    const thread = start(t, { keeps: true, atHand: 2 });
    const all = ['forever' as const, { echo: 'one' }, { echo: 'two' }].map((job) => thread.do(job));
    await Promise.all(all.map((one) => assert.rejects(one, isSlow)));
    assert.equal(await thread.do({ echo: 'anew' }), 'anew');
  });

  it('has one that takes for ever wait for the others, after its first', async (t) => {
    const thread = start(t);
    const endless = Array.from({ length: 5 }, () =>
      thread.do('forever', { owner: 'busy' }).then(
        () => 'done',
        () => 'lost',
      ),
    );
    const other = thread.do({ echo: 'other' }, { owner: 'other' });
    assert.equal(await Promise.race([other, endless[1]]), 'other');
    await thread.stop();
    assert.deepEqual(await Promise.all(endless), Array(5).fill('lost'));
  });

  it('tries again what a thread died with, and then gives it up', async (t) => {
    const lost: unknown[] = [];
    const thread = start(t, { lost });
    await assert.rejects(thread.do('die'), (error) => error instanceof ThreadLost && error.reason === 'died');
    assert.equal(lost.length, 2);
    assert.equal(await thread.do({ echo: 'back' }), 'back');
  });

  it('is started ahead of its first job for who says so, and never once it was stopped', async (t) => {
    const thread = start(t);
    assert.equal(thread.worker, undefined);
    thread.wake();
    const { worker } = thread;
    assert.ok(worker);
    thread.wake();
    assert.equal(await thread.do({ echo: 'one' }), 'one');
    assert.equal(thread.worker, worker);
    await thread.stop();
    thread.wake();
    assert.equal(thread.worker, undefined);
  });

  it('takes no more of one than a bound, and of others still', async (t) => {
    const thread = start(t);
    const all = Array.from({ length: 10_002 }, () =>
      thread.do({ echo: '' }, { owner: 'busy' }).then(
        () => 'done',
        (error) => error.reason,
      ),
    );
    const other = thread.do({ echo: 'other' }, { owner: 'other' });
    assert.equal(await all.at(-1), 'full');
    assert.equal(await other, 'other');
  });
});
