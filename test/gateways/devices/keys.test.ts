import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, it } from 'vitest';
import { isPublicKey, isSigned, serviceKeyFrom } from '../../../src/gateways/devices/keys.ts';

/** RFC 8032, 7.1, the first of its tests. */
const SEED = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
const PUBLIC = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex');

describe('keys', () => {
  it('are made of a seed as the standard has them', () =>
    assert.equal(serviceKeyFrom(SEED).publicKey, PUBLIC.toString('base64url')));

  it('sign, and what they signed holds for them and that text alone', () => {
    const { publicKey, sign: signs } = serviceKeyFrom(SEED);
    const signature = signs('text');
    assert.ok(isSigned('text', signature, publicKey));
    assert.ok(!isSigned('test', signature, publicKey));
    const { publicKey: other, privateKey } = generateKeyPairSync('ed25519');
    assert.ok(
      !isSigned('text', sign(null, Buffer.from('text'), privateKey).toString('base64url'), publicKey),
    );
    assert.ok(!isSigned('text', signature, other.export({ format: 'jwk' }).x ?? ''));
  });

  it('take what is no signature for none', () => {
    const { publicKey } = serviceKeyFrom(SEED);
    for (const signature of ['', 'A'.repeat(85), 'A'.repeat(86), '?'.repeat(86), 'A'.repeat(200)])
      assert.ok(!isSigned('text', signature, publicKey));
    assert.ok(!isSigned('text', 'A'.repeat(86), 'no key'));
  });

  it('are 32 bytes, written in one way, and of no small order', () => {
    assert.ok(isPublicKey(PUBLIC.toString('base64url')));
    const small = ['01', 'ec', 'ed', 'ee'].flatMap((first) =>
      ['7f', 'ff', '00', '80'].map((last) => `${first}${(first === '01' ? '00' : 'ff').repeat(30)}${last}`),
    );
    const anybodys = small.filter((hex) => hex.startsWith('01') !== /[7f]f$/.test(hex));
    for (const hex of [...anybodys, '00'.repeat(32), `${'00'.repeat(31)}80`])
      assert.ok(!isPublicKey(Buffer.from(hex, 'hex').toString('base64url')), hex);
    const text = PUBLIC.toString('base64url');
    for (const other of [text.slice(1), `${text}=`, `${text.slice(0, -1)}${'p'}`, ''])
      assert.ok(!isPublicKey(other) || other === text, other);
  });
});
