import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { SettableClock } from '../src/clock.ts';
import { FiguresOverTime, SAMPLE_EVERY_MS } from '../src/figuresOverTime.ts';
import { RequestStatistics } from '../src/requestStatistics.ts';

function begin() {
  const clock = new SettableClock(0);
  const statistics = new RequestStatistics(clock.read);
  const figures = new FiguresOverTime({ statistics, clock: clock.read, wake: clock.wake });
  figures.start();
  return { clock, statistics, figures };
}

describe('figures over time', () => {
  it('have a sample every ten seconds, from the first moment', () => {
    const { clock, statistics, figures } = begin();
    statistics.record(20, false);
    statistics.record(40, true);
    clock.advance(SAMPLE_EVERY_MS - 1);
    assert.equal(figures.all().length, 1);
    clock.advance(1);
    const [first, second] = figures.all();
    assert.deepEqual([first?.at, first?.requestsPerMinute], [0, 0]);
    const { at, requestsPerMinute, errorsPerMinute, p50, p99 } = second ?? assert.fail('there is one sample');
    assert.deepEqual([at, requestsPerMinute, errorsPerMinute, p50, p99], [SAMPLE_EVERY_MS, 2, 1, 20, 40]);
    assert.ok(Number(second?.memory) > 1e6 && Number(second?.uptime) > 0);
  });

  it('are those of an hour, however long the service runs', () => {
    const { clock, figures } = begin();
    for (let taken = 1; taken < 1_000; taken++) clock.advance(SAMPLE_EVERY_MS);
    const all = figures.all().map(({ at }) => at);
    assert.equal(all.length, 360);
    assert.deepEqual([all[0], all.at(-1)], [640 * SAMPLE_EVERY_MS, 999 * SAMPLE_EVERY_MS]);
    assert.deepEqual(
      all,
      all.toSorted((one, other) => one - other),
    );
  });

  it('are told as they come, to who listens, until there is no need', async () => {
    const { clock, figures } = begin();
    clock.advance(SAMPLE_EVERY_MS);
    const ending = new AbortController();
    const told = figures.follow(ending.signal);
    const times = async () => (await told.next()).value?.map(({ at }: { readonly at: number }) => at);
    assert.deepEqual(await times(), [0, SAMPLE_EVERY_MS]);
    const next = times();
    clock.advance(SAMPLE_EVERY_MS);
    assert.deepEqual(await next, [2 * SAMPLE_EVERY_MS]);
    // Two that came while nobody took any are told together.
    clock.advance(SAMPLE_EVERY_MS);
    clock.advance(SAMPLE_EVERY_MS);
    assert.equal((await times()).length, 2);
    const last = told.next();
    ending.abort();
    assert.equal((await last).done, true);
    figures.stop();
    clock.advance(SAMPLE_EVERY_MS);
    assert.equal(figures.all().length, 5);
  });
});
