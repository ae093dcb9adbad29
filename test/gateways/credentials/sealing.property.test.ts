import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { fc, test } from '@fast-check/vitest';
import { openDocument, renderDocument } from '../../../src/gateways/credentials/document.ts';
import { deriveKeys, seal, unseal } from '../../../src/gateways/credentials/sealing.ts';

const keys = await deriveKeys({ secret: randomBytes(32), salt: randomBytes(32) });
const providerId = fc.stringMatching(/^provider-[a-z-]{1,30}$/);
const apiKey = fc.string({ minLength: 1, maxLength: 256, unit: 'grapheme' });
const stored = fc.dictionary(providerId, apiKey, { maxKeys: 5 });

test.prop([stored])('what was written is read back', (entries) => {
  const opened = openDocument(renderDocument(new Map(Object.entries(entries)), keys), keys);
  assert.deepEqual({ ...Object.fromEntries(opened) }, { ...entries });
});

test.prop([stored, fc.nat(), fc.integer({ min: 1, max: 255 })], { numRuns: 500 })(
  'no byte can be other than it was written',
  (entries, place, change) => {
    const file = Buffer.from(renderDocument(new Map(Object.entries(entries)), keys));
    const at = place % file.length;
    file[at] = (file[at] ?? 0) ^ change;
    assert.throws(() => openDocument(file.toString('utf8'), keys), { code: 'CREDENTIALS_UNAVAILABLE' });
  },
);

test('nothing can be cut off or put behind', () => {
  const file = renderDocument(new Map([['provider-gateway', 'sk-secret']]), keys);
  for (let length = 0; length < file.length; length++)
    assert.throws(() => openDocument(file.slice(0, length), keys), { code: 'CREDENTIALS_UNAVAILABLE' });
  assert.throws(() => openDocument(`${file}\n`, keys), { code: 'CREDENTIALS_UNAVAILABLE' });
});

test.prop([providerId, providerId, apiKey])(
  'a key opens only for the provider it was sealed for',
  (own, other, plain) => {
    fc.pre(own !== other);
    const sealed = seal(plain, own, keys.encryption);
    assert.equal(unseal(sealed, own, keys.encryption), plain);
    assert.throws(() => unseal(sealed, other, keys.encryption));
  },
);

test.prop([apiKey, fc.constantFrom('iv', 'tag', 'data'), fc.nat(), fc.integer({ min: 1, max: 255 })])(
  'any byte of a sealed key that differs is noticed',
  (plain, part, place, change) => {
    const sealed = seal(plain, 'provider-gateway', keys.encryption);
    const bytes = Buffer.from(sealed[part], 'base64');
    const at = place % bytes.length;
    bytes[at] = (bytes[at] ?? 0) ^ change;
    const altered = { ...sealed, [part]: bytes.toString('base64') };
    assert.throws(() => unseal(altered, 'provider-gateway', keys.encryption));
  },
);

test('a tag of a sealed key that was cut short is noticed', () => {
  const sealed = seal('sk-secret', 'provider-gateway', keys.encryption);
  const tag = Buffer.from(sealed.tag, 'base64').subarray(0, 4).toString('base64');
  assert.throws(() => unseal({ ...sealed, tag }, 'provider-gateway', keys.encryption));
});
