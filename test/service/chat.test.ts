import assert from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { breaks, calls, callsBadly, fails, says, thinks, waits } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { providersAt } from '../support/models/environment.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { InProcessService } from '../support/service.ts';
import { ChatClient, LIMITS } from './chatClient.ts';

const MINUTE = 60_000;
const SMALLEST_PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64');

describe('chat', () => {
  let models: ScriptedModels;
  let service: InProcessService;
  let chat: ChatClient;
  beforeAll(async () => {
    models = await ScriptedModels.start();
    // Every tool is shown, whatever is said.
    const tools = { SERVICE_TOOL_MAX_TOOLS: '100' };
    service = await InProcessService.start({ ...LIMITS, ...providersAt(models), ...tools });
    await unsetBackgroundSlots(service);
    chat = new ChatClient(service);
  });
  afterEach(() => models.reset());
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });
  const chats = () => models.requests.filter(({ endpoint }) => endpoint === 'chat');

  test('answers with the words of the model, and tells of the turn', async () => {
    models.script(says('Good ', 'evening.'));
    const { status, body } = await chat.say({ text: 'Good evening' });
    assert.equal(status, 200, JSON.stringify(body));
    const { metadata, ...rest } = body;
    assert.deepEqual(rest, { text: 'Good evening.', platform: 'web' });
    const { turnId, durationMs, usage, stepCount, toolCallCount, fallback, provider } = metadata;
    assert.deepEqual([stepCount, toolCallCount, fallback, provider], [1, 0, false, 'cloud-a']);
    assert.match(String(turnId), /^[\w-]{8,128}$/);
    assert.ok(Number.isInteger(durationMs));
    assert.deepEqual(Object.keys(Object(usage)), ['inputTokens', 'outputTokens']);
  });

  test('streams all that happens in a turn, and that it is done last', async () => {
    models.script([
      says(thinks('Let me see. ', 'c2ln'), 'I look.', calls('system_health', {}, 'call-1')),
      says('All ', 'is well.'),
    ]);
    const stream = await chat.stream({ text: 'How are you?', sessionId: 'streams' });
    const messages = await stream.rest();
    const types = messages.map(({ type }) => type);
    assert.deepEqual(
      types.filter((type, index) => type !== types[index - 1]),
      [...['step', 'thinking', 'content', 'tool_start', 'tool_result'], ...['step', 'content', 'done']],
    );
    const of = (wanted: string) => messages.filter(({ type }) => type === wanted);
    assert.deepEqual(
      of('step').map(({ stepNumber }) => stepNumber),
      [1, 2],
    );
    const [start] = of('tool_start');
    assert.deepEqual([start?.name, start?.id, start?.input], ['system.health', 'call-1', {}]);
    const [result] = of('tool_result');
    assert.deepEqual([result?.id, result?.error], ['call-1', false]);
    assert.match(String(result?.result), /event-log/);
    assert.ok(Number.isInteger(result?.durationMs));
    const said = of('content').map(({ content }) => content);
    assert.equal(said.join(''), 'I look.All is well.');
    const metadata = Object(messages.at(-1)?.metadata);
    assert.deepEqual(
      [metadata.stepCount, metadata.toolCallCount, metadata.sessionId, metadata.turnId],
      [2, 1, 'streams', stream.turnId],
    );
    const ids = messages.map(({ lastId }) => lastId);
    assert.ok(ids.every(Boolean) && new Set(ids).size === ids.length, ids.join());
  });

  test('runs tools that are called together, with their results in order', async () => {
    models.script([
      says(
        calls('system_health', {}, 'a'),
        calls('nothing_such', {}, 'b'),
        callsBadly('system_health', '[1'),
      ),
      says('Done'),
    ]);
    const messages = await (await chat.stream({ text: 'Look everywhere' })).rest();
    assert.equal(messages.filter(({ type }) => type === 'tool_start').length, 3);
    const results =
      chats()
        .at(-1)
        ?.turns.filter(({ role }) => role === 'tool') ?? [];
    assert.equal(results.length, 3);
    assert.deepEqual(
      results.slice(0, 2).map(({ callId }) => callId),
      ['a', 'b'],
    );
    assert.match(results[1]?.text ?? '', /^Error: There is no tool/);
    assert.match(results[2]?.text ?? '', /^Error: The arguments must be a JSON object/);
  });

  test('continues a session, and tells its history', async () => {
    models.script([says('Hello Ann'), says('You are Ann')]);
    await chat.say({ text: 'I am Ann', sessionId: 'goes-on' });
    await chat.say({ text: 'Who am I?', sessionId: 'goes-on' });
    const { messages, sessionExpired, count } = await chat.history('goes-on');
    assert.deepEqual([sessionExpired, count], [false, 4]);
    assert.deepEqual(
      messages.map(({ role, content }) => [role, content]),
      [
        ['user', 'I am Ann'],
        ['assistant', 'Hello Ann'],
        ['user', 'Who am I?'],
        ['assistant', 'You are Ann'],
      ],
    );
    assert.deepEqual(
      chats()
        .at(-1)
        ?.turns.filter(({ role }) => role !== 'system')
        .map(({ text }) => text),
      ['I am Ann', 'Hello Ann', 'Who am I?'],
    );
  });

  test('tells nothing of what was said without a session', async () => {
    models.script(says('Noted'));
    await chat.say({ text: 'Remember 4711' });
    await chat.say({ text: 'What was it?' });
    assert.doesNotMatch(JSON.stringify(chats().at(-1)?.turns), /4711/);
  });

  test('keeps the sessions of users apart, under the same id too', async () => {
    models.script([says('Hello Ann'), says('Hello you')]);
    await chat.say({ text: 'I am Ann 4711', sessionId: 'shared' }, { 'x-user-id': 'ann' });
    const bob = { 'x-user-id': 'bob' };
    assert.equal((await chat.history('shared', bob)).sessionExpired, true);
    const { body } = await chat.say({ text: 'Who am I?', sessionId: 'shared' }, bob);
    assert.doesNotMatch(JSON.stringify(chats().at(-1)?.turns), /4711/);
    const turn = `/api/chat/stream/${body.metadata.turnId}`;
    assert.equal((await service.get(turn, { 'x-user-id': 'ann' })).status, 404);
    assert.equal((await service.ask('DELETE', turn, { headers: { 'x-user-id': 'ann' } })).status, 404);
    assert.equal((await chat.end('shared', bob)).status, 200);
    assert.equal((await chat.history('shared', { 'x-user-id': 'ann' })).count, 2);
  });

  test('ends a session when asked, and begins another under the same id', async () => {
    models.script([says('One'), says('Two')]);
    await chat.say({ text: 'First 4711', sessionId: 'ends' });
    const { status, body } = await chat.end('ends');
    assert.deepEqual([status, body], [200, { ended: true, sessionId: 'ends' }]);
    assert.deepEqual(await chat.history('ends'), {
      sessionId: 'ends',
      sessionExpired: true,
      messages: [],
      count: 0,
    });
    assert.equal((await chat.end('ends')).status, 404);
    await chat.say({ text: 'Second', sessionId: 'ends' });
    assert.doesNotMatch(JSON.stringify(chats().at(-1)?.turns), /4711/);
    assert.equal((await chat.history('ends')).count, 2);
  });

  test('ends a session that was idle, once, and not before', async () => {
    models.script(says('Hello'));
    await chat.say({ text: 'Hi', sessionId: 'idle' });
    await service.advance(29 * MINUTE);
    await chat.say({ text: 'Still here', sessionId: 'idle' });
    await service.advance(29 * MINUTE);
    assert.equal((await chat.history('idle')).count, 4);
    const endings = await chat.topic('sessionEnded');
    await service.advance(2 * MINUTE);
    const ended = await endings((data) => Object(data).sessionId === 'idle');
    assert.deepEqual([Object(ended).reason, Object(ended).turns], ['idle', 2]);
    assert.equal((await chat.history('idle')).sessionExpired, true);
    await service.advance(40 * MINUTE);
    const { body } = await service.get<{ events: { data: { sessionId: string } }[] }>(
      '/api/events?type=sessionEnded&limit=500',
    );
    assert.equal(body.events.filter(({ data }) => data.sessionId === 'idle').length, 1);
  });

  test('goes on when the connection drops, and tells the rest to who comes back', async () => {
    const gate = Promise.withResolvers<void>();
    models.script(says('Good ', waits(gate.promise), 'evening'));
    const dropped = await chat.stream({ text: 'Hi', sessionId: 'drops' });
    const first = await dropped.until(({ type }) => type === 'content');
    dropped.close();
    const again = await chat.follow(dropped.turnId, first.at(-1)?.lastId);
    gate.resolve();
    const rest = await again.rest();
    assert.equal(textOf([...first, ...rest]), 'Good evening');
    assert.deepEqual(
      [...first, ...rest].map(({ type }) => type).filter((type) => type !== 'content'),
      ['step', 'done'],
    );
    assert.equal((await chat.history('drops')).messages.at(-1)?.content, 'Good evening');
    const late = await (await chat.follow(dropped.turnId)).rest();
    assert.equal(textOf(late), 'Good evening');
    assert.equal(late.at(-1)?.type, 'done');
    assert.deepEqual(await (await chat.follow(dropped.turnId, first.at(-1)?.lastId)).rest(), rest.slice(-2));
    assert.deepEqual(await (await chat.follow(dropped.turnId, 'done')).rest(), []);
  });

  test('cancels a turn, and the call to the model with it', async () => {
    models.script(says('Once upon a time', breaks('hang')));
    const stream = await chat.stream({ text: 'Tell me', sessionId: 'cancels' });
    const before = await stream.until(({ type }) => type === 'content');
    const asked = chats().at(-1);
    const { status, body } = await chat.cancel(stream.turnId);
    assert.deepEqual([status, body], [200, { cancelled: true, turnId: stream.turnId }]);
    assert.equal(await asked?.ended, true);
    const rest = await stream.rest();
    assert.equal(textOf([...before, ...rest]), 'Once upon a time');
    assert.deepEqual(
      rest.map(({ type, code }) => [type, code]),
      [
        ['error', 'INTERRUPTED'],
        ['done', undefined],
      ],
    );
    assert.match(
      (await chat.history('cancels')).messages[1]?.content ?? '',
      /^Once upon a time\n\n\[.*cancelled/,
    );
    models.reset();
    models.script(says('Where were we?'));
    await chat.say({ text: 'Go on', sessionId: 'cancels' });
    assert.match(JSON.stringify(chats().at(-1)?.turns), /Once upon a time.*cancelled/);
  });

  test('has turns of one session wait for each other, and cancels one that waits', async () => {
    const gate = Promise.withResolvers<void>();
    models.script([says(waits(gate.promise), 'One'), says('Three')]);
    const first = await chat.stream({ text: 'first', sessionId: 'queue' });
    await first.until(({ type }) => type === 'step');
    const second = await chat.stream({ text: 'second', sessionId: 'queue' });
    const third = await chat.stream({ text: 'third', sessionId: 'queue' });
    assert.equal((await chat.cancel(second.turnId)).body.cancelled, true);
    assert.deepEqual(
      (await second.rest()).map(({ type }) => type),
      ['error', 'done'],
    );
    gate.resolve();
    assert.equal(textOf(await first.rest()), 'One');
    assert.equal(textOf(await third.rest()), 'Three');
    assert.equal(chats().length, 2);
    const { messages } = await chat.history('queue');
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'user', 'assistant', 'user', 'assistant'],
    );
  });

  test('gives the same turn to the same request under one key', async () => {
    models.script(says('Only once'));
    const body = { text: 'Hi', sessionId: 'repeats' };
    const key = { 'idempotency-key': 'key-1' };
    const [one, two] = await Promise.all([chat.say(body, key), chat.say(body, key)]);
    const three = await chat.say(body, key);
    assert.deepEqual([two.body, three.body], [one.body, one.body]);
    assert.equal(chats().length, 1);
    assert.equal((await chat.history('repeats')).count, 2);
    const other = await chat.say(body, { ...key, 'x-user-id': 'bob' });
    assert.notEqual(other.body.metadata.turnId, one.body.metadata.turnId);
  });

  test('tells within the stream what goes wrong once it has begun', async () => {
    const cases = [
      [says('Once', breaks('end')), 'MODEL_UNAVAILABLE'],
      [says(), 'MODEL_UNAVAILABLE'],
      [fails('context-too-long'), 'INTERNAL'],
    ] as const;
    for (const [reply, code] of cases) {
      models.reset();
      models.script(reply);
      const messages = await (await chat.stream({ text: 'Hi' })).rest();
      assert.deepEqual(
        messages.slice(-2).map(({ type }) => type),
        ['error', 'done'],
        JSON.stringify(messages),
      );
      assert.equal(messages.at(-2)?.code, code);
      assert.equal(typeof messages.at(-2)?.message, 'string');
    }
  });

  test('says that the model broke off, and not that there is none', async () => {
    models.script(() => says('Once', breaks('end')));
    const { status, body } = await service.ask('POST', '/api/chat', { body: { text: 'Hi' } });
    assert.equal(status, 503);
    assert.match(String(body.message), /stopped without a complete answer/);
  });

  test('says why when the provider refused the request', async () => {
    models.script(() => fails('context-too-long'));
    const { status, body } = await service.ask('POST', '/api/chat', { body: { text: 'Hi' } });
    assert.deepEqual([status, body.error], [500, 'Chat processing failed']);
    assert.match(String(body.message), /refused.*too long/);
  });

  test('says that no model answers, and what to do', async () => {
    const alone = await InProcessService.start({ ...LIMITS, OLLAMA_HOST: 'http://127.0.0.1:1' });
    try {
      const { status, body } = await alone.ask('POST', '/api/chat', { body: { text: 'Hi' } });
      assert.equal(status, 503);
      assert.match(String(body.error ?? body.message), /key|runner|demo/);
    } finally {
      await alone.stop();
    }
  });

  test('does tasks by turns of their own', async () => {
    models.script(says('Tom, Kit, Lu'));
    const { status, body } = await service.ask<Record<string, unknown>>('POST', '/api/tasks', {
      body: { topic: 'Three names for a cat' },
    });
    assert.deepEqual([status, body.text], [200, 'Tom, Kit, Lu']);
    assert.equal(Object(body.metadata).turnId, body.taskId);
    models.reset();
    models.script(fails('context-too-long'));
    const failed = await service.ask('POST', '/api/tasks', { body: { topic: 'x' } });
    assert.deepEqual([failed.status, failed.body.error], [500, 'Task processing failed']);
    assert.match(String(failed.body.taskId), /^[\w-]+$/);
    assert.equal((await service.ask('POST', '/api/tasks', { body: { topic: ' ' } })).status, 400);
  });

  test('refuses what is no message, and asks no model', async () => {
    const bad: readonly unknown[] = [
      {},
      { text: '' },
      { text: ' \n\t ' },
      { text: '\0' },
      { text: 'x'.repeat(10_001) },
      { text: 7 },
      { text: 'Hi', sessionId: 'no spaces' },
      { text: 'Hi', sessionId: 'x'.repeat(129) },
      { text: 'Hi', sessionId: '' },
      { text: 'Hi', files: [{ content: 'no base64!', mimeType: 'image/png', encoding: 'base64' }] },
      { text: 'Hi', files: [{ content: 'aGVsbG8=', mimeType: 'image/png', encoding: 'base64' }] },
      { text: 'Hi', files: [{ content: '', mimeType: 'image/png', encoding: 'base64' }] },
      { text: 'Hi', files: [{ content: SMALLEST_PNG, mimeType: 'image/png', encoding: 'hex' }] },
      { text: 'Hi', files: 'image.png' },
      '[]',
      '{',
    ];
    for (const path of ['/api/chat', '/api/chat/stream'])
      for (const body of bad) {
        const { status, body: answer } = await service.ask('POST', path, { body });
        assert.equal(status, 400, `${path} ${JSON.stringify(body).slice(0, 80)}`);
        assert.equal(typeof answer.error, 'string');
      }
    assert.equal((await service.get('/api/chat/history/no%20spaces')).status, 400);
    assert.equal((await service.get('/api/chat/stream/no%20spaces')).status, 400);
    assert.equal((await service.get('/api/chat/stream/unknown')).status, 404);
    assert.equal((await service.ask('DELETE', '/api/chat/stream/unknown')).status, 404);
    assert.equal(chats().length, 0);
  });

  test('takes 10,000 characters, and what cannot be kept as it is in a form that can', async () => {
    models.script(says('Noted'));
    assert.equal((await chat.say({ text: 'é'.repeat(10_000) })).status, 200);
    const odd = { text: 'a\ud800b\0c', sessionId: 'odd', platform: 'w\udfffeb\0' };
    const { status, body } = await chat.say(odd);
    assert.equal(status, 200);
    assert.equal(body.platform, 'w\ufffdeb');
    assert.equal((await chat.history('odd')).messages[0]?.content, 'a\ufffdbc');
    assert.match(JSON.stringify(chats().at(-1)?.turns), /a\ufffdbc/);
  });
});

describe('the reasoning of a model', () => {
  const slots = [
    { provider: 'cloud-a', model: 'claude-sonnet-5-5' },
    { provider: 'cloud-b', model: 'gpt-5-mini' },
    { provider: 'gateway', model: 'anthropic/claude-sonnet-4.5' },
    { provider: 'local-runner', model: 'qwen3:8b' },
  ] as const;

  for (const slot of slots) {
    test(`of ${slot.provider} is streamed, kept and given back on later turns`, async (t) => {
      const models = await ScriptedModels.start();
      t.onTestFinished(() => models.stop());
      const service = await InProcessService.start({ ...LIMITS, ...providersAt(models) });
      t.onTestFinished(() => service.stop());
      const chat = new ChatClient(service);
      assert.equal((await service.put('/api/slots', { slots: { chat: slot } })).status, 200);
      models.script([says(thinks('Sixtimesseven', 'c2lnbmVk'), '42'), says('Yes')]);
      const messages = await (await chat.stream({ text: 'What is it?', sessionId: 'thinks' })).rest();
      const thoughts = messages.flatMap(({ type, content }) => (type === 'thinking' ? [content] : []));
      assert.equal(thoughts.join(''), 'Sixtimesseven');
      assert.equal((await chat.history('thinks')).messages[1]?.content, '42');
      await chat.say({ text: 'Sure?', sessionId: 'thinks' });
      const asked = models.requests.filter(({ endpoint }) => endpoint === 'chat').at(-1);
      assert.equal(asked?.provider, slot.provider);
      assert.match(JSON.stringify(asked.body), /Sixtimesseven|encrypted/);
    });
  }
});

function textOf(messages: readonly Record<string, unknown>[]): string {
  return messages.flatMap(({ type, content }) => (type === 'content' ? [content] : [])).join('');
}
