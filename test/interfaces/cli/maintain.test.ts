import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { sends } from '../../../src/demo/model/script.ts';
import { ScriptedModels } from '../../../src/demo/model/scriptedModels.ts';
import { InProcessService, TEST_NOW } from '../../support/service.ts';
import { hark, TemporaryFolder } from './hark.ts';

const LONG = 'The user goes hiking in the mountains with both dogs every weekend when the weather is fine';

/** A service that remembers the same twice, and what the command line does with it. */
async function started(environment: Record<string, string> = {}) {
  const folder = new TemporaryFolder();
  const kept = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: folder.path };
  const service = await InProcessService.start({ ...kept, ...environment });
  const run = (...args: readonly string[]) => hark(args, { HARK_URL: service.url });
  for (const text of [LONG, `${LONG} outside`]) {
    await service.ask('POST', '/api/memory/conclusions', { body: { text } });
    await service.advance(1);
  }
  return { folder, service, run };
}

describe('hark memory maintain', () => {
  test('says what a sweep would do, and does it', async () => {
    const { folder, service, run } = await started();
    const tried = await run('memory', 'maintain', '--dry-run');
    assert.match(tried.stdout, /merged 1/);
    assert.match(tried.stdout, /^ {2}merged {2}\S+ {2}Says the same as /m);
    assert.equal(JSON.parse((await run('memory', 'maintain', '--json')).stdout).summary.redundant, 1);
    assert.match((await run('memory', 'maintain')).stdout, /merged 0/);
    await service.stop();
    folder[Symbol.dispose]();
  });

  test('says by its exit code why there was none', async () => {
    const off = await started({ SERVICE_MAINTENANCE_ENABLED: 'false' });
    const { code, stderr } = await off.run('memory', 'maintain');
    assert.deepEqual([code, stderr.trim().split('\n').length], [3, 1]);
    await off.service.stop();
    off.folder[Symbol.dispose]();
    const models = await ScriptedModels.start();
    models.script(sends(200, { models: [{ expires_at: '2318-03-04T05:06:07+01:00' }] }), {
      endpoint: 'running',
    });
    const busy = await started({
      SERVICE_BACKGROUND_WORK_POLICY: 'auto',
      OLLAMA_HOST: models.url('local-runner'),
    });
    await busy.service.put('/api/slots', {
      slots: { chat: { provider: 'local-runner', model: 'llama3.2' } },
    });
    assert.equal((await busy.run('memory', 'maintain')).code, 2);
    await busy.service.stop();
    await models.stop();
    busy.folder[Symbol.dispose]();
  });
});

describe('hark replay --what-if', () => {
  test('sweeps a copy with other thresholds, and writes nothing', async () => {
    const { folder, service } = await started();
    await service.stop();
    const at = ['--until', String(TEST_NOW + 10), '--data-dir', folder.path];
    const report = async (whatIf: string) => {
      const { code, stdout, stderr } = await hark(['replay', '--what-if', whatIf, '--json', ...at]);
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout).report;
    };
    assert.equal((await report('prune=0.5,stale=30')).summary.redundant, 1);
    assert.equal((await report('similarity=1')).summary.redundant, 0);
    const shown = await hark(['replay', '--show', 'conclusions', '--json', ...at]);
    assert.deepEqual(
      JSON.parse(shown.stdout).entries.map(({ status }: { status: string }) => status),
      ['active', 'active'],
    );
    for (const wrong of ['prune', 'prune=2', 'dust=1', ''])
      assert.equal((await hark(['replay', '--what-if', wrong, ...at])).code, 64, wrong);
    assert.equal((await hark(['replay', ...at])).code, 64);
    folder[Symbol.dispose]();
  });
});
