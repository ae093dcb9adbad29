import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { isHarkError } from '../../src/errors.ts';
import { Credentials } from '../../src/gateways/credentials/credentials.ts';
import { statuses } from '../../src/interfaces/rest/statuses.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { skippedFor } from '../support/skippedFor.ts';
import { noSmallDisk, SmallDisk } from '../support/smallDisk.ts';

const folder = temporaryFolder('full-credentials');
const isFull = (error: unknown) => isHarkError(error, 'STORAGE_FULL') && statuses[error.code] === 503;

test('a key that finds no room leaves those before it as they were', {
  ...skippedFor(noSmallDisk),
}, async (t) => {
  const place = join(folder, 'disk');
  const disk = new SmallDisk(place, 1);
  t.onTestFinished(() => disk.unmount());
  const directory = join(place, 'data');
  const open = () => new Credentials({ directory, enforceSalt: false });
  const credentials = open();
  await credentials.store('provider-cloud-a', 'sk-first');
  const names = readdirSync(directory);
  const bytes = readFileSync(join(directory, 'credentials.json'));

  disk.fill();
  await assert.rejects(credentials.store('provider-cloud-a', 'sk-second'), isFull);
  await assert.rejects(credentials.remove('provider-cloud-a'), isFull);
  await assert.rejects(credentials.clear(), isFull);
  assert.deepEqual(readFileSync(join(directory, 'credentials.json')), bytes);
  assert.deepEqual(readdirSync(directory), names);
  for (const one of [credentials, open()])
    assert.deepEqual([...(await one.keys())], [['provider-cloud-a', 'sk-first']]);

  disk.makeRoom();
  assert.equal(await credentials.store('provider-cloud-a', 'sk-second'), 'rotated');
  assert.deepEqual([...(await open().keys())], [['provider-cloud-a', 'sk-second']]);
});

test('the first key on a full disk is not half there', { ...skippedFor(noSmallDisk) }, async (t) => {
  const place = join(folder, 'first');
  const disk = new SmallDisk(place, 1);
  t.onTestFinished(() => disk.unmount());
  const credentials = new Credentials({ directory: join(place, 'data'), enforceSalt: false });
  disk.fill();
  await assert.rejects(credentials.store('provider-cloud-a', 'sk-first'), isFull);
  assert.equal((await credentials.keys()).size, 0);
  disk.makeRoom();
  assert.equal(await credentials.store('provider-cloud-a', 'sk-first'), 'created');
});
