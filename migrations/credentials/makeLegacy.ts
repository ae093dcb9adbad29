import { createCipheriv, createHash, scryptSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Wrote the fixture in v0/, and would write the same bytes again: node migrations/credentials/makeLegacy.ts
 *
 * Version 0 of the credential file names no format and no version. Its key comes from scrypt with N=1024, r=8,
 * p=1 over the machine secret and the salt; each provider key is AES-256-CBC with a random IV, written as
 * "iv:data" in hexadecimal digits. Nothing is authenticated. The keys in the fixture open nothing.
 */

const folder = join(import.meta.dirname, 'v0');
const apiKeys = {
  'provider-cloud-a': 'fixture-key-of-cloud-a',
  'provider-gateway': 'fixture-key-of-gateway-that-is-longer-than-one-block',
};

const bytesFrom = (seed: string) => createHash('sha256').update(seed).digest();
const secret = bytesFrom('machine secret of the fixture');
const salt = bytesFrom('salt of the fixture');
const key = scryptSync(secret, salt, 32, { N: 1_024, r: 8, p: 1 });

const credentials = Object.fromEntries(
  Object.entries(apiKeys).map(([providerId, apiKey]) => {
    const iv = bytesFrom(`iv of ${providerId}`).subarray(0, 16);
    const cipher = createCipheriv('aes-256-cbc', key, iv);
    const data = Buffer.concat([cipher.update(apiKey, 'utf8'), cipher.final()]);
    return [providerId, `${iv.toString('hex')}:${data.toString('hex')}`];
  }),
);

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'credentials.json'), `${JSON.stringify({ credentials }, null, 2)}\n`);
writeFileSync(join(folder, 'credentials.secret'), `${secret.toString('hex')}\n`);
writeFileSync(join(folder, 'credentials.salt'), `${salt.toString('hex')}\n`);
