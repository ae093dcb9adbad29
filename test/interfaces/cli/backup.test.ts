import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { hark, TemporaryFolder, writeStory } from './hark.ts';
import { WriterProcess } from './writerProcess.ts';

describe.concurrent('hark backup and hark restore', () => {
  test('bring a log to another folder as it was', async () => {
    using folder = new TemporaryFolder();
    const [source, file, target] = ['source', 'file', 'target'].map((name) => join(folder.path, name));
    if (!source || !file || !target) throw new Error('No names');
    await writeStory(source);
    const backup = await hark(['backup', file, '--data-dir', source]);
    assert.equal(backup.stderr, '');
    assert.equal(backup.stdout, `${source} → ${file}\n5 events, head 5, 0 keys; verified\n`);
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

  test('leave no log behind when the backup cannot be restored', async () => {
    using folder = new TemporaryFolder();
    const within = (name: string) => join(folder.path, name);
    await writeStory(within('source'));
    assert.equal((await hark(['backup', within('good'), '--data-dir', within('source')])).code, 0);
    copyFileSync(within('good'), within('torn'));
    truncateSync(within('torn'), statSync(within('torn')).size - 4_096);
    copyFileSync(within('good'), within('altered'));
    const bytes = readFileSync(within('altered'));
    bytes.write('x', bytes.indexOf('keyword'));
    writeFileSync(within('altered'), bytes);
    writeFileSync(within('foreign'), 'a diary, and no database at all. '.repeat(100));
    for (const name of ['missing', 'torn', 'altered', 'foreign', 'source']) {
      const { code, stderr } = await hark(['restore', within(name), '--data-dir', within('target')]);
      assert.equal(code, 1, name);
      assert.match(stderr, new RegExp(`^hark: ${within(name)}: [^\n]+\n$`));
      assert.equal(existsSync(within('target')), false, name);
    }
  });

  test('say in one line that the folder for the backup does not exist', async () => {
    using folder = new TemporaryFolder();
    await writeStory(folder.path);
    const nowhere = join(folder.path, 'nowhere');
    const file = join(nowhere, 'x.db');
    const { code, stderr } = await hark(['backup', file, '--data-dir', folder.path]);
    assert.equal(code, 1);
    assert.equal(stderr, `hark: ${file}: The folder ${nowhere} does not exist\n`);
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
