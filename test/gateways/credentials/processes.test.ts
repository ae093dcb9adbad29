import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { DataDirectory } from './directory.ts';

const writer = fileURLToPath(new URL('./writerProcess.ts', import.meta.url));
const COUNT = 15;

test('two processes that write at the same time lose nothing of each other, from the first key on', async (t) => {
  const directory = new DataDirectory(t);
  const names = ['one', 'other'];
  const children = names.map((name) =>
    spawn(process.execPath, [writer, directory.path, name, String(COUNT)], { stdio: 'inherit' }),
  );
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
  assert.deepEqual(codes, [0, 0]);
  const keys = await directory.open().keys();
  assert.equal(keys.size, names.length * COUNT);
  for (const name of names)
    for (let number = 0; number < COUNT; number++)
      assert.equal(keys.get(`provider-${name}-${number}`), `sk-${name}-${number}`);
});

test('a writer that is killed leaves the file whole and the lock free', async (t) => {
  const directory = new DataDirectory(t);
  const credentials = directory.open();
  await credentials.store('provider-mine', 'sk-mine');
  for (let round = 0; round < 5; round++) {
    const child = spawn(process.execPath, [writer, directory.path, `killed-${round}`, '1000']);
    while (!(await directory.open().keys()).has(`provider-killed-${round}-1`)) await credentials.reload();
    child.kill('SIGKILL');
    await once(child, 'exit');
    await credentials.check();
    await credentials.store('provider-mine', `sk-mine-${round}`);
    const keys = await credentials.keys();
    assert.equal(keys.get('provider-mine'), `sk-mine-${round}`);
    assert(keys.has(`provider-killed-${round}-1`));
  }
});
