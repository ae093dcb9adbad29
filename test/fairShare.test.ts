import assert from 'node:assert/strict';
import { test } from 'vitest';
import { fairShare } from '../src/fairShare.ts';

test('many that go on at the same moment leave time to others', async () => {
  const done: string[] = [];
  const many = Array.from({ length: 20 }, async () => {
    await fairShare();
    for (const started = performance.now(); performance.now() - started < 1; );
    done.push('one of many');
  });
  setImmediate(() => done.push('another'));
  await Promise.all(many);
  const before = done.indexOf('another');
  assert.ok(before >= 0 && before <= 6, `${before}`);
});
