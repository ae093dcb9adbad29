import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { providersAt } from '../support/models/environment.ts';
import { InProcessService } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';

const DEVICE = join(import.meta.dirname, '../../examples/device.py');
const noPython = spawnSync('python3', ['--version']).status === 0 ? false : 'python3 is not installed';

describe('the device in Python', { ...skippedFor(noPython) }, () => {
  let models: ScriptedModels;
  let service: InProcessService;
  let folder: string;
  beforeAll(async () => {
    models = (await ScriptedModels.start()).script(() => says('At noon.'));
    service = await InProcessService.start({ SERVICE_API_KEY: 'the-api-key', ...providersAt(models) });
    folder = mkdtempSync(join(tmpdir(), 'hark-example-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await service.stop();
    await models.stop();
  });

  const run = async (...words: readonly string[]) => {
    const child = spawn('python3', [DEVICE, ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { out, error };
  };

  test('is paired by the address of a code, and speaks for its user', async () => {
    const headers = { authorization: 'Bearer the-api-key', 'X-User-Id': 'ann' };
    const made = await service.ask<{ url: string }>('POST', '/api/devices/pairing-codes', {
      headers,
      body: {},
    });
    const paired = await run(made.body.url);
    const [, id = ''] = /^paired as ([\w-]+)\n$/.exec(paired.out) ?? [];
    assert.notEqual(id, '', paired.error);
    assert.equal(statSync(join(folder, 'hark-device.json')).mode & 0o777, 0o600);
    assert.deepEqual(await run('When', 'is', 'lunch?'), { out: 'At noon.\n', error: '' });
    const { text: history } = await service.get(`/api/chat/history/${id}`, headers);
    assert.match(history, /When is lunch\?/);
    const again = await run(made.body.url);
    assert.match(again.error, /^403: .*PAIRING_CODE_INVALID/);
  });
});
