import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import OpenAI, { APIError } from 'openai';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { field } from '../../src/demo/model/loose.ts';
import {
  breaks,
  calls,
  callsBadly,
  fails,
  says,
  saysJson,
  thinks,
  waits,
} from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { providersAt } from '../support/models/environment.ts';
import { InProcessService } from '../support/service.ts';

const KEY = 'a-very-secret-key';
const LIMITS = { API_RATE_LIMIT: '100000', SERVICE_V1_RATE_LIMIT: '100000' };
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type Message = OpenAI.ChatCompletionMessageParam;
type Body = OpenAI.ChatCompletionCreateParamsNonStreaming;
type Delta = OpenAI.ChatCompletionChunk.Choice.Delta & { readonly reasoning_content?: string };

interface Logged {
  readonly events: readonly { readonly type: string; readonly data: Record<string, unknown> }[];
}

const weather = {
  type: 'function',
  function: {
    name: 'weather_at',
    description: 'The weather',
    parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  },
} as const;

describe('a client of OpenAI', () => {
  let models: ScriptedModels;
  let service: InProcessService;
  let client: OpenAI;
  beforeAll(async () => {
    models = await ScriptedModels.start();
    service = await InProcessService.start({ ...LIMITS, ...providersAt(models), SERVICE_API_KEY: KEY });
    client = clientWith(KEY);
    const headers = { authorization: `Bearer ${KEY}` };
    const chat = { provider: 'cloud-a', model: 'claude-opus-4-6' };
    const coding = { provider: 'cloud-b', model: 'gpt-4o' };
    const creative = { provider: 'local-runner', model: 'qwen3:8b' };
    const body = { slots: { chat, coding, creative } };
    assert.equal((await service.ask('PUT', '/api/slots', { headers, body })).status, 200);
  });
  afterEach(() => models.reset());
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });

  const clientWith = (apiKey: string, defaultHeaders: Record<string, string> = {}) =>
    new OpenAI({ apiKey, baseURL: `${service.url}/v1`, maxRetries: 0, defaultHeaders });
  const user = (content: OpenAI.ChatCompletionUserMessageParam['content']): Message => ({
    role: 'user',
    content,
  });
  const ask = (messages: Message[], more: Partial<Body> = {}) =>
    client.chat.completions.create({ model: 'chat', messages, ...more });
  const listen = (messages: Message[], more: Partial<Body> = {}) =>
    client.chat.completions.create({ model: 'chat', messages, ...more, stream: true });
  const events = async (type: string, userId = 'default') => {
    const headers = { authorization: `Bearer ${KEY}`, 'x-user-id': userId };
    return (await service.get<Logged>(`/api/events?limit=1000&type=${type}`, headers)).body.events;
  };
  const lastEvent = async (type: string, userId?: string) => (await events(type, userId)).at(-1)?.data ?? {};
  const refused = async (asked: Promise<unknown>): Promise<APIError> => {
    const error = await asked.then(
      () => assert.fail('It was not refused'),
      (thrown: unknown) => thrown,
    );
    assert(error instanceof APIError);
    return error;
  };

  test('may be the only one who speaks, and is not taken for the user', async () => {
    models.script(says('A title'));
    const answer = await ask([{ role: 'system', content: 'I moved to Moscow. Name this talk.' }]);
    assert.equal(answer.choices[0]?.message.content, 'A title');
    const asked = models.requests.at(-1);
    assert.equal(asked?.lastText, 'I moved to Moscow. Name this talk.');
    const headers = { authorization: `Bearer ${KEY}` };
    const log = await service.get<Logged>('/api/events?type=chat.message.received&limit=500', headers);
    assert.equal(log.body.events.at(-1)?.data.origin, 'client');
  });

  test('is answered', async () => {
    models.script({ ...says('Good ', 'evening.'), usage: { inputTokens: 12, outputTokens: 3 } });
    const answer = await ask([{ role: 'system', content: 'Be brief.' }, user('Good evening')], {
      model: 'hark',
    });
    const [choice] = answer.choices;
    assert.equal(answer.object, 'chat.completion');
    assert.equal(answer.model, 'hark');
    assert.match(answer.id, /^chatcmpl-/);
    assert.deepEqual(choice?.message, { role: 'assistant', content: 'Good evening.', refusal: null });
    assert.equal(choice?.finish_reason, 'stop');
    assert.deepEqual(answer.usage, { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 });
    const [system, said] = models.chats[0]?.turns ?? [];
    assert.match(system?.text ?? '', /^Be brief\.\n\nIt is /);
    assert.equal(said?.text, 'Good evening');
  });

  test('is told who hark is only where it says nothing of that itself', async () => {
    models.script(says('Hark.'));
    await ask([user('Who are you?')]);
    assert.match(models.chats[0]?.turns[0]?.text ?? '', /^You are hark/);
  });

  test('hears the answer while it is given, thoughts apart, and what it cost', async () => {
    models.script({
      ...says(thinks('Hmm.'), 'Good ', 'evening.'),
      usage: { inputTokens: 12, outputTokens: 3 },
      paceMs: 0,
    });
    const stream = await listen([user('Good evening')], { stream_options: { include_usage: true } });
    const chunks = await Array.fromAsync(stream);
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }): Delta => delta));
    assert.deepEqual(deltas[0], { role: 'assistant', content: '' });
    assert.equal(deltas.map(({ content = '' }) => content).join(''), 'Good evening.');
    assert.equal(deltas.map(({ reasoning_content: text = '' }) => text).join(''), 'Hmm.');
    const reasons = chunks.flatMap(({ choices }) => choices.map((choice) => choice.finish_reason));
    assert.equal(reasons.at(-1), 'stop');
    assert(reasons.slice(0, -1).every((reason) => reason === null));
    assert.deepEqual(chunks.at(-1)?.choices, []);
    assert.deepEqual(chunks.at(-1)?.usage, { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 });
    assert(chunks.slice(0, -1).every(({ usage }) => usage === null));
    assert.equal(new Set(chunks.map(({ id }) => id)).size, 1);
  });

  test('hears the first words before the last are known', async () => {
    const { promise: rest, resolve: goOn } = Promise.withResolvers<void>();
    models.script(says('Wait', waits(rest), ' for it.'));
    const heard: string[] = [];
    for await (const { choices } of await listen([user('Tell me')])) {
      const text = choices[0]?.delta.content ?? '';
      heard.push(text);
      if (text === 'Wait') goOn();
    }
    assert.equal(heard.join(''), 'Wait for it.');
  });

  test('gets frames as OpenAI sends them', async () => {
    models.script(says('Yes.'));
    const { headers, text } = await service.ask('POST', '/v1/chat/completions', {
      headers: { authorization: `Bearer ${KEY}` },
      body: { model: 'hark', messages: [user('Well?')], stream: true },
    });
    assert.match(headers.get('content-type') ?? '', /^text\/event-stream/);
    assert.match(headers.get('x-turn-id') ?? '', /./);
    assert(text.endsWith('data: [DONE]\n\n'));
    for (const frame of text.trimEnd().split('\n\n')) assert.match(frame, /^data: (\{.*\}|\[DONE\])$/);
  });

  test('is told nothing of tools that run here, and the same in a stream as whole', async () => {
    const replies = [says('Let me look.', calls('look_around')), says('It is ', 'dark.')];
    models.script([...replies, ...replies]);
    const { choices } = await ask([user('What is it like?')]);
    assert.deepEqual(choices[0]?.message, {
      role: 'assistant',
      content: 'Let me look.\n\nIt is dark.',
      refusal: null,
    });
    assert.equal(choices[0]?.finish_reason, 'stop');
    const chunks = await Array.fromAsync(await listen([user('What is it like?')]));
    const deltas = chunks.flatMap((chunk) => chunk.choices.map(({ delta }) => delta));
    assert.equal(deltas.map(({ content }) => content ?? '').join(''), choices[0]?.message.content);
    assert(deltas.every(({ tool_calls: called }) => called === undefined));
    assert.equal(models.chats.length, 4);
    assert.equal(models.chats[1]?.turns.at(-2)?.toolCalls.length, 1);
  });

  test('is asked to run its own tools, and goes on with what came of them', async () => {
    models.script([
      says(
        'Let me see.',
        calls('weather_at', { place: 'Rome' }, 'call_1'),
        calls('weather_at', { place: 'Oslo' }),
      ),
      says('Warm in Rome.'),
    ]);
    const asked = user('Where is it warm?');
    const first = await ask([asked], { tools: [weather] });
    const [choice] = first.choices;
    assert.equal(choice?.finish_reason, 'tool_calls');
    assert.equal(choice?.message.content, 'Let me see.');
    const called = choice?.message.tool_calls ?? [];
    assert.deepEqual(called[0], {
      id: 'call_1',
      type: 'function',
      function: { name: 'weather_at', arguments: '{"place":"Rome"}' },
    });
    assert.equal(called.length, 2);
    assert.deepEqual(models.chats[0]?.tools, ['weather_at']);
    assert(choice);
    const results = called.map(({ id }): Message => ({ role: 'tool', tool_call_id: id, content: 'Sunny' }));
    const last = await ask([asked, choice.message, ...results], { tools: [weather] });
    assert.equal(last.choices[0]?.message.content, 'Warm in Rome.');
    const turns = models.chats[1]?.turns.slice(1) ?? [];
    assert.deepEqual(
      turns.flatMap(({ toolCalls }) => toolCalls.map(({ input }) => input)),
      [{ place: 'Rome' }, { place: 'Oslo' }],
    );
    assert.deepEqual(
      turns.filter(({ callId }) => callId !== undefined).map(({ callId }) => callId),
      called.map(({ id }) => id),
    );
    assert.equal((await events('chat.turn.delegated')).length, 1);
  });

  test('hears calls of its tools in a stream too', async () => {
    models.script(says(calls('weather_at', { place: 'Rome' }, 'call_7')));
    const stream = client.chat.completions.stream({
      model: 'chat',
      messages: [user('Is it warm?')],
      tools: [weather],
    });
    const { choices } = await stream.finalChatCompletion();
    assert.equal(choices[0]?.finish_reason, 'tool_calls');
    const [call] = choices[0]?.message.tool_calls ?? [];
    assert(call?.type === 'function');
    assert.equal(call.id, 'call_7');
    assert.deepEqual(JSON.parse(call.function.arguments), { place: 'Rome' });
  });

  test('gets arguments as the model wrote them, also when they are no JSON', async () => {
    models.script(says(callsBadly('weather_at', '{"place": Rome')));
    const { choices } = await ask([user('?')], { model: 'coding', tools: [weather] });
    const [call] = choices[0]?.message.tool_calls ?? [];
    assert(call?.type === 'function');
    assert.equal(call.function.arguments, '{"place": Rome');
  });

  test('may bring tools and forbid to call them', async () => {
    models.script(says('No.'));
    await ask([user('?')], { tools: [weather], tool_choice: 'none' });
    assert.deepEqual(models.chats[0]?.tools, []);
  });

  const city = { place: 'Rome' };
  const slots = ['chat', 'coding', 'creative'] as const;
  const byName = { type: 'function', function: { name: 'weather_at' } } as const;
  const clock = { type: 'function', function: { name: 'clock', description: 'The time' } } as const;

  for (const model of slots)
    for (const stream of [false, true])
      test(`may demand a call of the ${model} model${stream ? ' in a stream' : ''}`, async () => {
        // The runner cannot be told, so that its model is held to the arguments by a grammar.
        const call = model === 'creative' ? saysJson(city) : says(calls('weather_at', city));
        models.script(() => call);
        const body = { model, messages: [user('?')], tools: [weather, clock], tool_choice: byName };
        const { choices } = stream
          ? await client.chat.completions.stream(body).finalChatCompletion()
          : await client.chat.completions.create(body);
        const [called] = choices[0]?.message.tool_calls ?? [];
        assert(called?.type === 'function');
        assert.deepEqual([called.function.name, JSON.parse(called.function.arguments)], ['weather_at', city]);
        assert.equal(choices[0]?.finish_reason, 'tool_calls');
        const [asked] = models.chats;
        const told = field(asked?.body, 'tool_choice');
        if (model === 'chat') assert.deepEqual(told, { type: 'tool', name: 'weather_at' });
        else if (model === 'coding') assert.deepEqual(told, byName);
        else assert.deepEqual([asked?.tools, asked?.schema], [[], weather.function.parameters]);
      });

  test('may demand a call of any tool', async () => {
    models.script([
      says(calls('weather_at', city)),
      says(calls('clock')),
      saysJson({ tool: 'clock' }),
      saysJson({}),
    ]);
    for (const model of slots) {
      const { choices } = await ask([user('?')], { model, tools: [weather, clock], tool_choice: 'required' });
      assert.equal(choices[0]?.finish_reason, 'tool_calls', model);
    }
    assert.deepEqual(field(models.chats[0]?.body, 'tool_choice'), { type: 'any' });
    assert.equal(field(models.chats[1]?.body, 'tool_choice'), 'required');
    // One request chooses the tool, and one its arguments.
    assert.equal(models.chats.length, 4);
  });

  test('gets the call that it demands from a server that does not know of that', async () => {
    const usage = { inputTokens: 10, outputTokens: 2 };
    models.script([
      { ...says('I would rather talk.'), usage },
      { ...saysJson(city), usage },
    ]);
    const more: Partial<Body> = { model: 'coding', tools: [weather], tool_choice: 'required' };
    const { choices, usage: used } = await ask([user('?')], more);
    assert.equal(choices[0]?.message.content, null);
    assert.equal(choices[0]?.message.tool_calls?.length, 1);
    assert.equal(used?.total_tokens, 24);
  });

  test('may demand one call at a time', async () => {
    models.script(() => says(calls('weather_at', city), calls('weather_at', city)));
    for (const model of slots) {
      const more = { model, tools: [weather], parallel_tool_calls: false };
      const { choices } = await ask([user('?')], more);
      assert.equal(choices[0]?.message.tool_calls?.length, 1, model);
    }
    assert.deepEqual(field(models.chats[0]?.body, 'tool_choice'), {
      type: 'auto',
      disable_parallel_tool_use: true,
    });
    assert.equal(field(models.chats[1]?.body, 'parallel_tool_calls'), false);
  });

  for (const stream of [false, true])
    test(`hears nothing from the words on at which it ends${stream ? ', in a stream' : ''}`, async () => {
      models.script(() => says('One', ', tw', 'o, EN', 'D of it'));
      for (const model of slots) {
        const body = { model, messages: [user('Count')], stop: ['END', 'zero'] };
        const { choices } = stream
          ? await client.chat.completions.stream(body).finalChatCompletion()
          : await client.chat.completions.create(body);
        assert.equal(choices[0]?.message.content, 'One, two, ', model);
        assert.equal(choices[0]?.finish_reason, 'stop');
      }
      const [chat, coding, creative] = models.chats.map(({ body }) => body);
      assert.deepEqual(field(chat, 'stop_sequences'), ['END', 'zero']);
      assert.deepEqual(field(coding, 'stop'), ['END', 'zero']);
      assert.deepEqual(field(field(creative, 'options'), 'stop'), ['END', 'zero']);
    });

  test('is not remembered where it says so, and its words are in the log no more', async () => {
    models.script(says('A secret reply.'));
    const stored = (await events('chat.turn.forgotten')).length;
    const { choices } = await ask([user('I love the secret dish.')], { store: false });
    assert.equal(choices[0]?.message.content, 'A secret reply.');
    assert.equal((await events('chat.turn.forgotten')).length, stored + 1);
    assert.equal((await lastEvent('chat.message.received')).text, null);
    const log = await service.get('/api/events?limit=1000', { authorization: `Bearer ${KEY}` });
    assert.doesNotMatch(log.text, /secret/);
  });

  test('sends images as data, and only as data', async () => {
    models.script(says('A dot.'));
    const image = (url: string) =>
      user([
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url } },
      ]);
    const { choices } = await ask([image(`data:image/png;base64,${PNG}`)]);
    assert.equal(choices[0]?.message.content, 'A dot.');
    assert.deepEqual(models.chats[0]?.turns.at(-1)?.images, [PNG]);
    for (const url of ['https://example.org/a.png', 'data:image/png;base64,AAAA', 'data:image/png,x']) {
      const { status, param } = await refused(ask([image(url)]));
      assert.deepEqual([status, param], [400, 'messages[0].content[1].image_url.url']);
    }
  });

  test('is answered by a model that sees as long as there is an image in what was said', async () => {
    models.script(says('Yes.'));
    // What a model sees, its catalog says.
    await service.get('/api/providers/catalog', { authorization: `Bearer ${KEY}` });
    const poem = user('Write a short poem about an autumn evening');
    await ask([poem], { model: 'hark' });
    assert.equal(models.chats[0]?.model, 'qwen3:8b');
    const url = `data:image/png;base64,${PNG}`;
    const before = [
      user([{ type: 'image_url', image_url: { url } }]),
      { role: 'assistant', content: 'A dot.' },
    ] as const;
    await ask([...before, poem], { model: 'hark' });
    assert.equal(models.chats[1]?.model, 'claude-opus-4-6');
    assert.deepEqual(models.chats[1]?.turns[1]?.images, [PNG]);
  });

  test('gets JSON that fits its schema', async () => {
    models.script(saysJson({ city: 'Rome' }));
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    };
    const response_format = { type: 'json_schema', json_schema: { name: 'place', schema } } as const;
    const { choices } = await ask([user('Where?')], { response_format });
    assert.deepEqual(JSON.parse(choices[0]?.message.content ?? ''), { city: 'Rome' });
    assert(models.chats[0]?.schema);
    const bad = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'nonsense' } } } as const;
    const { status, param } = await refused(ask([user('Where?')], { response_format: bad }));
    assert.deepEqual([status, param], [400, 'response_format.json_schema.schema']);
  });

  /** A schema or a pattern of somebody else's holds up nobody: while it is looked at, the main thread answers. */
  const whileOthersAreAnswered = async (work: () => Promise<unknown>) => {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    await work();
    delay.disable();
    assert.ok(delay.max < 1_000e6, `The main thread stood still for ${delay.max / 1e6} ms`);
  };

  test('whose schema branches without end is told so, and nobody waits for that', async () => {
    models.script(saysJson({ a: 1 }));
    const twice = ($ref: string) => ({ anyOf: [{ $ref }, { $ref }] });
    const levels = Array.from({ length: 26 }, (_, level) => [`l${level + 1}`, twice(`#/$defs/l${level}`)]);
    const schema = { $defs: { l0: { type: 'string' }, ...Object.fromEntries(levels) }, $ref: '#/$defs/l26' };
    const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } } as const;
    await whileOthersAreAnswered(async () => {
      const { status } = await refused(ask([user('Where?')], { response_format }));
      assert.equal(status, 400);
    });
  });

  test('whose schema has a pattern without end is told so, and nobody waits for that', async () => {
    models.script(saysJson({ word: `${'a'.repeat(60)}!` }));
    const schema = { type: 'object', properties: { word: { type: 'string', pattern: '^(a+)+$' } } };
    const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } } as const;
    await whileOthersAreAnswered(async () => {
      const { status } = await refused(ask([user('Where?')], { response_format }));
      assert.equal(status, 400);
    });
  });

  test('may ask for any JSON, in words', async () => {
    models.script(saysJson({ a: 1 }));
    const { choices } = await ask([{ role: 'developer', content: 'Be brief.' }, user('JSON please')], {
      response_format: { type: 'json_object' },
    });
    assert.equal(choices[0]?.message.content, '{"a":1}');
    assert.match(models.chats[0]?.turns[0]?.text ?? '', /^Be brief\.\n\nAnswer with one JSON object/);
  });

  test('says how the model is to answer, and hears when it was cut short', async () => {
    models.script({ ...says('Once upon'), stop: 'length' });
    const { choices } = await ask([user('Tell')], { model: 'coding', max_tokens: 7, temperature: 0.2 });
    assert.equal(choices[0]?.finish_reason, 'length');
    const body = models.chats[0]?.body;
    assert.deepEqual([field(body, 'max_completion_tokens'), field(body, 'temperature')], [7, 0.2]);
    models.script({ ...says(), stop: 'length' });
    const silent = await ask([user('Tell')], { model: 'coding', max_completion_tokens: 1 });
    assert.deepEqual([silent.choices[0]?.message.content, silent.choices[0]?.finish_reason], ['', 'length']);
  });

  test('chooses a slot by its name', async () => {
    models.script(says('Yes.'));
    await ask([user('?')], { model: 'coding' });
    assert.equal(models.chats[0]?.model, 'gpt-4o');
    assert.equal((await lastEvent('chat.reply.sent')).model, 'gpt-4o');
    const listed = await Array.fromAsync(client.models.list());
    assert.deepEqual(
      listed.map(({ id }) => id),
      ['hark', 'chat', 'reasoning', 'coding', 'tool_calling', 'creative'],
    );
    assert.equal((await client.models.retrieve('hark')).owned_by, 'hark');
  });

  test('leaves in the log what was asked and answered, and nothing of what it says was before', async () => {
    models.script(says('The reply.'));
    await ask([
      { role: 'system', content: 'system-words' },
      user('earlier-words'),
      { role: 'assistant', content: 'answer-words' },
      user('The question'),
    ]);
    const turns = models.chats[0]?.turns ?? [];
    assert.match(turns[0]?.text ?? '', /^system-words\n\nIt is /);
    assert.deepEqual(
      turns.slice(1).map(({ text }) => text),
      ['earlier-words', 'answer-words', 'The question'],
    );
    const { text, platform, sessionId } = await lastEvent('chat.message.received');
    assert.deepEqual([text, platform, sessionId], ['The question', 'openai', null]);
    const log = await service.get('/api/events?limit=1000', { authorization: `Bearer ${KEY}` });
    assert.match(log.text, /The reply\./);
    assert.doesNotMatch(log.text, /(system|earlier|answer)-words/);
  });

  test('speaks for the user that it names', async () => {
    models.script(says('Yes.'));
    await ask([user('Mine')], { user: 'anna' });
    assert.equal((await lastEvent('chat.message.received', 'anna')).text, 'Mine');
    assert((await events('chat.message.received')).every(({ data }) => data.text !== 'Mine'));
    const asBert = clientWith(KEY, { 'X-User-Id': 'bert' });
    const body = { model: 'hark', messages: [user('His')] };
    await asBert.chat.completions.create(body);
    assert.equal((await lastEvent('chat.message.received', 'bert')).text, 'His');
    const { status, param } = await refused(asBert.chat.completions.create({ ...body, user: 'anna' }));
    assert.deepEqual([status, param], [400, 'user']);
  });

  test('asks the same twice under a key, and is answered once', async () => {
    models.script(says('Once.'));
    const options = { headers: { 'Idempotency-Key': 'k1' } };
    const again = (name: string) =>
      client.chat.completions.create({ model: 'hark', messages: [user('?')], user: name }, options);
    const [one, two, other] = [await again('anna'), await again('anna'), await again('bert')];
    assert.equal(one.id, two.id);
    assert.notEqual(one.id, other.id);
    assert.equal(models.chats.length, 2);
  });

  test('is told so when it asks under a key again for what was not to be kept', async () => {
    models.script(says('Once.'));
    const options = { headers: { 'Idempotency-Key': 'k2' } };
    const again = () =>
      client.chat.completions.create({ model: 'hark', messages: [user('?')], store: false }, options);
    assert.equal((await again()).choices[0]?.message.content, 'Once.');
    assert.equal((await refused(again())).status, 409);
    assert.equal(models.chats.length, 1);
  });

  for (const stream of [false, true])
    test(`cancels the turn when it goes away from ${stream ? 'a stream' : 'an answer'}`, async () => {
      const { promise: never, resolve } = Promise.withResolvers<void>();
      models.script(says('And so on', waits(never)));
      const before = (await events('chat.turn.cancelled')).length;
      const leaving = new AbortController();
      const asked = client.chat.completions.create(
        { model: 'hark', messages: [user('Go on')], stream },
        { signal: leaving.signal },
      );
      const upstream = await models.chat(1);
      if (stream) await asked;
      leaving.abort();
      await asked.catch(() => undefined);
      assert.equal(await upstream.ended, true);
      resolve();
      const turnId = (await lastEvent('chat.message.received')).turnId;
      const { body } = await service.ask('DELETE', `/api/chat/stream/${turnId}`, {
        headers: { authorization: `Bearer ${KEY}` },
      });
      assert.deepEqual(body, { cancelled: true, turnId });
      assert.equal((await events('chat.turn.cancelled')).length, before + 1);
    });

  const nonsense: readonly (readonly [why: string, body: Record<string, unknown>, param: string])[] = [
    ['no messages', { messages: [] }, 'messages'],
    ['no message of a user', { messages: [{ role: 'assistant', content: 'x' }] }, 'messages'],
    ['an empty message', { messages: [user('  ')] }, 'messages[0].content'],
    ['a role that is none', { messages: [{ role: 'king', content: 'x' }] }, 'messages[0].role'],
    ['several answers', { n: 2 }, 'n'],
    ['five words to stop at', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
    ['a call of no tool', { tool_choice: 'required' }, 'tool_choice'],
    [
      'a call of a tool that is not there',
      { tools: [weather], tool_choice: { type: 'function', function: { name: 'other' } } },
      'tool_choice.function.name',
    ],
    ['a user that is no id', { user: 'a b' }, 'user'],
    ['a heat that is none', { temperature: 3 }, 'temperature'],
    [
      'a result of no call',
      { messages: [user('?'), { role: 'tool', tool_call_id: 'c1', content: 'x' }] },
      'messages[1].tool_call_id',
    ],
    [
      'a call without a result',
      {
        messages: [
          { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '' } }] },
          user('?'),
        ],
      },
      'messages[1]',
    ],
  ];
  for (const [why, body, param] of nonsense)
    test(`is refused ${why}, in OpenAI's words`, async () => {
      const { status, body: answer } = await service.ask('POST', '/v1/chat/completions', {
        headers: { authorization: `Bearer ${KEY}` },
        body: { model: 'hark', messages: [user('?')], ...body },
      });
      assert.equal(status, 400, JSON.stringify(answer));
      const said = { type: 'invalid_request_error', param, code: 'invalid_value' };
      assert.deepEqual({ ...Object(answer.error), message: '' }, { message: '', ...said });
      assert.equal(models.chats.length, 0);
    });

  test('is refused what is not there', async () => {
    const unknown = await refused(ask([user('?')], { model: 'gpt-5' }));
    assert.deepEqual([unknown.status, unknown.code, unknown.param], [404, 'model_not_found', 'model']);
    assert.equal((await refused(client.models.retrieve('gpt-4.1'))).code, 'model_not_found');
    const nowhere = await refused(client.moderations.create({ input: 'x' }));
    assert.deepEqual([nowhere.status, nowhere.type], [404, 'invalid_request_error']);
    const { body } = await service.ask('POST', '/v1/chat/completions', {
      headers: { authorization: `Bearer ${KEY}` },
      body: '{',
    });
    assert.equal(field(body.error, 'code'), 'invalid_json');
  });

  test('is refused without the key, and with a wrong one', async () => {
    const wrong = await refused(clientWith('wrong').models.list());
    assert.deepEqual(
      [wrong.status, wrong.code, wrong.type],
      [401, 'invalid_api_key', 'invalid_request_error'],
    );
    const { status, body } = await service.ask('POST', '/v1/chat/completions', {
      body: { model: 'hark', messages: [user('?')], user: 'anna' },
    });
    assert.equal(status, 401);
    assert.equal(field(body.error, 'message'), 'Missing API key');
    assert.equal((await service.get('/v1/nowhere')).status, 401);
  });

  test('hears that no model answers with a status, before anything was said', async () => {
    models.script(fails('wrong-key'));
    for (const asked of [ask([user('?')]), listen([user('?')])]) {
      const { status, code, type } = await refused(asked);
      assert.deepEqual([status, code, type], [503, 'model_unavailable', 'server_error']);
    }
  });

  test('hears that the provider refused the request, so that it does not try again', async () => {
    models.script(() => fails('context-too-long'));
    for (const asked of [ask([user('?')]), listen([user('?')])]) {
      const { status, code, type, message } = await refused(asked);
      assert.deepEqual([status, code, type], [400, 'request_refused', 'invalid_request_error']);
      assert.match(message, /too long/);
    }
  });

  test('hears that the answer broke off, after something was said', async () => {
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    models.script(says('Once upon', waits(heard), breaks('reset')));
    const stream = await listen([user('Tell')]);
    const error = await refused(
      Array.fromAsync(stream, ({ choices }) => {
        if (choices[0]?.delta.content === 'Once upon') resolve();
      }),
    );
    assert.equal(error.type, 'server_error');
  });
});

test('requests of this protocol have a limit of their own, 120 a minute unless it is set', async () => {
  const service = await InProcessService.start({ API_RATE_LIMIT: '1', CHAT_RATE_LIMIT: '1' });
  const ask = () => service.ask('POST', '/v1/chat/completions', { body: {} });
  assert.equal((await service.ask('POST', '/api/chat', { body: {} })).status, 400);
  assert.equal((await ask()).headers.get('x-ratelimit-remaining'), '119');
  await service.put('/api/settings', { v1RateLimit: 1 });
  await ask();
  const { status, headers, body } = await ask();
  assert.equal(status, 429);
  assert(headers.get('retry-after'));
  assert.equal(field(body.error, 'code'), 'rate_limit_exceeded');
  await service.stop();
});

test('names of other models are taken for hark where it is set so', async () => {
  const models = (await ScriptedModels.start()).script(() => says('Here.'));
  const service = await InProcessService.start({
    ...LIMITS,
    ...providersAt(models),
    SERVICE_V1_ANY_MODEL: 'true',
  });
  const client = new OpenAI({ apiKey: 'none', baseURL: `${service.url}/v1`, maxRetries: 0 });
  const messages: Message[] = [{ role: 'user', content: '?' }];
  const answer = await client.chat.completions.create({ model: 'gpt-4.1-mini', messages });
  assert.deepEqual([answer.model, answer.choices[0]?.message.content], ['gpt-4.1-mini', 'Here.']);
  assert.equal((await client.models.retrieve('openai/gpt-4.1')).id, 'openai/gpt-4.1');
  const { data } = await client.embeddings.create({ model: 'text-embedding-3-small', input: 'x' });
  assert.equal(data.length, 1);
  await service.put('/api/settings', { v1AnyModel: false });
  await assert.rejects(client.chat.completions.create({ model: 'gpt-4.1-mini', messages }), { status: 404 });
  await service.stop();
  await models.stop();
});
