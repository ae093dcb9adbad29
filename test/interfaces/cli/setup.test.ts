import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { says } from '../../../src/demo/model/script.ts';
import { ScriptedModels } from '../../../src/demo/model/scriptedModels.ts';
import { tlsIn } from '../../support/certificate.ts';
import { providersAt } from '../../support/models/environment.ts';
import { InProcessService } from '../../support/service.ts';
import { skippedFor } from '../../support/skippedFor.ts';
import { Terminal, terminalIsMissing } from '../../support/terminal.ts';
import { bin, hark, TemporaryFolder } from './hark.ts';

const LIMITS = { API_RATE_LIMIT: '1000', CHAT_RATE_LIMIT: '1000' };
const NOWHERE = 'http://127.0.0.1:9';
const { PATH = '' } = process.env;

let models: ScriptedModels;
beforeAll(async () => {
  models = await ScriptedModels.start();
});
afterEach(() => models.reset());
afterAll(() => models.stop());

/** Where providers are, without a key. */
function keyless(): Record<string, string> {
  const { ANTHROPIC_API_KEY, OPENAI_API_KEY, OPENROUTER_API_KEY, ...where } = providersAt(models);
  return { ...LIMITS, ...where, OLLAMA_HOST: NOWHERE };
}

async function chatSlot(service: InProcessService) {
  const { body } = await service.get<{ slots: { chat: { provider: string; model: string } | null } }>(
    '/api/slots',
  );
  return body.slots.chat;
}

describe('hark setup --json', () => {
  let service: InProcessService;
  afterEach(() => service?.stop());
  const setup = (...args: readonly string[]) => hark(['setup', '--json', '--url', service.url, ...args]);
  const stepsIn = (stdout: string) =>
    JSON.parse(stdout).steps.map(({ id, state }: { id: string; state: string }) => `${id} ${state}`);

  test('asks nothing, and says how far the setup has come', async () => {
    service = await InProcessService.start(keyless());
    const { code, stdout, stderr } = await setup();
    assert.equal(code, 0, stderr);
    assert.deepEqual(Object.keys(JSON.parse(stdout)), ['steps']);
    assert.deepEqual(stepsIn(stdout), ['model open', 'memory open', 'reach open']);
    assert.deepEqual(stepsIn((await setup('--skip', 'memory,reach')).stdout), [
      'model open',
      'memory skipped',
      'reach skipped',
    ]);
  });

  test('proves a model before it stores its key and sets its slot', async () => {
    service = await InProcessService.start(keyless());
    using folder = new TemporaryFolder();
    const file = join(folder.path, 'key');
    writeFileSync(file, 'the-right-key\n');
    models.acceptKeys('cloud-a', 'the-right-key');
    models.script(says('Hello.'));
    const args = ['--provider', 'anthropic', '--key-file', file, '--model', 'claude-haiku-4-5'];
    const { code, stdout, stderr } = await setup(...args);
    assert.equal(code, 0, stderr);
    assert.deepEqual(stepsIn(stdout), ['model done', 'memory open', 'reach open']);
    const chat = await chatSlot(service);
    assert.deepEqual([chat?.provider, chat?.model], ['cloud-a', 'claude-haiku-4-5']);
    // Once more does no harm.
    models.script(says('Hello.'));
    assert.equal((await setup(...args)).code, 0);
  });

  test('saves nothing of a model that does not answer, and shows no key', async () => {
    service = await InProcessService.start(keyless());
    using folder = new TemporaryFolder();
    const file = join(folder.path, 'key');
    writeFileSync(file, 'the-wrong-key');
    models.acceptKeys('cloud-a', 'the-right-key');
    const { code, stdout, stderr } = await setup('--provider', 'anthropic', '--key-file', file);
    assert.equal(code, 1);
    assert.match(stderr, /refused the key.*Nothing was saved/);
    assert.doesNotMatch(stdout + stderr, /the-wrong-key/);
    const { body } = await service.get('/api/credentials');
    assert.equal(body.count, 0);
  });

  test('takes a key that only its own environment has', async () => {
    service = await InProcessService.start(keyless());
    models.script(says('Hello.'));
    const args = ['setup', '--json', '--url', service.url, '--provider', 'openai'];
    const { code, stderr } = await hark(args, { OPENAI_API_KEY: 'a-key-of-this-terminal' });
    assert.equal(code, 0, stderr);
    assert.equal((await chatSlot(service))?.provider, 'cloud-b');
  });

  test('is asked rightly', async () => {
    service = await InProcessService.start(keyless());
    for (const wrong of [
      ['--skip', 'shoes'],
      ['--provider', 'nobody'],
      ['--model', 'x'],
      ['--key-file', 'x'],
    ])
      assert.equal((await setup(...wrong)).code, 64, String(wrong));
    const { code, stderr } = await hark(['setup', '--url', service.url]);
    assert.equal(code, 64);
    assert.match(stderr, /hark setup --json/);
    const nobody = await hark(['setup', '--json', '--url', NOWHERE]);
    assert.match(nobody.stderr, /hark start/);
  });

  test('uses the key of the service where its environment has one, also in a file', async () => {
    const key = 'the-key-of-the-service';
    service = await InProcessService.start({ ...keyless(), SERVICE_API_KEY: key });
    using folder = new TemporaryFolder();
    const file = join(folder.path, 'key');
    writeFileSync(file, `${key}\n`);
    for (const environment of [
      { SERVICE_API_KEY: key },
      { SERVICE_API_KEY_FILE: file },
      { HARK_API_KEY_FILE: file },
    ]) {
      const args = ['setup', '--json', '--skip', 'model', '--url', service.url];
      const { code, stdout, stderr } = await hark(args, environment);
      assert.equal(code, 0, stderr);
      assert.deepEqual(stepsIn(stdout), ['model skipped', 'memory open', 'reach done']);
    }
    const both = await hark([
      'setup',
      '--json',
      '--url',
      service.url,
      '--api-key',
      key,
      '--api-key-file',
      file,
    ]);
    assert.equal(both.code, 64);
  });
});

describe('hark setup at a terminal', { ...skippedFor(terminalIsMissing) }, () => {
  let service: InProcessService;
  afterEach(() => service?.stop());
  const setup = (environment: Readonly<Record<string, string>> = {}, cwd?: string) =>
    new Terminal([process.execPath, bin, 'setup', '--url', service.url], { PATH, ...environment }, cwd);

  test('finds Ollama, proves a model, shows what is remembered and forgets it, and stays on this machine', async () => {
    service = await InProcessService.start({ ...LIMITS, OLLAMA_HOST: models.url('local-runner') });
    const terminal = setup();
    models.script(says('Hello, I am a script.'));
    await terminal.sees(/1\. A model/);
    await terminal.sees(/This is done\. Again\?/);
    terminal.types('y');
    await terminal.sees(/1 {2}Ollama on this machine, with 3 models/);
    await terminal.sees(/2 {2}Go on without a model/);
    await terminal.sees(/Which\?/);
    terminal.types();
    await terminal.sees(/Ollama, qwen3:8b: Hello, I am a script\./);
    await terminal.sees(/costs nothing/);
    await terminal.sees(/Use it\?/);
    terminal.types();
    await terminal.sees(/Saved: qwen3:8b answers/);
    models.reset();

    await terminal.sees(/2\. What hark remembers/);
    await terminal.sees(/Enter skips/);
    terminal.types('I live in Lisbon');
    await terminal.sees(/Episode/);
    await terminal.sees(/Conclusion .*Lisbon/);
    await terminal.sees(/Why /);
    await terminal.sees(/Erase it again\?/);
    terminal.types('y');
    await terminal.sees(/Erased: nobody can read it/);
    await terminal.sees(/Enter skips/);
    terminal.types();

    await terminal.sees(/3\. Who can reach it/);
    await terminal.sees(/Which\?/);
    terminal.types();
    await terminal.sees(/hark chat/);
    assert.equal(await terminal.ends(), 0);
    const { body } = await service.get<{ steps: { id: string; state: string }[] }>('/api/setup/status');
    assert.deepEqual(body.steps, [
      { id: 'model', state: 'done' },
      { id: 'memory', state: 'skipped' },
      { id: 'reach', state: 'done' },
    ]);
  });

  test('takes a key that is typed and not shown, and tells the price before it saves', async () => {
    service = await InProcessService.start(keyless());
    models.acceptKeys('gateway', 'a-typed-secret');
    const terminal = setup();
    await terminal.sees(/1 {2}Go on without a model/);
    await terminal.sees(/4 {2}Enter a key of OpenRouter/);
    await terminal.sees(/Which\?/);
    terminal.types('4');
    await terminal.sees(/Key of OpenRouter/);
    terminal.types('a-wrong-secret');
    await terminal.sees(/refused the key/);
    await terminal.sees(/Which\?/);
    terminal.types('4');
    await terminal.sees(/Key of OpenRouter/);
    models.script(says('Hello.'));
    terminal.types('a-typed-secret');
    await terminal.sees(/a million tokens cost \$\d.*this answer: \$0\.0/);
    assert.equal((await service.get('/api/credentials')).body.count, 0, 'nothing is stored yet');
    await terminal.sees(/Use it\?/);
    terminal.types('y');
    await terminal.sees(/Saved/);
    await terminal.sees(/Enter skips/);
    // Left in the middle, it goes on later.
    terminal.child.stdin?.write('\u0003');
    assert.equal(await terminal.ends(), 130);
    assert.ok(!terminal.shown.includes('secret'));
    assert.equal((await chatSlot(service))?.provider, 'gateway');
  });

  test('goes on without a model, and opens the service to others', async () => {
    service = await InProcessService.start(keyless());
    using folder = new TemporaryFolder();
    const tls = tlsIn(folder.path);
    writeFileSync(join(folder.path, '.env'), 'LOG_LEVEL=warn\nSERVICE_HOST=127.0.0.1\n', { mode: 0o644 });
    const terminal = setup({}, folder.path);
    await terminal.sees(/Which\?/);
    terminal.types('1');
    await terminal.sees(/Enter skips/);
    terminal.types();
    await terminal.sees(/2 {2}Other machines/);
    await terminal.sees(/Which\?/);
    terminal.types('2');
    await terminal.sees(/All addresses/);
    await terminal.sees(/Which\?/);
    terminal.types();
    await terminal.sees(/Certificate, a PEM file/);
    terminal.types(join(folder.path, 'nothing.pem'));
    await terminal.sees(/private key/);
    terminal.types(tls.SERVICE_TLS_KEY);
    await terminal.sees(/SERVICE_TLS_CERT: the file cannot be read/);
    await terminal.sees(/Certificate, a PEM file/);
    terminal.types('cert.pem');
    await terminal.sees(/private key/);
    terminal.types('key.pem');
    await terminal.sees(/Write them to \.env/);
    terminal.types();
    await terminal.sees(/hark chat/);
    assert.equal(await terminal.ends(), 0);
    const file = join(folder.path, '.env');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    const written = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
    const config = readConfig(written);
    assert.equal(config.SERVICE_HOST, '0.0.0.0');
    assert.equal(config.LOG_LEVEL, 'warn');
    assert.equal(config.SERVICE_API_KEY?.length, 43);
    assert.deepEqual([config.SERVICE_TLS_CERT, config.SERVICE_TLS_KEY], Object.values(tls));
    const { body } = await service.get<{ needed: boolean; steps: { state: string }[] }>('/api/setup/status');
    assert.deepEqual(
      body.steps.map(({ state }) => state),
      ['skipped', 'skipped', 'done'],
    );
    assert.ok(!body.needed);
  });
});

test('what setup wrote is enough for other commands to find the service, over TLS and with its key', async () => {
  using folder = new TemporaryFolder();
  const environment = {
    ...tlsIn(folder.path),
    SERVICE_HOST: '0.0.0.0',
    SERVICE_API_KEY: 'the-key-of-the-service',
  };
  const service = await InProcessService.start({ ...LIMITS, ...environment });
  const { code, stdout, stderr } = await hark(['status', '--json'], {
    ...environment,
    HEALTH_PORT: `${service.port}`,
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /"version"/);
  // The key is for this service alone, and not for whatever else is named.
  const elsewhere = await hark(['status', '--url', `https://127.0.0.1:${service.port}`], environment);
  assert.equal(elsewhere.code, 1);
  const wrong = { ...environment, HEALTH_PORT: `${service.port}`, HARK_API_KEY: 'another-key' };
  assert.match(
    (await hark(['status'], wrong)).stderr,
    /401.*a key was sent: that of --api-key, HARK_API_KEY/,
  );
  await service.stop();
});
