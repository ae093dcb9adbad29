import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyOperation } from '../../src/interfaces/operation.ts';
import { providersAt } from '../support/models/environment.ts';
import { ScriptedModels } from '../support/models/scriptedModels.ts';
import { EventReader, InProcessService } from '../support/service.ts';

interface Described {
  openapi: string;
  paths: Record<
    string,
    Record<string, { operationId: string; tags: string[]; responses: Record<string, unknown> }>
  >;
  components: { securitySchemes: object };
}

const models = await ScriptedModels.start();
const service = await InProcessService.start({
  API_RATE_LIMIT: '1000',
  CHAT_RATE_LIMIT: '1000',
  ...providersAt(models),
});
test.after(async () => {
  await service.stop();
  await models.stop();
});

/** Where the example of an operation is to be asked. */
function addressOf({ rest, example }: AnyOperation): { path: string; body: unknown } {
  const left = new Map<string, unknown>(Object.entries(example.input));
  const path = rest.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(left.get(name));
    left.delete(name);
    return value;
  });
  if (rest.method === 'POST' || rest.method === 'PUT') return { path, body: Object.fromEntries(left) };
  const query = new URLSearchParams();
  for (const [name, value] of left) query.set(name, String(value));
  return { path: left.size > 0 ? `${path}?${query}` : path, body: undefined };
}

/** What an operation looks at beside its input, as far as it has to be asked for first. */
async function headersFor({ rest }: AnyOperation): Promise<Record<string, string>> {
  if (!rest.headers || !('X-Setup-Token' in rest.headers)) return {};
  const { body } = await service.get<{ token: string }>('/api/setup-token');
  return { 'X-Setup-Token': body.token };
}

for (const operation of service.operations) {
  const { name, rest, kind } = operation;
  const { path, body } = addressOf(operation);
  if (kind === 'stream')
    test(`the example of ${name} can be listened to`, async () => {
      const reader = await EventReader.open(service.url + path, {}, body);
      reader.close();
    });
  else
    test(`the example of ${name} works and answers as described`, async () => {
      const headers = await headersFor(operation);
      const answer = await service.ask(rest.method, path, {
        headers,
        ...(body === undefined ? {} : { body }),
      });
      assert.equal(answer.status, rest.status ?? 200, answer.text);
      const parsed = operation.output.safeParse(rest.text === undefined ? answer.body : answer.text);
      assert(parsed.success, `${answer.text}: ${parsed.error}`);
    });
}

test('every operation is described, and its refusals', async () => {
  const { status, body } = await service.get<Described>('/api/openapi.json');
  assert.equal(status, 200);
  assert.equal(body.openapi, '3.1.0');
  const described = Object.values(body.paths).flatMap((methods) => Object.values(methods));
  assert.deepEqual(
    described.map(({ operationId }) => operationId).sort(),
    service.operations.map(({ name }) => name).sort(),
  );
  const settings = body.paths['/api/settings']?.put;
  assert.deepEqual(Object.keys(settings?.responses ?? {}).sort(), [
    '200',
    '400',
    '401',
    '403',
    '415',
    '421',
    '429',
    '500',
    '503',
  ]);
  assert.deepEqual(body.components.securitySchemes, {
    apiKey: {
      type: 'http',
      scheme: 'bearer',
      description: 'The value of SERVICE_API_KEY, when one is set.',
    },
  });
});

test('every reference in the description leads somewhere', async () => {
  const { text, body } = await service.get('/api/openapi.json');
  for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = pointer.split('/').reduce<unknown>((value, step) => Reflect.get(Object(value), step), body);
    assert(found, pointer);
  }
});
