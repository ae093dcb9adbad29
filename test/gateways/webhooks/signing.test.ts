import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { isSecret, newSecret } from '../../../src/gateways/webhooks/signing.ts';

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

describe('a secret', () => {
  for (const bytes of [24, 32, 64])
    test(`may have ${bytes} bytes`, () => assert.equal(isSecret(secretOf(bytes)), true));

  for (const bytes of [0, 23, 65])
    test(`may not have ${bytes} bytes`, () => assert.equal(isSecret(secretOf(bytes)), false));

  for (const secret of [secretOf(32).slice(6), `${secretOf(32)}!`, `whsec_ ${secretOf(32).slice(6)}`, ''])
    test(`is not «${secret}»`, () => assert.equal(isSecret(secret), false));

  test('that is made is one, and another each time', () => {
    const [one, other] = [newSecret(), newSecret()];
    assert.ok(isSecret(one) && isSecret(other));
    assert.notEqual(one, other);
  });
});
