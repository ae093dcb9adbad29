import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { ScriptedModels } from '../../../src/demo/model/scriptedModels.ts';
import { providersAt } from '../../support/models/environment.ts';
import { InProcessService } from '../../support/service.ts';
import { hark, TemporaryFolder } from './hark.ts';

describe('hark keys', () => {
  let models: ScriptedModels;
  let service: InProcessService;
  beforeAll(async () => {
    models = await ScriptedModels.start();
    const { ANTHROPIC_API_KEY: _key, ...providers } = providersAt(models);
    service = await InProcessService.start({ API_RATE_LIMIT: '1000', CHAT_RATE_LIMIT: '1000', ...providers });
  });
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });
  const keys = (args: readonly string[], input?: string) =>
    hark(['keys', ...args], { HARK_URL: service.url }, input);

  test('are tried, stored, listed and removed, and never shown', async () => {
    assert.match(
      (await keys(['list'])).stdout,
      /^Anthropic +no key \(hark keys add, or ANTHROPIC_API_KEY\)$/m,
    );
    const added = await keys(['add', 'Anthropic'], 'sk-from-a-pipe\n');
    assert.deepEqual(added, { code: 0, stdout: 'The key of Anthropic is stored\n', stderr: '' });
    const listed = await keys(['list']);
    assert.match(listed.stdout, /^Anthropic +stored$/m);
    assert.match(listed.stdout, /^OpenAI +from OPENAI_API_KEY$/m);
    assert.doesNotMatch(listed.stdout, /sk-from/);
    assert.equal((await keys(['remove', 'anthropic'])).code, 0);
    assert.match((await keys(['list'])).stdout, /^Anthropic +no key/m);
  });

  test('are read from a file', async () => {
    using folder = new TemporaryFolder();
    const file = join(folder.path, 'key');
    writeFileSync(file, 'sk-from-a-file\n');
    assert.equal((await keys(['add', 'openrouter', '--key-file', file, '--no-check'])).code, 0);
    const gone = await keys(['add', 'openrouter', '--key-file', join(folder.path, 'none')]);
    assert.equal(gone.code, 1);
    assert.match(gone.stderr, /cannot be read/);
  });

  test('that the provider refuses are not stored', async () => {
    models.acceptKeys('cloud-a', 'sk-good');
    const { code, stderr } = await keys(['add', 'anthropic'], 'sk-bad');
    assert.equal(code, 1);
    assert.match(stderr, /Anthropic does not take this key: .*Nothing was stored/);
    assert.doesNotMatch(stderr, /sk-bad/);
    assert.match((await keys(['list'])).stdout, /^Anthropic +no key/m);
  });

  test('are of providers that have one', async () => {
    assert.equal((await keys(['add', 'nobody'], 'k')).code, 64);
    const { code, stderr } = await keys(['add', 'ollama'], 'k');
    assert.equal(code, 64);
    assert.match(stderr, /needs no key/);
    assert.equal((await keys(['add', 'anthropic'], ' \n')).code, 64);
  });
});
