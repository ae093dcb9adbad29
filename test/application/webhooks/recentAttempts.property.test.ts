import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { RecentAttempts } from '../../../src/application/webhooks/recentAttempts.ts';

const attempts = fc.array(
  fc.record({ webhook: fc.nat(2), position: fc.nat(150), reason: fc.constantFrom(null, 'TIMEOUT') }),
  { maxLength: 400 },
);

test.prop([attempts])('the last attempts of a webhook are known, each with how often it was tried', (all) => {
  const recent = new RecentAttempts();
  for (const { webhook, ...one } of all) recent.note(`w${webhook}`, { ...one, at: 1, ms: 1, status: null });
  for (const webhook of [0, 1, 2]) {
    const own = all.filter((one) => one.webhook === webhook).map(({ position }) => position);
    const last = new Set(own.toReversed());
    const kept = [...last].slice(0, 100);
    for (const position of last) {
      const known = recent.of(`w${webhook}`, position);
      assert.equal(known !== undefined, kept.includes(position));
      const reason = all.findLast((one) => one.webhook === webhook && one.position === position)?.reason;
      if (known) assert.equal(known.reason, reason);
      if (known && last.size <= 100)
        assert.equal(known.attempts, own.filter((each) => each === position).length);
    }
  }
});

test('of many webhooks those to which nothing happened for longest are let go', () => {
  const recent = new RecentAttempts();
  const note = (name: string) => recent.note(name, { position: 1, at: 1, ms: 1, status: 200, reason: null });
  note('first');
  note('second');
  for (let n = 0; n < 498; n++) note(`w${n}`);
  note('first');
  note('last');
  assert.deepEqual(
    ['first', 'second', 'w0', 'last'].map((name) => recent.of(name, 1)?.attempts),
    [2, undefined, 1, 1],
  );
});
