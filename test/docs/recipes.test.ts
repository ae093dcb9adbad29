import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { variableNames } from '../../src/config.ts';
import { says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { providersAt } from '../support/models/environment.ts';
import { InProcessService } from '../support/service.ts';

const KEY = 'a-very-secret-key';
const pages = ['recipes.md', 'clients.md'].map((name) =>
  readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8'),
);

describe('what a recipe names', () => {
  let models: ScriptedModels;
  let service: InProcessService;
  beforeAll(async () => {
    models = (await ScriptedModels.start()).script(() => says('As you say.'));
    service = await InProcessService.start({
      ...providersAt(models),
      SERVICE_API_KEY: KEY,
      SERVICE_WEBHOOK_ALLOW_PRIVATE: 'true',
    });
  });
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });

  test('is there: addresses, and variables', () => {
    const paths = service.operations.map(({ rest }) => rest.path.replaceAll(/:\w+/g, '[^/]+'));
    const known = new RegExp(`^(${[...paths, '/v1', '/mcp', '/docs', '/api/openapi\\.json'].join('|')})$`);
    const addresses = pages.flatMap((page) =>
      Array.from(page.matchAll(/:(?:4102|4100)(\/[^\s"`?',|)]*)/g), ([, path = '']) => path),
    );
    assert.ok(addresses.length > 10);
    assert.deepEqual(
      addresses.filter((path) => !known.test(path)),
      [],
    );
    const variables = pages.flatMap((page) => Array.from(page.matchAll(/\bSERVICE_[A-Z0-9_]+/g), String));
    assert.deepEqual(
      variables.filter((name) => !variableNames.includes(name)),
      [],
    );
  });

  test('is answered: the requests of automations and scripts', async () => {
    const headers = { authorization: `Bearer ${KEY}` };
    const body = { text: 'What is on my list today?', sessionId: 'home' };
    const answer = await service.ask<{ text: string }>('POST', '/api/chat', { headers, body });
    assert.deepEqual([answer.status, answer.body.text], [200, 'As you say.']);
    const bodies = pages.flatMap((page) =>
      Array.from(page.matchAll(/-d '(\{.*\})'/g), ([, json = '']) => json),
    );
    const asked = bodies.map((json): unknown => JSON.parse(json));
    const webhook = asked.find((one) => 'url' in Object(one));
    assert.equal((await service.ask('POST', '/api/webhooks', { headers, body: webhook })).status, 201);
    const chat = asked.find((one) => 'text' in Object(one));
    assert.equal((await service.ask('POST', '/api/chat', { headers, body: chat })).status, 200);
  });

  test('is JSON where it says so', () => {
    const blocks = pages.flatMap((page) =>
      Array.from(page.matchAll(/```json\n([\s\S]*?)```/g), ([, json = '']) => json),
    );
    assert.ok(blocks.length >= 3);
    for (const block of blocks) JSON.parse(block);
  });
});
