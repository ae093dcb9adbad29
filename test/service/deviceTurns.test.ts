import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'vitest';
import { breaks, calls, says } from '../../src/demo/model/script.ts';
import type { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { addDevice, changeDevice, establish, type ProvenDevice } from '../support/devices.ts';
import { modelledService } from '../support/modelledService.ts';
import { EventReader } from '../support/service.ts';
import { within } from '../support/within.ts';
import { McpByHand } from './mcpClient.ts';

const refused = 'Error: This device may not use this tool';

interface Conclusions {
  readonly conclusions: readonly { readonly id: string; readonly text: string }[];
}

describe('what a device has said', () => {
  const set = modelledService({ SERVICE_TOOL_MAX_TOOLS: '20' });

  const say = (device: ProvenDevice, text: string, sessionId?: string) =>
    set.service.ask<{ text: string }>('POST', '/api/chat', {
      headers: device.headers,
      body: { text, ...(sessionId === undefined ? {} : { sessionId }) },
    });
  const believed = async () =>
    (await set.service.get<Conclusions>('/api/memory/conclusions')).body.conclusions;

  test('is shown the tools that the device may call, and no others', async () => {
    const device = await addDevice(set.service);
    set.models.script(says('Hello'));
    await say(device, 'Hi');
    assert.deepEqual(set.models.requests.find(({ endpoint }) => endpoint === 'chat')?.tools, [
      'clock_now',
      'memory_ask_about_user',
      'memory_correct',
      'memory_remember',
      'memory_search',
      'notify_send',
      'schedule_cancel',
      'schedule_create',
      'schedule_list',
      'session_status',
      'discover_tools',
    ]);
  });

  for (const call of [
    calls('system.health'),
    calls('workflow.list'),
    calls('workflow.run', { workflowId: 'any' }),
    calls('memory.forget', { query: 'all' }),
    calls('voice.speak', { text: 'Boo' }),
  ])
    test(`does not get by a tool what its device may not: ${JSON.stringify(call)}`, async () => {
      const device = await addDevice(set.service);
      set.models.script([says(call), says('So be it')]);
      assert.equal((await say(device, 'Do that for me')).status, 200);
      assert.equal(set.toldLast, refused);
    });

  test('gets what the device may: the time, and what it says is remembered', async () => {
    const device = await addDevice(set.service);
    set.models.script([says(calls('clock_now')), says('Late')]);
    await say(device, 'What time is it?');
    assert.match(set.toldLast, /"timezone"/);
    await say(device, 'Remember that I collect stamps.');
    assert.ok((await believed()).some(({ text }) => text.includes('stamps')));
  });

  test('erases nothing, in whatever words, and says where that is done', async () => {
    const device = await addDevice(set.service);
    const statement = { text: 'I love coffee', type: 'explicit' };
    await set.service.ask('POST', '/api/memory/conclusions', { body: statement });
    set.models.script(says('As you wish'));
    await say(device, 'Forget that I love coffee.');
    const system = set.models.chats[0]?.turns.find(({ role }) => role === 'system')?.text;
    assert.match(system ?? '', /a device may not/);
    assert.ok((await believed()).some(({ text }) => text.includes('coffee')));
  });

  test('has nothing scheduled that would do what the device may not', async () => {
    const device = await addDevice(set.service);
    const schedule = (body: object) =>
      set.service.ask('POST', '/api/scheduler/tasks', {
        headers: device.headers,
        body: { name: 'Later', scheduleType: 'once', atTimestamp: 4_000_000_000_000, ...body },
      });
    for (const eventTopic of [
      'memory.maintenance.requested',
      'memory.consolidation.requested',
      'provider.catalog.refresh.requested',
    ]) {
      const { status, body } = await schedule({ eventTopic });
      assert.deepEqual([status, body.errorCode], [403, 'DEVICE_SCOPE'], eventTopic);
    }
    const workflow = { eventTopic: 'workflow.run.requested', payload: { workflowId: 'any' } };
    assert.equal((await schedule(workflow)).status, 403);
    assert.equal((await schedule({ text: 'Tea' })).status, 201);
    assert.equal((await schedule({ eventTopic: 'tea.time' })).status, 201);
    const { id } = (await schedule({ text: 'Cake' })).body.task as { id: string };
    const at = `/api/scheduler/tasks/${id}`;
    assert.equal((await set.service.ask('PUT', at, { headers: device.headers, body: {} })).status, 403);
    assert.equal((await set.service.ask('DELETE', at, { headers: device.headers })).status, 200);
  });

  test('stays its own when it is scheduled, also by a model', async () => {
    const device = await addDevice(set.service);
    const reader = await EventReader.open(`${set.service.url}/api/events/stream?topics=schedule.run.*`);
    const prompt = { eventTopic: 'agent.prompt.requested', payload: { text: 'Forget all that' } };
    set.models.script([
      says(calls('schedule_create', { name: 'Later', at: 'in 1 minute', ...prompt })),
      says('I will'),
      says(calls('memory.forget', { query: 'all' })),
      says('I may not'),
    ]);
    await say(device, 'Forget all that in a minute');
    await set.service.advance(60_000);
    assert.equal((await reader.next())?.event, 'schedule.run.succeeded');
    reader.close();
    assert.equal(set.toldLast, refused);
  });

  test('may do no more from the moment in which it is suspended', async () => {
    const device = await addDevice(set.service);
    const suspended = Promise.withResolvers<void>();
    set.models.script([
      says(calls('clock_now')),
      says({ type: 'wait', until: suspended.promise }, calls('clock_now')),
      says('Oh'),
    ]);
    const gone = say(device, 'What time is it?', 'kitchen').catch(() => undefined);
    await chatsOf(set.models, 2);
    await changeDevice(set.service, device.id, { status: 'suspended' });
    suspended.resolve();
    await gone;
    await chatsOf(set.models, 3);
    assert.equal(set.toldLast, refused);
  });
});

describe('over MCP a device', () => {
  const set = modelledService();
  const names = ({ tools = [] }: { tools?: readonly { name: string }[] } = {}) =>
    tools.map(({ name }) => name);
  const always = ['clock.now', 'discover_tools', 'notify.send', 'session.status'];
  const trusted = [
    'memory.ask_about_user',
    'memory.search',
    'schedule.cancel',
    'schedule.create',
    'schedule.list',
  ];

  test('is shown what it may call, and may call that', async () => {
    const device = await addDevice(set.service);
    const client = new McpByHand(set.service.mcpUrl, device.headers);
    assert.deepEqual(
      (await client.list()).map(({ name }) => name),
      [...always, ...trusted].sort(),
    );
    const modern = await client.askModern('tools/list');
    assert.deepEqual(names(modern.messages[0]?.result), [...always, ...trusted].sort());
    assert.match((await client.call('clock.now')).text, /"timezone"/);
    // The second time it goes straight to the tool.
    for (const name of [
      'system.health',
      'workflow.list',
      'memory.forget',
      'memory.remember',
      'voice.speak',
      'system.health',
    ]) {
      const { text, isError } = await client.call(name, { text: 'Tea', query: 'Tea' });
      assert.deepEqual([text, isError], [refused, true], name);
      const { messages } = await client.askModern('tools/call', { name, arguments: { text: 'Tea' } });
      assert.equal(messages[0]?.result?.content?.[0]?.text, refused);
    }
    const found = await client.call('discover_tools', { query: 'health of the system, forget memory' });
    assert.doesNotMatch(found.text, /system\.health|memory\.forget/);
  });

  test('that hears, and has been there for long, may more', async () => {
    const device = await addDevice(set.service, { capabilities: { microphone: true } });
    await establish(set.service, device);
    const client = new McpByHand(set.service.mcpUrl, device.headers);
    const more = ['memory.correct', 'memory.remember', 'voice.listen', 'voice.speak'];
    assert.deepEqual(
      (await client.list()).map(({ name }) => name),
      [...always, ...trusted, ...more].sort(),
    );
    assert.equal((await client.call('memory.remember', { text: 'I keep bees.' })).isError, undefined);
  });

  test('with a wrong secret is refused, and hears nothing of the log with a right one', async () => {
    const device = await addDevice(set.service);
    const wrong = { ...device.headers, 'x-device-secret': 'x' };
    assert.equal((await new McpByHand(set.service.mcpUrl, wrong).ask('tools/list')).status, 401);
    const listening = await EventReader.open(`${set.service.mcpUrl}?topics=*`, device.headers);
    await set.service.ask('POST', '/api/memory/conclusions', {
      body: { text: 'I am tall', type: 'explicit' },
    });
    await changeDevice(set.service, device.id, { status: 'revoked' });
    await assert.rejects(async () => assert.equal(await listening.next(), undefined));
  });
});

describe('what goes on for a device', () => {
  const set = modelledService();
  const open: EventReader[] = [];
  afterEach(() => {
    for (const reader of open.splice(0)) reader.close();
  });

  const endings: readonly (readonly [string, (id: string) => Promise<unknown>])[] = [
    ['suspended', (id) => changeDevice(set.service, id, { status: 'suspended' })],
    ['revoked', (id) => changeDevice(set.service, id, { status: 'revoked' })],
    ['deleted', (id) => set.service.ask('DELETE', `/api/devices/${id}`)],
    [
      'linked to somebody else',
      (id) => set.service.ask('POST', `/api/devices/${id}/link`, { body: { userId: 'ben' } }),
    ],
  ];
  for (const [what, end] of endings)
    test(`ends within a second when it is ${what}, and what goes on for others does not`, async () => {
      set.models.script(says('Once upon', breaks('hang')));
      const lost = await addDevice(set.service);
      const kept = await addDevice(set.service);
      const streams = async ({ headers }: ProvenDevice) => {
        const chat = await EventReader.open(`${set.service.url}/api/chat/stream`, headers, {
          text: 'A story',
        });
        const mcp = await EventReader.open(set.service.mcpUrl, headers);
        open.push(chat, mcp);
        await chat.next();
        const turn = chat.headers.get('x-turn-id');
        const followed = await EventReader.open(`${set.service.url}/api/chat/stream/${turn}`, headers);
        open.push(followed);
        await followed.next();
        return [chat, followed, mcp];
      };
      const [ofLost, ofKept] = [await streams(lost), await streams(kept)];
      const waiting = set.service.ask('POST', '/api/chat', {
        headers: lost.headers,
        body: { text: 'And another' },
      });
      const over = Promise.all([
        ...ofLost.map((reader) => assert.rejects(async () => void (await untilOver(reader)))),
        assert.rejects(waiting),
      ]);
      await chatsOf(set.models, 3);
      await within(1_000, Promise.all([end(lost.id), over]));
      assert.equal((await set.service.get('/api/notifications', kept.headers)).status, 200);
      const [chat] = ofKept;
      // What ended would say so, and what goes on says something or nothing.
      assert.notEqual(await Promise.race([chat?.nextOrComment(), Promise.resolve('open')]), undefined);
    });
});

/** When the models have been asked so often to chat. */
async function chatsOf(models: ScriptedModels, count: number): Promise<void> {
  for (let number = 1; models.chats.length < count; number++) await models.request(number);
}

async function untilOver(reader: EventReader): Promise<void> {
  while (await reader.nextOrComment());
  throw new Error('It ended in order');
}
