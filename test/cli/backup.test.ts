import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { hark, TemporaryFolder, writeStory } from './hark.ts';
import { WriterProcess } from './writerProcess.ts';

suite('hark backup and hark restore', { concurrency: 4 }, () => {
  test('bring a log to another folder as it was', async () => {
    using folder = new TemporaryFolder();
    const [source, file, target] = ['source', 'file', 'target'].map((name) => join(folder.path, name));
    if (!source || !file || !target) throw new Error('No names');
    await writeStory(source);
    const backup = await hark(['backup', file, '--data-dir', source]);
    assert.equal(backup.stderr, '');
    assert.equal(backup.stdout, `${source} → ${file}\n5 events, head 5, 0 keys; read back, and the same\n`);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const restore = await hark(['restore', file, '--json', '--data-dir', target]);
    assert.deepEqual(JSON.parse(restore.stdout), {
      from: file,
      to: target,
      events: 5,
      head: 5,
      keys: 0,
      readBack: true,
    });
    const looks = [source, target].map((place) => hark(['diff', '--from', '0', '--data-dir', place]));
    const [before, after] = await Promise.all(looks);
    assert.equal(after?.stdout, before?.stdout);
  });

  test('overwrite nothing', async () => {
    using folder = new TemporaryFolder();
    await writeStory(folder.path);
    const file = join(folder.path, 'file');
    const environment = { SERVICE_DATA_DIR: folder.path };
    assert.equal((await hark(['backup', file], environment)).code, 0);
    const again = await hark(['backup', file], environment);
    assert.equal(again.code, 1);
    assert.equal(again.stderr, `hark: ${file}: The target exists already; nothing was overwritten\n`);
    const restore = await hark(['restore', file], environment);
    assert.equal(restore.code, 1);
    assert.match(restore.stderr, /A backup is restored into an empty log only\n$/);
  });

  test('work beside a process that writes: backup copies, restore refuses', async () => {
    using folder = new TemporaryFolder();
    const [source, target] = [join(folder.path, 'source'), join(folder.path, 'target')];
    const file = join(folder.path, 'file');
    const writer = new WriterProcess(source);
    try {
      await writer.reach(20);
      const durable = writer.position;
      const backup = await hark(['backup', file, '--json', '--data-dir', source]);
      assert.equal(backup.stderr, '');
      assert.ok(JSON.parse(backup.stdout).head >= durable);
      const restore = await hark(['restore', file, '--data-dir', source]);
      assert.equal(restore.code, 1);
      assert.match(restore.stderr, new RegExp(`uses this data directory \\(process ${writer.pid}\\)\n$`));
      await writer.reach(writer.position + 20);
    } finally {
      assert.equal(await writer.stop(), 0);
    }
    assert.equal((await hark(['restore', file, '--data-dir', target])).code, 0);
    const { stdout } = await hark(['replay', '--show', 'settings', '--json', '--data-dir', target]);
    const { until, entries } = JSON.parse(stdout);
    assert.deepEqual(entries, [{ key: 'apiRateLimit', value: until.position }]);
  });
});
