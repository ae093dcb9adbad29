import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { faultOf, NotOurOwn, readOwnFile } from '../../src/gateways/ownFile.ts';
import { WorkflowFolder } from '../../src/gateways/workflows/folder.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { skippedFor } from '../support/skippedFor.ts';

const own = process.getuid?.() ?? 0;
const home = temporaryFolder('own-file');
const noOwners = process.getuid ? false : 'files have no owners here';

test('what others may write is not our own', { ...skippedFor(noOwners) }, () => {
  const written = /writable by others/;
  for (const mode of [0o600, 0o400, 0o644, 0o755, 0o640]) {
    assert.equal(faultOf({ mode, uid: own }), undefined);
    assert.equal(faultOf({ mode, uid: 0 }), undefined);
    assert.match(faultOf({ mode, uid: own + 1 }) ?? '', /belongs to another user/);
  }
  for (const mode of [0o620, 0o602, 0o666, 0o777, 0o664])
    assert.match(faultOf({ mode, uid: 0 }) ?? '', written);
});

test('a file is read while only its owner may write it', { ...skippedFor(noOwners) }, async () => {
  const path = join(home, 'file');
  writeFileSync(path, 'text');
  chmodSync(path, 0o644);
  assert.equal(await readOwnFile(path), 'text');
  chmodSync(path, 0o646);
  await assert.rejects(readOwnFile(path), NotOurOwn);
});

test('a workflow that others may write is a problem with a word', { ...skippedFor(noOwners) }, async () => {
  const path = join(home, 'workflows');
  const folder = new WorkflowFolder(path, () => undefined);
  mkdirSync(path, { mode: 0o755 });
  for (const [name, mode] of [
    ['good.yaml', 0o644],
    ['open.yaml', 0o666],
  ] as const) {
    writeFileSync(join(path, name), name);
    chmodSync(join(path, name), mode);
  }
  assert.deepEqual(await folder.read(), [
    { name: 'good.yaml', text: 'good.yaml' },
    { name: 'open.yaml', problem: 'It is writable by others: run chmod go-w on it' },
  ]);
  chmodSync(path, 0o777);
  const problem = 'Its folder is writable by others: run chmod go-w on it';
  assert.deepEqual(await folder.read(), [
    { name: 'good.yaml', problem },
    { name: 'open.yaml', problem },
  ]);
  renameSync(join(path, 'good.yaml'), join(path, 'good.txt'));
  renameSync(join(path, 'open.yaml'), join(path, 'open.txt'));
  assert.deepEqual(await folder.read(), []);
});
