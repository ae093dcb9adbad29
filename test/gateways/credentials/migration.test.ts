import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'vitest';
import { DataDirectory } from './directory.ts';

const fixture = join(import.meta.dirname, '../../../migrations/credentials/v0');
const keys = {
  'provider-cloud-a': 'fixture-key-of-cloud-a',
  'provider-gateway': 'fixture-key-of-gateway-that-is-longer-than-one-block',
};

test('a file of version 0 is brought up to date when it is first read', async (t) => {
  const directory = new DataDirectory(t);
  directory.fill(fixture);
  assert.deepEqual(Object.fromEntries(await directory.open().keys()), keys);
  const { format, version } = JSON.parse(directory.read());
  assert.deepEqual({ format, version }, { format: 'hark-credentials', version: 1 });
  assert.equal(directory.mode('credentials.json'), 0o600);
  const migrated = directory.read();
  assert.deepEqual(Object.fromEntries(await directory.open().keys()), keys);
  assert.equal(directory.read(), migrated, 'it is migrated once');
});

test('a change migrates as well, and several at once migrate once', async (t) => {
  const directory = new DataDirectory(t);
  directory.fill(fixture);
  const [one, other] = [directory.open(), directory.open()];
  await Promise.all([one.store('provider-cloud-b', 'sk-b'), other.keys(), directory.open().keys()]);
  const all = Object.fromEntries(await directory.open().keys());
  assert.deepEqual(all, { ...keys, 'provider-cloud-b': 'sk-b' });
});

test('a file of version 0 from another machine, or one that is damaged, is left as it is', async (t) => {
  const directory = new DataDirectory(t);
  directory.fill(fixture);
  const before = directory.read();
  // Without authentication a wrong key is not always noticed by the padding; whatever it gives is no key.
  for (let tries = 0; tries < 20; tries++) {
    directory.write(randomBytes(32).toString('hex'), 'credentials.secret');
    await assert.rejects(directory.open().check(), /another machine secret/);
  }
  assert.equal(directory.read(), before);
  directory.fill(fixture);
  directory.write(before.replace('ee97', 'zz97'));
  await assert.rejects(directory.open().check(), /damaged/);
});
