import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { fairShare } from '../src/fairShare.ts';

function workFor(ms: number): void {
  for (const started = performance.now(); performance.now() - started < ms; );
}

describe('the share of those that go on at the same moment', () => {
  it('leaves time to others', async () => {
    const done: string[] = [];
    const many = Array.from({ length: 20 }, async () => {
      await fairShare();
      workFor(1);
      done.push('one of many');
    });
    setImmediate(() => done.push('another'));
    await Promise.all(many);
    const before = done.indexOf('another');
    assert.ok(before >= 0 && before <= 3, `${before}`);
  });

  it('goes to who came first, and to the next when that one has come to a pause', async () => {
    const done: string[] = [];
    const many = Array.from({ length: 20 }, async (_, index) => {
      await fairShare();
      done.push(`${index} begins`);
      for (let steps = 0; steps < 5; steps++) await undefined;
      workFor(0.5);
      done.push(`${index} pauses`);
    });
    await Promise.all(many);
    assert.deepEqual(
      done,
      many.flatMap((_, index) => [`${index} begins`, `${index} pauses`]),
    );
  });

  it('is there again for who comes when all have had theirs', async () => {
    for (let times = 0; times < 3; times++) await Promise.all([fairShare(), fairShare()]);
  });
});
