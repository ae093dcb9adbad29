import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, test } from 'vitest';
import { says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import type { AnyOperation } from '../../src/interfaces/operation.ts';
import { ContainerRuntime } from '../support/containerRuntime.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { bringBeliefs } from '../support/memories.ts';
import { providersAt } from '../support/models/environment.ts';
import { EventReader, InProcessService } from '../support/service.ts';

interface Described {
  openapi: string;
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        tags: string[];
        responses: Record<string, unknown>;
        security: unknown;
        'x-device-access': string;
      }
    >
  >;
  components: { securitySchemes: Record<string, { description: string }> };
}

/** A model that is here already, since nothing is downloaded in tests. */
const described = temporaryFolder('described-models');
const example = {
  ...{ id: 'example', name: 'Example', type: 'stt', family: 'nemo-ctc', host: 'https://hark.invalid' },
  files: [{ name: 'model.onnx', path: 'model.onnx', bytes: 1, sha256: null }],
  parts: { model: 'model.onnx' },
};
writeFileSync(join(described, 'models.json'), JSON.stringify([example]));
const data = join(described, 'data');

const models = (await ScriptedModels.start()).script(() => says('As you say.'));
const service = await InProcessService.start({
  API_RATE_LIMIT: '1000',
  CHAT_RATE_LIMIT: '1000',
  SERVICE_V1_RATE_LIMIT: '1000',
  SERVICE_DATA_DIR: data,
  SERVICE_KVSTORE_URL: 'embedded',
  SERVICE_MODELS_MANIFEST: join(described, 'models.json'),
  ...providersAt(models),
});
const path = process.env.PATH;
afterAll(async () => {
  process.env.PATH = path;
  await service.stop();
  await models.stop();
});

async function say(): Promise<{ turnId: string; sessionId: string }> {
  const input = { text: 'Remember me', sessionId: 'evening' };
  const { body } = await service.ask<{ metadata: { turnId: string; sessionId: string } }>(
    'POST',
    '/api/chat',
    {
      body: input,
    },
  );
  return body.metadata;
}

async function believe(text: string, supersedes?: string): Promise<{ id: string }> {
  const body = { text, type: 'explicit', ...(supersedes === undefined ? {} : { supersedes }) };
  const answer = await service.ask<{ conclusion: { id: string } }>('POST', '/api/memory/conclusions', {
    body,
  });
  return answer.body.conclusion;
}

/** The episode of a conversation that was held elsewhere. */
async function importEpisode(): Promise<{ id: string }> {
  const messages = [{ role: 'user', content: 'I was born in Bergen.' }];
  const content = { sessions: [{ id: 'elsewhere', startedAt: 0, messages }] };
  await service.ask('POST', '/api/memory/import', { body: { source: 'conversation', content } });
  const { body } = await service.get<{ episodes: { id: string }[] }>('/api/memory/episodes');
  return { id: body.episodes[0]?.id ?? '' };
}

const surnames = [
  'Aalto',
  'Bakker',
  'Costa',
  'Dubois',
  'Eriksen',
  'Fischer',
  'Garcia',
  'Horvat',
  'Ivanova',
  'Jansen',
  'Kowalska',
].values();
/** A person whom nobody spoke of before. */
async function nameSomebody(): Promise<{ id: string }> {
  const name = `Mirjam ${surnames.next().value}`;
  const reader = await EventReader.open(`${service.url}/api/events/stream?topics=entities.entity.mentioned`);
  const messages = [{ role: 'user', content: `My friend ${name} plays the cello.` }];
  const content = { sessions: [{ id: name.replace(' ', '-'), startedAt: 0, messages }] };
  await service.ask('POST', '/api/memory/import', { body: { source: 'conversation', content } });
  for (;;) {
    await reader.next();
    const { body } = await service.get<{ entities: { id: string; name: string }[] }>('/api/entities');
    const id = body.entities.find((one) => one.name === name)?.id;
    if (id === undefined) continue;
    reader.close();
    return { id };
  }
}

async function respond(): Promise<{ responseId: string }> {
  const { body } = await service.ask<{ id: string }>('POST', '/v1/responses', {
    body: { model: 'hark', input: 'Remember me' },
  });
  return { responseId: body.id };
}

async function schedule(): Promise<{ taskId: string }> {
  const body = { name: 'Tea', scheduleType: 'interval', intervalMs: 60_000, eventTopic: 'tea' };
  const answer = await service.ask<{ task: { id: string } }>('POST', '/api/scheduler/tasks', { body });
  return { taskId: answer.body.task.id };
}

async function mergeTwo(): Promise<{ id: string; entityId: string }> {
  const [{ id }, { id: entityId }] = [await nameSomebody(), await nameSomebody()];
  await service.ask('POST', `/api/entities/${id}/merge`, { body: { entityId } });
  return { id, entityId };
}

async function hook(topic = 'nothing.at.all'): Promise<{ id: string }> {
  const body = { url: 'https://hark.invalid/hooks', topics: [topic] };
  return (await service.ask<{ webhook: { id: string } }>('POST', '/api/webhooks', { body })).body.webhook;
}

async function deliver(): Promise<{ id: string; position: number }> {
  const { id } = await hook('notification.created');
  await notify();
  const { body } = await service.get<{ deliveries: { position: number }[] }>(
    `/api/webhooks/${id}/deliveries`,
  );
  return { id, position: body.deliveries[0]?.position ?? 0 };
}

async function notify(): Promise<{ id: string }> {
  const body = { text: 'Hello' };
  const { body: sent } = await service.ask<{ notification: { id: string } }>('POST', '/api/notifications', {
    body,
  });
  return { id: sent.notification.id };
}

/** To where nobody is. */
async function addChannel(): Promise<{ id: string }> {
  const body = { type: 'ntfy', name: 'Phone', settings: { url: 'https://hark.invalid', topic: 'x' } };
  const { body: added } = await service.ask<{ channel: { id: string } }>(
    'POST',
    '/api/notifications/channels',
    { body },
  );
  return { id: added.channel.id };
}

async function executeLater(): Promise<{ id: string }> {
  const { body } = await service.ask<{ execution: { id: string } }>(
    'POST',
    '/api/workflows/prompt-later/execute',
    { body: { input: { text: 'Hello', at: '2024-01-01T00:00:00Z' } } },
  );
  return { id: body.execution.id };
}

/** One that does not wait any more: of one address, few may. */
async function addDevice(more: object = {}): Promise<{ id: string; secret: string }> {
  const body = { type: 'cli', capabilities: {}, ...more };
  const answer = await service.ask<{ device: { id: string }; secret: string }>(
    'POST',
    '/api/devices/register',
    { body },
  );
  const { id } = answer.body.device;
  await service.put(`/api/devices/${id}`, { status: 'active' });
  return { id, secret: answer.body.secret };
}

async function addById(more?: object): Promise<{ id: string }> {
  return { id: (await addDevice(more)).id };
}

async function capture(): Promise<{ streamId: string }> {
  const consent = { deviceId: 'hall', enabled: true, consentLevel: 'passive' };
  await service.put('/api/capture/consent', consent);
  const body = { deviceId: 'hall', modalities: ['audio'] };
  await service.ask('POST', '/api/capture/resume', { body: {} });
  const { body: started } = await service.ask<{ streamId: string }>('POST', '/api/capture/start', { body });
  return { streamId: started.streamId };
}

/** What examples speak of has to be there first, and then has an id of its own. */
const docker = new ContainerRuntime('docker');
afterAll(() => docker[Symbol.dispose]());

const preparations: Readonly<Record<string, () => Promise<Readonly<Record<string, unknown>>>>> = {
  'chat.follow': async () => ({ turnId: (await say()).turnId }),
  'chat.images': async () => ({ turnId: (await say()).turnId }),
  'chat.cancel': async () => ({ turnId: (await say()).turnId }),
  'chat.chooseBranch': async () => {
    const { turnId, sessionId } = await say();
    return { turnId, sessionId };
  },
  'chat.endSession': async () => ({ sessionId: (await say()).sessionId }),
  'memory.eraseEpisode': importEpisode,
  'entities.show': nameSomebody,
  'entities.change': nameSomebody,
  'entities.erase': nameSomebody,
  'entities.episodes': nameSomebody,
  'entities.conclusions': nameSomebody,
  'entities.relationships': nameSomebody,
  'entities.neighbourhood': nameSomebody,
  'entities.merge': async () => ({
    id: (await nameSomebody()).id,
    entityId: (await nameSomebody()).id,
  }),
  'entities.unmerge': mergeTwo,
  'openai.response': respond,
  'openai.forgetResponse': respond,
  'scheduler.show': schedule,
  'scheduler.runs': schedule,
  'scheduler.run': schedule,
  'scheduler.change': schedule,
  'scheduler.cancel': schedule,
  'notifications.change': notify,
  'notifications.remove': notify,
  'channels.change': addChannel,
  'channels.remove': addChannel,
  'channels.test': addChannel,
  'webhooks.show': () => hook(),
  'webhooks.change': () => hook(),
  'webhooks.remove': () => hook(),
  'webhooks.test': () => hook(),
  'webhooks.deliveries': () => hook('notification.created'),
  'webhooks.deliverAgain': deliver,
  async 'tools.probe'() {
    const nobody = { name: 'nobody', prefix: 'nobody', url: 'http://127.0.0.1:9/mcp', autoReconnect: false };
    await service.put('/api/settings', { toolServers: JSON.stringify([nobody]) });
    return { name: 'nobody' };
  },
  async 'models.remove'() {
    mkdirSync(join(data, 'models/stt/example'), { recursive: true });
    writeFileSync(join(data, 'models/stt/example/model.onnx'), 'x');
    return {};
  },
  async 'system.removeBackup'() {
    await service.ask('POST', '/api/test/clock', { body: { advanceMs: 1 } });
    const { body } = await service.ask<{ backup: { name: string } }>('POST', '/api/system/backups', {
      body: {},
    });
    return { name: body.backup.name };
  },
  async 'dependencies.installRedis'() {
    process.env.PATH = `${docker.folder}:${process.env.PATH}`;
    return {};
  },
  'devices.show': () => addById(),
  'devices.change': () => addById(),
  'devices.link': () => addById(),
  'devices.delete': () => addById(),
  'devices.rotate': () => addById(),
  'devices.challenge': () => addById({ publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }),
  'devices.authenticate': () => addDevice(),
  'capture.stop': capture,
  'capture.segment': capture,
  'workflows.execution': executeLater,
  'workflows.cancel': executeLater,
  'conclusions.erase': () => believe('I sing'),
  'conclusions.why': () => believe('I dance'),
  'conclusions.dismiss': async () => ({ ids: [(await believe('I hum')).id] }),
  'conclusions.restoreSome': async () => {
    const { id } = await believe('I swim');
    await believe('I dive', id);
    return { ids: [id] };
  },
  async 'maintenance.report'() {
    const { body } = await service.ask<{ timestamp: number }>('POST', '/api/memory/maintain', { body: {} });
    return { timestamp: String(body.timestamp) };
  },
  async 'contradictions.settle'() {
    await bringBeliefs(service, [
      { id: 'one', text: 'The user lives in Berlin' },
      { id: 'other', text: 'The user lives in Oslo', contradicts: ['one'] },
    ]);
    return { id: 'one', contradicts: 'other' };
  },
  async 'maintenance.undo'() {
    const { body } = await service.ask<{ timestamp: number }>('POST', '/api/memory/maintain', { body: {} });
    return { timestamp: String(body.timestamp) };
  },
  async 'conclusions.restore'() {
    const { id } = await believe('I run');
    await believe('I walk', id);
    return { id };
  },
};

/** Where the example of an operation is to be asked. */
async function addressOf({ name, rest, example }: AnyOperation): Promise<{ path: string; body: unknown }> {
  const prepared = await preparations[name]?.();
  const left = new Map<string, unknown>(Object.entries({ ...example.input, ...prepared }));
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
  if (kind === 'stream')
    test(`the example of ${name} can be listened to`, async () => {
      const { path, body } = await addressOf(operation);
      const reader = await EventReader.open(service.url + path, {}, body);
      reader.close();
    });
  else
    test(`the example of ${name} works and answers as described`, async () => {
      const { path, body } = await addressOf(operation);
      const headers = await headersFor(operation);
      const answer = await service.ask(rest.method, path, {
        headers,
        ...(body === undefined ? {} : { body }),
      });
      assert.equal(answer.status, rest.status ?? 200, answer.text);
      if (!operation.output) return;
      const isText = operation.kind === 'call' && rest.text !== undefined;
      const parsed = operation.output().safeParse(isText ? answer.text : answer.body);
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
  const schemes = Object.entries(body.components.securitySchemes);
  assert.deepEqual(
    schemes.map(([name, { description: _, ...scheme }]) => [name, scheme]),
    [
      ['apiKey', { type: 'http', scheme: 'bearer' }],
      ['deviceId', { type: 'apiKey', in: 'header', name: 'X-Device-Id' }],
      ['deviceSecret', { type: 'apiKey', in: 'header', name: 'X-Device-Secret' }],
    ],
  );
  const { get: history } = body.paths['/api/chat/history/{sessionId}'] ?? {};
  assert.deepEqual(
    [history?.security, history?.['x-device-access']],
    [[{ apiKey: [] }, { deviceId: [], deviceSecret: [] }, {}], 'always'],
  );
  const { get: forbidden } = body.paths['/api/settings'] ?? {};
  assert.deepEqual([forbidden?.security, forbidden?.['x-device-access']], [[{ apiKey: [] }, {}], 'never']);
});

test('every reference in the description leads somewhere', async () => {
  const { text, body } = await service.get('/api/openapi.json');
  for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = pointer.split('/').reduce<unknown>((value, step) => Reflect.get(Object(value), step), body);
    assert(found, pointer);
  }
});
