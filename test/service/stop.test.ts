import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { test } from 'vitest';
import { breaks, says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { providersAt } from '../support/models/environment.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { InProcessService } from '../support/service.ts';
import { ChatClient, LIMITS } from './chatClient.ts';

const home = temporaryFolder('stop');

test('a stop interrupts what remembers without a complaint, and it is remembered after the next start', async () => {
  const store = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: join(home, 'remembers') };
  await using models = await ScriptedModels.start();
  models.script(() => says('I see.'));
  const environment = { ...LIMITS, ...providersAt(models), ...store };
  const service = await InProcessService.start(environment);
  await unsetBackgroundSlots(service);
  const chat = new ChatClient(service);
  const body = (number: number) => ({ text: 'I prefer tea to coffee.', sessionId: `${number}` });
  await Promise.all(Array.from({ length: 8 }, (_, index) => chat.say(body(index))));
  await service.stop();
  const complaints = service.logged.split('\n').filter((line) => /"level":"(warn|error)"/.test(line));
  assert.deepEqual(complaints, []);

  const again = await InProcessService.start(environment);
  try {
    const remembered = await new ChatClient(again).topic('memory.episode.created&after=0');
    const missing = new Set(Array.from({ length: 8 }, (_, index) => `${index}`));
    await remembered((data) => missing.delete(Object(data).sessionId) && missing.size === 0);
  } finally {
    await again.stop();
  }
});

test('a stop waits once for what hangs, also where a step waits for a turn and a caller for the step', async () => {
  await using models = await ScriptedModels.start();
  const directory = join(home, 'hangs');
  mkdirSync(join(directory, 'workflows'), { recursive: true });
  writeFileSync(join(directory, 'workflows/story.yaml'), 'steps: [{ id: title, type: PROMPT, prompt: Hi }]');
  const environment = { ...LIMITS, ...providersAt(models), SERVICE_DATA_DIR: directory };
  const service = await InProcessService.start(environment);
  models.script([says('Once', breaks('hang'))]);
  const answered = service.ask('POST', '/api/workflows/story/execute', { body: {} });
  while (!models.requests.some(({ endpoint }) => endpoint === 'chat')) await new Promise(setImmediate);
  const isHung = Symbol();
  const stopped = service.stop();
  assert.notEqual(await Promise.race([stopped, wait(5_000, isHung, { ref: false })]), isHung);
  await Promise.all([stopped, answered]);
});

test('a stop does not wait for connections over which nothing was asked', async () => {
  const service = await InProcessService.start();
  const silent = connect(service.port, '127.0.0.1');
  await once(silent, 'connect');
  const halfway = connect(service.port, '127.0.0.1');
  halfway.write('GET /api/he');
  await once(halfway, 'connect');
  // Connections are accepted in their order.
  await service.get('/api/health');
  const isHung = Symbol();
  const stopped = service.stop();
  assert.notEqual(await Promise.race([stopped, wait(4_000, isHung, { ref: false })]), isHung);
  await stopped;
});
