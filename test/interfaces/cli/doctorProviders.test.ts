import assert from 'node:assert/strict';
import { type TestContext, test } from 'vitest';
import { fails, resets, sends } from '../../../src/demo/model/script.ts';
import { ScriptedModels } from '../../../src/demo/model/scriptedModels.ts';
import { hark, TemporaryFolder } from './hark.ts';

async function examine(test: TestContext, models: ScriptedModels, environment: Record<string, string>) {
  const folder = new TemporaryFolder();
  test.onTestFinished(() => folder[Symbol.dispose]());
  const { stdout } = await hark(['doctor', '--json'], {
    SERVICE_DATA_DIR: folder.path,
    HEALTH_PORT: '0',
    MCP_PORT: '0',
    AUDIO_PORT: '0',
    ANTHROPIC_BASE_URL: models.url('cloud-a'),
    OPENAI_BASE_URL: models.url('cloud-b'),
    OPENROUTER_BASE_URL: models.url('gateway'),
    ...environment,
  });
  assert.doesNotMatch(stdout, /right-key|wrong-key/);
  const { findings }: { findings: { check: string; level: string; message: string; mend?: string }[] } =
    JSON.parse(stdout);
  return findings.filter(({ check }) => check === 'providers');
}

test('asks every provider that has a key, and says how to mend what is wrong', async (t) => {
  const models = await ScriptedModels.start();
  t.onTestFinished(() => models.stop());
  models.acceptKeys('cloud-a', 'right-key');
  models.acceptKeys('cloud-b', 'right-key');
  const findings = await examine(t, models, {
    ANTHROPIC_API_KEY: 'right-key',
    OPENAI_API_KEY: 'wrong-key',
    OLLAMA_HOST: models.url('local-runner'),
  });
  assert.deepEqual(
    findings.map(({ level, message }) => [level, message]),
    [
      ['ok', 'cloud-a answers'],
      ['fail', 'cloud-b: The provider refused the key'],
      ['ok', 'gateway has no key'],
      ['ok', 'local-runner answers'],
    ],
  );
  assert.match(findings[1]?.mend ?? '', /OPENAI_API_KEY/);
});

test('misses a local runner only where it was told of one', async (t) => {
  const models = await ScriptedModels.start();
  t.onTestFinished(() => models.stop());
  const url = models.url('local-runner');
  await models.refuse();
  const told = await examine(t, models, { OLLAMA_HOST: url });
  assert.deepEqual(told.at(-1)?.level, 'fail');
});

test('an account without credit is told from a wrong key', async (t) => {
  const models = await ScriptedModels.start();
  t.onTestFinished(() => models.stop());
  models.script(fails('billing'), { endpoint: 'models' });
  const [finding] = await examine(t, models, { ANTHROPIC_API_KEY: 'right-key' });
  assert.equal(finding?.level, 'warn');
  assert.match(finding?.message ?? '', /no credit/);
});

test('what to do follows from what is wrong', async (t) => {
  const models = await ScriptedModels.start();
  t.onTestFinished(() => models.stop());
  for (const [reply, level, mend] of [
    [resets(), 'fail', /ANTHROPIC_BASE_URL/],
    [sends(200, '<html>'), 'fail', /ANTHROPIC_BASE_URL/],
    [fails('overloaded'), 'warn', /it ends by itself/],
    [fails('revoked-key'), 'fail', /ANTHROPIC_API_KEY/],
  ] as const) {
    models.reset();
    models.script(reply, { endpoint: 'models', provider: 'cloud-a' });
    const [finding] = await examine(t, models, { ANTHROPIC_API_KEY: 'right-key' });
    assert.equal(finding?.level, level);
    assert.match(finding?.mend ?? '', mend);
  }
});
