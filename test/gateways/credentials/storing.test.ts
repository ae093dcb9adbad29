import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { test } from 'vitest';
import { DataDirectory } from './directory.ts';

const A = 'provider-cloud-a';
const B = 'provider-cloud-b';

test('a stored key is there for the next process, and says whether it was there before', async (t) => {
  const directory = new DataDirectory(t);
  const credentials = directory.open();
  assert.deepEqual([...(await credentials.keys())], []);
  assert.deepEqual(directory.names(), [], 'nothing is made before there is something to keep');
  assert.equal(await credentials.store(A, 'sk-first'), 'created');
  assert.equal(await credentials.store(B, 'sk-other'), 'created');
  assert.equal(await credentials.store(A, 'sk-second'), 'rotated');
  assert.equal(await credentials.store(A, 'sk-second'), 'unchanged');
  assert.deepEqual(Object.fromEntries(await credentials.keys()), { [A]: 'sk-second', [B]: 'sk-other' });
  const next = directory.open();
  assert.deepEqual(await next.keys(), await credentials.keys());
  assert.equal(await next.remove(A), true);
  assert.equal(await next.remove(A), false);
  assert.deepEqual(await next.clear(), [B]);
  assert.deepEqual(await next.clear(), []);
  assert.equal((await directory.open().keys()).size, 0);
});

test('the files are for their owner alone, also where they were open before', async (t) => {
  const directory = new DataDirectory(t);
  const credentials = directory.open();
  await credentials.store(A, 'sk-first');
  const files = ['credentials.json', 'credentials.lock', 'credentials.salt', 'credentials.secret'];
  assert.deepEqual(directory.names(), files);
  for (const name of files) assert.equal(directory.mode(name), 0o600, name);
  for (const name of ['credentials.json', 'credentials.salt', 'credentials.secret'])
    chmodSync(directory.file(name), 0o644);
  await directory.open().keys();
  for (const name of files) assert.equal(directory.mode(name), 0o600, name);
});

test('salt and secret have 32 bytes, and no encryption repeats its IV of 12', async (t) => {
  const directory = new DataDirectory(t);
  const credentials = directory.open();
  const ivs = new Set<string>();
  for (const key of ['sk-1', 'sk-2', 'sk-1']) {
    await credentials.store(A, key);
    await credentials.store(B, key);
    const { credentials: entries } = JSON.parse(directory.read());
    for (const { iv } of Object.values<{ iv: string }>(entries)) {
      assert.equal(Buffer.from(iv, 'base64').length, 12);
      ivs.add(iv);
    }
  }
  assert.equal(ivs.size, 6);
  for (const name of ['credentials.salt', 'credentials.secret'])
    assert.match(directory.read(name), /^[0-9a-f]{64}\n$/);
  assert.notEqual(directory.read('credentials.salt'), directory.read('credentials.secret'));
  assert.doesNotMatch(directory.read(), /sk-/);
});

test('salt and secret from the environment are kept in no file', async (t) => {
  const directory = new DataDirectory(t);
  const given = { salt: randomBytes(32).toString('hex'), secret: randomBytes(32).toString('base64') };
  await directory.open(given).store(A, 'sk-first');
  assert.deepEqual(directory.names(), ['credentials.json', 'credentials.lock']);
  assert.equal((await directory.open(given).keys()).get(A), 'sk-first');
  const salt = Buffer.from(given.salt, 'hex').toString('base64');
  assert.equal((await directory.open({ ...given, salt }).keys()).get(A), 'sk-first', 'either notation');
  const wrong = directory.open({ ...given, salt: randomBytes(32).toString('hex') });
  await assert.rejects(wrong.check(), /made with another machine secret or salt/);
});

test('in production no salt is made up, and one that is given or lies there counts', async (t) => {
  const directory = new DataDirectory(t);
  const production = directory.open({ enforceSalt: true });
  await production.check();
  await assert.rejects(production.store(A, 'sk-first'), /SERVICE_CREDENTIAL_SALT/);
  assert.deepEqual(directory.names(), ['credentials.lock']);
  const given = { enforceSalt: true, salt: randomBytes(32).toString('hex') };
  assert.equal(await directory.open(given).store(A, 'sk-first'), 'created');
  directory.write(`${given.salt}\n`, 'credentials.salt');
  await production.check();
  assert.equal((await production.keys()).get(A), 'sk-first');
});

test('what a killed writer left is cleared away by the next', async (t) => {
  const directory = new DataDirectory(t);
  const credentials = directory.open();
  await credentials.store(A, 'sk-first');
  directory.write('half a docu', 'credentials.json.0000.part');
  assert.equal((await directory.open().keys()).get(A), 'sk-first');
  await credentials.store(A, 'sk-second');
  assert(!directory.names().some((name) => name.endsWith('.part')));
});

test('the main thread goes on while the key is derived', async (t) => {
  const directory = new DataDirectory(t);
  // Of the processor's time: how often a busy machine lets the thread go on says nothing of what holds it up.
  const [ofThread, ofAll] = [process.threadCpuUsage(), process.cpuUsage()];
  await directory.open().store(A, 'sk-first');
  const [thread, all] = [process.threadCpuUsage(ofThread), process.cpuUsage(ofAll)];
  const share = (thread.user + thread.system) / (all.user + all.system);
  assert(share < 0.5, `${share} of the work`);
});
