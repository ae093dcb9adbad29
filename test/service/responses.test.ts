import assert from 'node:assert/strict';
import OpenAI, { APIError } from 'openai';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { field } from '../../src/demo/model/loose.ts';
import { breaks, calls, fails, says, saysJson, thinks, waits } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { providersAt } from '../support/models/environment.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { InProcessService } from '../support/service.ts';

type Body = OpenAI.Responses.ResponseCreateParamsNonStreaming;
type Input = OpenAI.Responses.ResponseInput | string;
type More = Partial<Omit<Body, 'input' | 'model' | 'stream'>> & { readonly store?: boolean };
type Events = readonly OpenAI.Responses.ResponseStreamEvent[];

interface Logged {
  readonly events: readonly { readonly type: string; readonly data: Record<string, unknown> }[];
}

const weather = {
  type: 'function',
  name: 'weather_at',
  description: 'The weather',
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  strict: false,
} as const;

describe('a client of the Responses API', () => {
  let models: ScriptedModels;
  let service: InProcessService;
  let client: OpenAI;
  const folder = temporaryFolder('responses');
  const begin = async () => {
    const limits = { API_RATE_LIMIT: '100000', SERVICE_V1_RATE_LIMIT: '100000' };
    const kept = { SERVICE_DATA_DIR: folder, SERVICE_KVSTORE_URL: 'embedded' };
    service = await InProcessService.start({ ...limits, ...providersAt(models), ...kept });
    client = new OpenAI({ apiKey: 'none', baseURL: `${service.url}/v1`, maxRetries: 0 });
  };
  beforeAll(async () => {
    models = await ScriptedModels.start();
    await begin();
    await unsetBackgroundSlots(service);
  });
  afterEach(() => models.reset());
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });

  const ask = (input: Input, more: More = {}) => client.responses.create({ ...more, model: 'chat', input });
  const listen = async (input: Input, more: More = {}): Promise<Events> =>
    Array.fromAsync(await client.responses.create({ ...more, model: 'chat', input, stream: true }));
  const refused = async (asked: Promise<unknown>): Promise<APIError> => {
    const error = await asked.then(
      () => assert.fail('It was not refused'),
      (thrown: unknown) => thrown,
    );
    assert(error instanceof APIError, String(error));
    return error;
  };
  const toldTo = (chat: number) =>
    models.chats[chat]?.turns.slice(1).map(({ role, text }) => `${role}: ${text}`);

  test('is answered, and told what it cost', async () => {
    models.script({ ...says('Good ', 'evening.'), usage: { inputTokens: 12, outputTokens: 3 } });
    const metadata = { purpose: 'test' };
    const answer = await ask('Hello', { instructions: 'Be brief.', metadata });
    assert.match(answer.id, /^resp_/);
    assert.deepEqual([answer.object, answer.status, answer.model], ['response', 'completed', 'chat']);
    assert.equal(answer.output_text, 'Good evening.');
    assert.deepEqual([answer.instructions, answer.metadata], ['Be brief.', metadata]);
    assert.deepEqual(answer.usage, {
      input_tokens: 12,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 3,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
    });
    const [system, said] = models.chats[0]?.turns ?? [];
    assert.match(system?.text ?? '', /^Be brief\.\n\nIt is /);
    assert.equal(said?.text, 'Hello');
  });

  test('hears the same in a stream as whole, thoughts and steps apart', async () => {
    const reply = () => [says(thinks('Hm.'), 'Let me look.', calls('look_around')), says('It is ', 'dark.')];
    models.script([...reply(), ...reply()]);
    const whole = await ask('What is it like?');
    const events = await listen('What is it like?');
    const last = events.at(-1);
    assert(last?.type === 'response.completed');
    const said = ({ output }: OpenAI.Responses.Response) => output.map((item) => ({ ...item, id: '' }));
    assert.deepEqual(said(last.response), said(whole));
    assert.deepEqual(
      whole.output.map(({ type }) => type),
      ['reasoning', 'message', 'message'],
    );
    assert.equal(whole.output_text, 'Let me look.\n\nIt is dark.');
    assert.deepEqual(
      events.map(({ sequence_number: number }) => number),
      events.map((_, index) => index),
    );
    const deltas = events.flatMap((one) => (one.type === 'response.output_text.delta' ? [one.delta] : []));
    assert.equal(deltas.join(''), whole.output_text);
    const done = events.flatMap((one) => (one.type === 'response.output_item.done' ? [one.item] : []));
    assert.deepEqual(done, last.response.output);
    const [created, progress] = events;
    assert.deepEqual([created?.type, progress?.type], ['response.created', 'response.in_progress']);
  });

  test('is put together by the client that streams', async () => {
    models.script(says('Good ', 'evening.'));
    const stream = client.responses.stream({ model: 'hark', input: 'Hello' });
    assert.equal((await stream.finalResponse()).output_text, 'Good evening.');
  });

  for (const restarts of [false, true])
    test(`goes on with what its tools gave${restarts ? ', also after a restart' : ''}`, async () => {
      models.script([
        says('Let me see.', calls('weather_at', { place: 'Rome' }, 'call_1')),
        says('Warm.'),
        says('As I said.'),
      ]);
      const tools = [weather];
      const first = await ask('Is it warm in Rome?', { tools, instructions: 'Be brief.' });
      const call = first.output.at(-1);
      assert(call?.type === 'function_call');
      assert.deepEqual(
        [call.name, call.call_id, call.arguments],
        ['weather_at', 'call_1', '{"place":"Rome"}'],
      );
      assert.equal(first.status, 'completed');
      if (restarts) {
        await service.stop();
        await begin();
      }
      const result = { type: 'function_call_output', call_id: 'call_1', output: 'Sunny' } as const;
      const second = await ask([result], { tools, previous_response_id: first.id });
      assert.equal(second.output_text, 'Warm.');
      assert.deepEqual(toldTo(1), ['user: Is it warm in Rome?', 'assistant: Let me see.', 'tool: Sunny']);
      // Instructions are of the response that they came with.
      assert.match(models.chats[1]?.turns[0]?.text ?? '', /^You are hark/);
      const third = await ask('Sure?', { previous_response_id: second.id });
      assert.deepEqual(toldTo(2), [...(toldTo(1) ?? []), 'assistant: Warm.', 'user: Sure?']);
      assert.equal(third.previous_response_id, second.id);
    });

  test('goes on from one response in two ways', async () => {
    models.script([says('One.'), says('Two.'), says('Three.')]);
    const { id } = await ask('First');
    await ask('Left', { previous_response_id: id });
    await ask('Right', { previous_response_id: id });
    assert.deepEqual(toldTo(2), ['user: First', 'assistant: One.', 'user: Right']);
  });

  test('refers to items instead of sending them again', async () => {
    models.script([says('One.', calls('weather_at', { place: 'Rome' }, 'call_9')), says('Two.')]);
    const tools = [weather];
    const { output } = await ask('First', { tools });
    const references = output.map(({ id = '' }) => ({ type: 'item_reference' as const, id: id ?? '' }));
    const result = { type: 'function_call_output', call_id: 'call_9', output: 'Sunny' } as const;
    await ask([{ role: 'user', content: 'First' }, ...references, result], { tools });
    assert.deepEqual(toldTo(1), ['user: First', 'assistant: One.', 'tool: Sunny']);
    assert.equal(models.chats[1]?.turns[2]?.toolCalls.length, 1);
    const nowhere = await refused(ask([{ type: 'item_reference', id: 'msg_nowhere_0' }]));
    assert.deepEqual([nowhere.status, nowhere.param], [404, 'input']);
  });

  test('sends the whole conversation itself, thoughts and images included', async () => {
    models.script(says('Yes.'));
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await service.get('/api/providers/catalog');
    await ask([
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'input_text', text: 'Look' }] },
      { type: 'reasoning', id: 'rs_1', summary: [] },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'At what?', annotations: [] }],
      },
      {
        role: 'user',
        content: [{ type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${png}` }],
      },
    ]);
    assert.deepEqual(toldTo(0), ['user: Look', 'assistant: At what?', 'user: ']);
    assert.match(models.chats[0]?.turns[0]?.text ?? '', /^Be brief\.\n\nIt is /);
    assert.deepEqual(models.chats[0]?.turns.at(-1)?.images, [png]);
  });

  for (const stream of [false, true])
    test(`gets JSON that fits its schema${stream ? ' in a stream' : ''}`, async () => {
      models.script(saysJson({ city: 'Rome' }));
      const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
      const text = { format: { type: 'json_schema', name: 'place', schema } } as const;
      const body = { model: 'chat', input: 'Where?', text };
      const answer = stream
        ? await client.responses.stream(body).finalResponse()
        : await client.responses.create(body);
      assert.deepEqual(JSON.parse(answer.output_text), { city: 'Rome' });
      const bad = { format: { type: 'json_schema', name: 'x', schema: { type: 'nonsense' } } } as const;
      const { status, param } = await refused(ask('Where?', { text: bad }));
      assert.deepEqual([status, param], [400, 'text.format.schema']);
    });

  for (const stream of [false, true])
    test(`demands a call${stream ? ', and hears it in a stream' : ''}`, async () => {
      models.script(says(calls('weather_at', { place: 'Rome' }, 'call_3')));
      const body = {
        model: 'chat',
        input: '?',
        tools: [weather],
        tool_choice: { type: 'function', name: 'weather_at' },
        parallel_tool_calls: false,
      } as const;
      const answer = stream
        ? await client.responses.stream({ ...body, tools: [weather] }).finalResponse()
        : await client.responses.create({ ...body, tools: [weather] });
      const [call] = answer.output;
      assert(call?.type === 'function_call');
      assert.equal(call.arguments, '{"place":"Rome"}');
      assert.deepEqual(field(models.chats[0]?.body, 'tool_choice'), {
        type: 'tool',
        name: 'weather_at',
        disable_parallel_tool_use: true,
      });
    });

  test('leaves the model only some of its tools', async () => {
    models.script(() => says(calls('weather_at', { place: 'Rome' })));
    const other = { ...weather, name: 'clock' };
    for (const mode of ['auto', 'required'] as const) {
      const allowed = [{ type: 'function', name: 'weather_at' }];
      await ask('?', {
        tools: [weather, other],
        tool_choice: { type: 'allowed_tools', mode, tools: allowed },
      });
    }
    const [free, forced] = models.chats;
    assert.deepEqual([free?.tools, forced?.tools], [['weather_at'], ['weather_at']]);
    assert.deepEqual(field(free?.body, 'tool_choice'), undefined);
    assert.deepEqual(field(forced?.body, 'tool_choice'), { type: 'any' });
  });

  test('finds a response again, and forgets it', async () => {
    models.script([says(thinks('Hm.'), 'The secret dish.'), says('Again.')]);
    const asked = await ask('I love the secret dish.', { metadata: { a: 'b' } });
    const found = await client.responses.retrieve(asked.id);
    assert.deepEqual(found.output, asked.output);
    assert.deepEqual([found.status, found.metadata, found.usage], ['completed', { a: 'b' }, asked.usage]);
    const follower = await ask('And?', { previous_response_id: asked.id });
    await client.responses.delete(asked.id);
    assert.equal((await refused(client.responses.retrieve(asked.id))).status, 404);
    assert.equal((await refused(client.responses.delete(asked.id))).status, 404);
    for (const previous_response_id of [asked.id, follower.id]) {
      const { status, code, param } = await refused(ask('Go on', { previous_response_id }));
      assert.deepEqual([status, code, param], [404, 'previous_response_not_found', 'previous_response_id']);
    }
    const log = await service.get('/api/events?limit=1000');
    assert.doesNotMatch(log.text, /secret dish/);
  });

  test('finds no response of another user, nor goes on from it', async () => {
    models.script(says('Mine.'));
    const { id } = await ask('First', { user: 'anna' });
    assert.equal((await refused(client.responses.retrieve(id))).status, 404);
    assert.equal((await refused(client.responses.delete(id))).status, 404);
    assert.equal((await refused(ask('And?', { previous_response_id: id }))).status, 404);
    await ask('And?', { previous_response_id: id, user: 'anna' });
    for (const nowhere of ['resp_nowhere', 'nonsense', ''])
      assert.equal((await refused(ask('And?', { previous_response_id: nowhere }))).status, 404);
  });

  test('is not remembered where it says so, and cannot go on from that', async () => {
    models.script(says('The private reply.'));
    const answer = await ask('My private words', { store: false });
    assert.deepEqual([answer.output_text, field(answer, 'store')], ['The private reply.', false]);
    assert.equal((await refused(client.responses.retrieve(answer.id))).status, 404);
    assert.equal((await refused(ask('And?', { previous_response_id: answer.id }))).status, 404);
    const log = await service.get('/api/events?limit=1000');
    assert.doesNotMatch(log.text, /private/);
  });

  test('cannot go on from what was erased with all memory', async () => {
    models.script(says('Yes.'));
    const { id } = await ask('First');
    await service.ask('DELETE', '/api/memory');
    assert.equal((await refused(ask('And?', { previous_response_id: id }))).status, 404);
  });

  for (const stream of [false, true])
    test(`cancels the turn when it goes away from ${stream ? 'a stream' : 'an answer'}`, async () => {
      const { promise: never, resolve } = Promise.withResolvers<void>();
      models.script(says('And so on', waits(never)));
      const leaving = new AbortController();
      const asked = client.responses.create(
        { model: 'hark', input: 'Go on', stream },
        { signal: leaving.signal },
      );
      const upstream = await models.request(1);
      if (stream) await asked;
      leaving.abort();
      await asked.catch(() => undefined);
      assert.equal(await upstream.ended, true);
      resolve();
      const { body } = await service.get<Logged>('/api/events?limit=1000&type=chat.message.received');
      const id = `resp_${body.events.at(-1)?.data.turnId}`;
      await service.ask('DELETE', `/api/chat/stream/${id.slice(5)}`);
      assert.equal((await client.responses.retrieve(id)).status, 'cancelled');
    });

  test('asks the same twice under a key, and is answered once', async () => {
    models.script(says('Once.'));
    const options = { headers: { 'Idempotency-Key': 'k1' } };
    const again = () => client.responses.create({ model: 'hark', input: '?' }, options);
    const [one, two] = [await again(), await again()];
    assert.deepEqual(two, one);
    assert.equal(models.chats.length, 1);
  });

  test('hears that an answer was cut short', async () => {
    models.script(() => ({ ...says('Once upon'), stop: 'length' }));
    const whole = await ask('Tell', { max_output_tokens: 7 });
    assert.deepEqual(whole.incomplete_details, { reason: 'max_output_tokens' });
    assert.equal(whole.status, 'incomplete');
    assert.equal((await listen('Tell')).at(-1)?.type, 'response.incomplete');
  });

  test('hears that no model answers with a status, before anything was said', async () => {
    models.script(() => fails('wrong-key'));
    for (const asking of [ask, listen]) {
      const { status, code, type } = await refused(asking('?'));
      assert.deepEqual([status, code, type], [503, 'model_unavailable', 'server_error']);
    }
  });

  test('hears that the answer broke off, after something was said', async () => {
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    models.script(says('Once upon', waits(heard), breaks('reset')));
    const stream = await client.responses.create({ model: 'chat', input: 'Tell', stream: true });
    const events = await Array.fromAsync(stream, (event) => {
      if (event.type === 'response.output_text.delta') resolve();
      return event;
    });
    const last = events.at(-1);
    assert(last?.type === 'response.failed');
    assert.equal(last.response.status, 'failed');
    assert(last.response.error?.message);
    assert.equal(last.response.output_text ?? '', '');
    const found = await client.responses.retrieve(last.response.id);
    assert.deepEqual([found.status, found.output_text], ['failed', 'Once upon']);
  });

  const nonsense: readonly (readonly [why: string, body: Record<string, unknown>, param: string])[] = [
    ['no input', { input: [] }, 'input'],
    ['an empty message', { input: '  ' }, 'input'],
    ['a result of no call', { input: [{ type: 'function_call_output', call_id: 'x', output: '' }] }, 'input'],
    [
      'a call without a result',
      {
        input: [
          { type: 'function_call', call_id: 'x', name: 'f', arguments: '' },
          { role: 'user', content: '?' },
        ],
      },
      'input',
    ],
    ['work in the background', { background: true }, 'background'],
    ['a conversation', { conversation: 'conv_1' }, 'conversation'],
    ['a tool that runs elsewhere', { tools: [{ type: 'web_search' }] }, 'tools[0].type'],
    ['a call of no tool', { tool_choice: 'required' }, 'tool_choice'],
    [
      'a call of another tool',
      { tools: [weather], tool_choice: { type: 'function', name: 'x' } },
      'tool_choice.name',
    ],
    ['an item that is none', { input: [{ type: 'nonsense' }] }, 'input'],
    ['a file', { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'x' }] }] }, 'input'],
  ];
  for (const [why, body, param] of nonsense)
    test(`is refused ${why}, in OpenAI's words`, async () => {
      const { status, body: answer } = await service.ask('POST', '/v1/responses', {
        body: { model: 'hark', input: '?', ...body },
      });
      assert.equal(status, 400, JSON.stringify(answer));
      assert.equal(field(answer.error, 'code'), 'invalid_value');
      assert.match(
        String(field(answer.error, 'param')),
        new RegExp(`^${param.replaceAll(/[[\]]/g, '\\$&')}`),
      );
      assert.equal(models.chats.length, 0);
    });
});
