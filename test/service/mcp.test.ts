import assert from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { silent } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { providersAt } from '../support/models/environment.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { EventReader, InProcessService, ServiceUnderTest } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';
import { McpByHand, MODERN_META } from './mcpClient.ts';

const UNLIMITED = { API_RATE_LIMIT: '100000', CHAT_RATE_LIMIT: '100000' };

describe('the tools over MCP', () => {
  let service: InProcessService;
  let mcp: McpByHand;
  beforeAll(async () => {
    service = await InProcessService.start(UNLIMITED);
    mcp = new McpByHand(service.mcpUrl);
  });
  afterAll(() => service.stop());

  test('are listed with schemas and hints', async () => {
    const tools = await mcp.list();
    for (const name of [
      'discover_tools',
      'memory.ask_about_user',
      'session.status',
      'system.health',
      'voice.listen',
      'voice.speak',
    ])
      assert.ok(
        tools.some((tool) => tool.name === name),
        name,
      );
    for (const { name, inputSchema, annotations } of tools) {
      assert.equal(inputSchema.type, 'object', name);
      assert.equal(typeof annotations?.readOnlyHint, 'boolean', name);
    }
  });

  test('say what they take', async () => {
    const listen = (await mcp.list()).find(({ name }) => name === 'voice.listen');
    assert.deepEqual(Object(listen?.inputSchema.properties).durationMs, {
      default: 5_000,
      type: 'integer',
      exclusiveMinimum: 0,
      maximum: 30_000,
    });
  });

  test('give JSON as text and as it is', async () => {
    const { text, structuredContent, isError } = await mcp.call('system.health');
    assert.equal(isError, undefined);
    assert.deepEqual(JSON.parse(text), structuredContent);
    assert.deepEqual(Object.keys(JSON.parse(text)), ['status', 'services', 'metrics']);
    assert.equal(JSON.parse(text).services['mcp-server'].status, 'healthy');
  });

  test('give lists to clients of 2025 in an object, and to those of 2026 as they are', async () => {
    const asked = { name: 'discover_tools', arguments: { query: 'health', category: 'system' } };
    const [older, newer] = [await mcp.ask('tools/call', asked), await mcp.askModern('tools/call', asked)];
    const results = [older, newer].map(({ messages }) => messages[0]?.result);
    const found = JSON.parse(results[0]?.content?.[0]?.text ?? '');
    assert.equal(found[0].name, 'system.health');
    assert.deepEqual(results[0]?.structuredContent, { result: found });
    assert.deepEqual(results[1]?.structuredContent, found);
    assert.equal(results[1]?.resultType, 'complete');
  });

  for (const [name, input, error] of [
    ['voice.speak', { text: 'Hello' }, /^Error: No voice session$/],
    // What understands speech is a matter of the machine.
    ['voice.listen', {}, /^Error: (STT provider unavailable|No voice session)$/],
    ['voice.speak', { text: '' }, /^Error: The arguments do not fit: text: /],
    ['voice.listen', { durationMs: 30_001 }, /^Error: The arguments do not fit: durationMs: /],
    ['session.status', { sessionId: 'x' }, /^Error: Session not found$/],
    ['memory.ask_about_user', { question: 'x'.repeat(2_001) }, /^Error: .*question/],
    ['memory.ask_about_user', {}, /^Error: .*question/],
  ] as const)
    test(`${name} refuses ${JSON.stringify(input).slice(0, 40)}`, async () => {
      const { text, isError } = await mcp.call(name, input);
      assert.match(text, error);
      assert.equal(isError, true);
    });

  test('memory answers', async () => {
    const { structuredContent } = await mcp.call('memory.ask_about_user', { question: 'Where do I live?' });
    assert.deepEqual(structuredContent, { answer: "I don't know.", confidence: 0, sources: [] });
  });

  for (const ask of ['ask', 'askModern'] as const)
    test(`a tool that is not there is a mistake of who calls it (${ask})`, async () => {
      const { messages } = await mcp[ask]('tools/call', { name: 'make.coffee', arguments: {} });
      assert.equal(messages[0]?.error?.code, -32_602);
    });

  for (const ask of ['ask', 'askModern'] as const)
    test(`progress is told to who gave a token (${ask})`, async () => {
      const params = { name: 'session.status', arguments: {}, _meta: { progressToken: 'p' } };
      const { headers, messages } = await mcp[ask]('tools/call', params);
      assert.equal(headers.get('content-type'), 'text/event-stream');
      assert.deepEqual(messages[0]?.params, { progressToken: 'p', progress: 0, total: 30 });
      assert.ok(messages[1]?.result?.content);
    });

  for (const ask of ['ask', 'askModern'] as const)
    for (const params of [
      { name: 'session.status', arguments: {} },
      { name: 'session.status', arguments: { sessionId: 'x' } },
      { name: 'session.status', arguments: { sessionId: 1 } },
      { name: 'discover_tools', arguments: { query: 'health' } },
      { name: 'voice.speak', arguments: { text: 'Hello' } },
    ])
      test(`the SDK would answer ${JSON.stringify(params)} in the same words (${ask})`, async () => {
        // What it does not know goes its way.
        const bySdk = await mcp[ask]('tools/call', { ...params, _meta: { 'example.org/unknown': 1 } });
        await mcp[ask]('tools/call', params);
        const { status, text } = await mcp[ask]('tools/call', params);
        const withoutId = (told: string) => told.replace(/"id":\d+/, '');
        assert.deepEqual([status, withoutId(text)], [bySdk.status, withoutId(bySdk.text)]);
        assert.equal(text.includes('example.org'), false);
      });

  for (const [method, params, message] of [
    ['tools/call', { name: 5 }, 'Invalid tools/call request: params.name: must be a text'],
    ['tools/call', {}, 'Invalid tools/call request: params.name: is missing'],
    [
      'tools/call',
      { name: 'session.status', arguments: [] },
      'Invalid tools/call request: params.arguments: must be an object',
    ],
    ['tools/list', { cursor: 5 }, 'Invalid tools/list request: params.cursor: must be a text'],
  ] as const)
    for (const ask of ['ask', 'askModern'] as const)
      test(`${method} with ${JSON.stringify(params)} is told in words what is wrong (${ask})`, async () => {
        const { messages } = await mcp[ask](method, params);
        assert.deepEqual(messages[0]?.error, { code: -32_602, message });
        const many = await mcp.post([{ jsonrpc: '2.0', id: 1, method, params }]);
        assert.equal(many.messages[0]?.error?.message, message);
      });

  test('what is no message, however odd, is refused by the SDK', async () => {
    for (const params of [{ _meta: 5 }, { _meta: null }, { _meta: 'x' }, { _meta: [] }, 5, null, [], 'x']) {
      const { status, messages } = await mcp.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      assert.ok(status < 500 && messages[0]?.error, JSON.stringify(params));
    }
  });

  test('a request names its user', async () => {
    await service.ask('POST', '/api/memory/conclusions', {
      headers: { 'x-user-id': 'ann' },
      body: { text: 'Ann lives in Zandvoort', type: 'explicit' },
    });
    const question = { question: 'Where does Ann live?' };
    const ann = new McpByHand(service.mcpUrl, { 'x-user-id': 'ann' });
    assert.match((await ann.call('memory.ask_about_user', question)).text, /Zandvoort/);
    assert.doesNotMatch((await mcp.call('memory.ask_about_user', question)).text, /Zandvoort/);
  });

  for (const ask of ['ask', 'askModern'] as const)
    test(`each is answered what it asked, although all give it the same id (${ask})`, async () => {
      const users = Array.from({ length: 20 }, (_, index) => `user-${index}`);
      await Promise.all(
        users.map((user) =>
          service.ask('POST', '/api/memory/conclusions', {
            headers: { 'x-user-id': user },
            body: { text: `The code of the door is ${user}`, type: 'explicit' },
          }),
        ),
      );
      const question = { question: 'What is the code of the door?' };
      const asked = users.map((user) =>
        new McpByHand(service.mcpUrl, { 'x-user-id': user })[ask]('tools/call', {
          name: 'memory.ask_about_user',
          arguments: question,
        }),
      );
      const answers = (await Promise.all(asked)).flatMap(({ messages }) => messages);
      assert.deepEqual(
        answers.map(({ id, result }) => [id, Object(result?.structuredContent).answer]),
        users.map((user) => [1, `The code of the door is ${user}`]),
      );
    });
});

describe('the protocol', () => {
  let service: InProcessService;
  let mcp: McpByHand;
  beforeAll(async () => {
    service = await InProcessService.start(UNLIMITED);
    mcp = new McpByHand(service.mcpUrl);
  });
  afterAll(() => service.stop());

  for (const version of ['2025-03-26', '2025-06-18', '2025-11-25'])
    test(`${version} is agreed on`, async () => {
      const clientInfo = { name: 'test', version: '1' };
      const asked = { protocolVersion: version, capabilities: {}, clientInfo };
      const { messages, headers } = await mcp.ask('initialize', asked);
      assert.deepEqual(messages[0]?.result, {
        protocolVersion: version,
        capabilities: { tools: { listChanged: true }, logging: {} },
        serverInfo: { name: 'service', title: 'hark', version: '1.0.0' },
      });
      assert.equal(headers.get('mcp-session-id'), null);
    });

  test('2026-07-28 is told by server/discover', async () => {
    const { messages } = await mcp.askModern('server/discover');
    assert.deepEqual(messages[0]?.result?.supportedVersions, ['2026-07-28']);
  });

  test('a client is told how long it may keep the list', async () => {
    const { result } = (await mcp.askModern('tools/list')).messages[0] ?? {};
    assert.deepEqual([result?.ttlMs, result?.cacheScope], [30_000, 'private']);
  });

  for (const method of ['DELETE', 'PUT', 'PATCH', 'HEAD'])
    test(`${method} is not allowed`, async () => {
      const answer = await fetch(service.mcpUrl, { method });
      assert.equal(answer.status, 405);
      assert.equal(answer.headers.get('allow'), 'GET, POST');
      assert.equal(await answer.text(), '');
    });

  test('what lies elsewhere is not there', async () => {
    const { status } = await fetch(service.mcpUrl.replace('/mcp', '/api/settings'));
    assert.equal(status, 404);
  });

  for (const [what, body, code] of [
    ['nothing', '', -32_700],
    ['no JSON', '{"jsonrpc', -32_700],
    ['a trap', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"__proto__":{}}}', -32_600],
    ['an empty list', '[]', -32_600],
    ['no message', '{"hello":1}', -32_600],
  ] as const)
    test(`${what} is refused`, async () => {
      const { status, messages } = await mcp.post(body);
      assert.equal(status, 400);
      assert.equal(messages[0]?.error?.code, code);
      assert.equal(messages[0]?.id, null);
    });

  test('nothing is answered to a message that is no request', async () => {
    const { status, text } = await mcp.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    assert.deepEqual([status, text], [202, '']);
  });

  test('several requests at once are answered', async () => {
    const request = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' });
    const { messages } = await mcp.post([request(1), request(2)]);
    assert.deepEqual(messages.map(({ id }) => id).sort(), [1, 2]);
  });

  test('headers that say something else than the message are refused', async () => {
    const named = { name: 'system.health', arguments: {} };
    for (const headers of [
      { 'mcp-method': 'tools/list' },
      { 'mcp-name': 'voice.speak' },
      { 'mcp-protocol-version': '2025-11-25' },
    ]) {
      const usual = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };
      const params = { ...named, _meta: MODERN_META };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const { status, messages } = await mcp.post(body, {
        ...usual,
        'mcp-name': 'system.health',
        ...headers,
      });
      assert.deepEqual([status, messages[0]?.error?.code], [400, -32_020], JSON.stringify(headers));
    }
  });

  for (const key of ['clientCapabilities', 'clientInfo'])
    test(`what a client of 2026 says of itself has to be right (${key})`, async () => {
      const params = { name: 'session.status', _meta: { [`io.modelcontextprotocol/${key}`]: 1 } };
      const { status, messages } = await mcp.askModern('tools/call', params);
      assert.deepEqual([status, messages[0]?.error?.code], [400, -32_602]);
      assert.match(messages[0]?.error?.message ?? '', new RegExp(key));
    });

  test('a version that nobody knows is refused', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    assert.equal((await mcp.post(list, { 'mcp-protocol-version': '1999-01-01' })).status, 400);
  });

  test('a body above 1 MB gets no answer', async () => {
    const big = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { x: 'x'.repeat(1_100_000) } };
    await assert.rejects(mcp.post(big), TypeError);
  });
});

describe('who may ask over MCP', () => {
  const KEY = 'a-very-secret-key';
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({
      SERVICE_API_KEY: KEY,
      CORS_ORIGIN: 'https://app.example.org',
    });
  });
  afterAll(() => service.stop());

  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const post = (headers: Record<string, string>) => new McpByHand(service.mcpUrl).post(list, headers);
  const good = { authorization: `Bearer ${KEY}` };

  test('who shows the key, and nobody else', async () => {
    assert.equal((await post(good)).status, 200);
    const refused = await post({});
    assert.equal(refused.status, 401);
    assert.equal(refused.headers.get('www-authenticate'), 'Bearer');
    assert.equal((await post({ authorization: 'Bearer wrong-key' })).status, 401);
    for (const method of ['GET', 'DELETE'])
      assert.equal((await fetch(service.mcpUrl, { method })).status, 401);
  });

  test('pages of an origin that is allowed', async () => {
    const origin = 'https://app.example.org';
    const { status, headers } = await post({ ...good, origin });
    assert.equal(status, 200);
    assert.equal(headers.get('access-control-allow-origin'), origin);
    const preflight = await fetch(service.mcpUrl, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Mcp-Protocol-Version/);
    assert.equal((await post({ ...good, origin: 'https://evil.example' })).status, 403);
  });

  test('whoever asks for this host', async () => {
    const port = new URL(service.mcpUrl).port;
    const asked = `POST /mcp HTTP/1.1\r\nHost: evil.example:${port}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
    assert.match(await new ServiceUnderTest(Number(port)).raw(asked), /^HTTP\/1\.1 421 /);
  });

  test('guesses on both ports count together', async () => {
    const wrong = { authorization: 'Bearer wrong-key' };
    for (let guess = 0; guess < 5; guess++) {
      await post(wrong);
      await service.get('/api/settings', wrong);
    }
    assert.equal((await post(wrong)).status, 429);
    assert.equal((await service.get('/api/settings', wrong)).status, 429);
    assert.equal((await post(good)).status, 200);
  });
});

describe('a call that is cancelled', () => {
  let models: ScriptedModels;
  let service: InProcessService;
  beforeAll(async () => {
    models = await ScriptedModels.start();
    service = await InProcessService.start({ ...UNLIMITED, ...providersAt(models) });
    await unsetBackgroundSlots(service);
    await service.ask('POST', '/api/memory/conclusions', {
      body: { text: 'I live in Zandvoort', type: 'explicit' },
    });
  });
  afterEach(() => models.reset());
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });

  const question = { name: 'memory.ask_about_user', arguments: { question: 'Where do I live?' } };
  /** The next chat that the model is asked for. */
  const asked = async () => {
    for (let number = models.requests.length + 1; ; number++) {
      const request = await models.request(number);
      if (request.endpoint === 'chat') return request;
    }
  };

  test('by a client of 2025, with a message', async () => {
    models.script(silent());
    const mcp = new McpByHand(service.mcpUrl);
    const request = asked();
    const answer = mcp.ask('tools/call', question);
    const { ended } = await request;
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    const other = new McpByHand(service.mcpUrl, { 'user-agent': 'somebody else' });
    assert.equal((await other.post(cancel)).status, 202);
    assert.equal((await mcp.post(cancel)).status, 202);
    assert.deepEqual((await answer).messages, []);
    assert.equal(await ended, true);
  });

  test('by a client of 2026, by going away', async () => {
    models.script(silent());
    const request = asked();
    const gone = new AbortController();
    const answer = new McpByHand(service.mcpUrl).askModern('tools/call', question, gone.signal);
    const { ended } = await request;
    gone.abort();
    await assert.rejects(answer);
    assert.equal(await ended, true);
  });
});

describe('listening over MCP', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start(UNLIMITED);
  });
  afterAll(() => service.stop());

  test("tells of the caller's topics, and goes on where it was", async () => {
    const reader = await EventReader.open(`${service.mcpUrl}?topics=config:changed`);
    await service.put('/api/settings', { agentMaxSteps: 3 });
    const first = await told(reader);
    assert.equal(first.method, 'notifications/message');
    assert.equal(first.params.logger, 'config:changed');
    assert.equal(String(first.params.data.position), first.id);
    reader.close();
    await service.put('/api/settings', { agentMaxSteps: 4 });
    const resumed = await EventReader.open(service.mcpUrl, { 'last-event-id': first.id });
    assert.deepEqual(Object.keys((await told(resumed)).params.data.data.changes), ['agentMaxSteps']);
    resumed.close();
  });

  test('tells nobody of what another user does', async () => {
    const reader = await EventReader.open(service.mcpUrl, { 'x-user-id': 'bob' });
    const said = { text: 'A secret of Ann', type: 'explicit' };
    await service.ask('POST', '/api/memory/conclusions', { headers: { 'x-user-id': 'ann' }, body: said });
    await service.put('/api/settings', { agentMaxSteps: 5 });
    assert.equal((await told(reader)).params.logger, 'config:changed');
    reader.close();
  });

  test('is refused for what is no topic', async () => {
    assert.equal((await fetch(`${service.mcpUrl}?topics=a%20b`)).status, 400);
  });
});

describe('without a key-value store', () => {
  test('the tools that need it are not there, and say why', async (t) => {
    const service = await InProcessService.start({ SERVICE_KVSTORE_URL: 'none' });
    t.onTestFinished(() => service.stop());
    const mcp = new McpByHand(service.mcpUrl);
    const names = (await mcp.list()).map(({ name }) => name);
    assert.deepEqual(names, [
      'clock.now',
      'discover_tools',
      'session.status',
      'system.health',
      'voice.listen',
      'voice.speak',
    ]);
    const { text, isError } = await mcp.call('memory.ask_about_user', { question: 'Who am I?' });
    assert.deepEqual([text, isError], ['Error: Memory coordinator not available', true]);
  });

  test('clients are told when it goes and when it comes back', {
    ...skippedFor(redisIsMissing),
  }, async (t) => {
    const redis = await RedisServer.start({ appendonly: 'yes', appendfsync: 'always' });
    t.onTestFinished(() => redis.stop());
    const service = await InProcessService.start({ SERVICE_KVSTORE_URL: redis.url });
    t.onTestFinished(() => service.stop());
    const mcp = new McpByHand(service.mcpUrl);
    const hasMemory = async () => (await mcp.list()).some(({ name }) => name === 'memory.ask_about_user');
    assert.equal(await hasMemory(), true);
    const older = await EventReader.open(`${service.mcpUrl}?topics=config:changed`);
    const newer = await listenAsOf2026(service.mcpUrl);
    await redis.kill();
    await changed(older);
    await changed(newer);
    assert.equal(await hasMemory(), false);
    await redis.start();
    await changed(older);
    await changed(newer);
    assert.equal(await hasMemory(), true);
    await service.put('/api/settings', { agentMaxSteps: 3 });
    assert.equal((await told(older)).params.logger, 'config:changed');
    older.close();
    newer.close();
  });
});

/** The next message of a stream. */
async function told(reader: EventReader) {
  for (;;) {
    const message = await reader.next();
    assert(message, 'The stream ended');
    if (message.data) return { id: message.id, ...JSON.parse(message.data) };
  }
}

async function changed(reader: EventReader): Promise<void> {
  while ((await told(reader)).method !== 'notifications/tools/list_changed');
}

function listenAsOf2026(url: string): Promise<EventReader> {
  const headers = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  };
  const params = { notifications: { toolsListChanged: true }, _meta: MODERN_META };
  return EventReader.open(url, headers, { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params });
}
