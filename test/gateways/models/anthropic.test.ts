import assert from 'node:assert/strict';
import { test } from 'vitest';
import { field, listOf } from '../../../src/demo/model/loose.ts';
import { calls, redacted, says, saysJson, sends, thinks } from '../../../src/demo/model/script.ts';
import type { CompletionRequest, ModelMessage, Reasoning } from '../../../src/gateways/models/gateway.ts';
import { asks, failsAs, finishOf, gatewayContract, heard, never, textOf } from './contract.ts';

const look = { name: 'look', description: 'Looks', input: { type: 'object' } };

const usage = { input_tokens: 7, output_tokens: 3 };
const hello = [
  { type: 'message_start', message: { usage } },
  { type: 'ping' },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello 🎧' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
  { type: 'message_stop' },
]
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('');

gatewayContract('cloud-a', { embeds: false, thinks: true, brokenFrame: 'passed over', hello }, (tested) => {
  const ask = async (request: CompletionRequest) => heard(tested.gateway().complete(request, never));
  const said = (name: string) => field(tested.last().body, name);

  /** The answer as it goes back with the next request. */
  async function goesBack(text: string, reasoning: Reasoning | undefined, ids: readonly string[]) {
    tested.models.reset();
    tested.models.script(says('Well.'));
    const toolCalls = ids.map((id) => ({ id, name: 'look', input: { at: id } }));
    const results = ids.map(
      (callId): ModelMessage => ({ role: 'tool', callId, result: 'ok', failed: false }),
    );
    const message: ModelMessage = { role: 'assistant', text, toolCalls, ...(reasoning ? { reasoning } : {}) };
    await ask({
      model: 'claude-opus-5',
      messages: [...asks('?').messages, message, ...results],
      reasoning: true,
    });
    return listOf(said('messages')).map((one) => field(one, 'content'));
  }

  test('gives thoughts back untouched, each where it was', async () => {
    tested.models.script(
      says(
        thinks('First ', 'c2lnMQ=='),
        redacted('ZW5j'),
        'So ',
        'far',
        thinks('then', 'c2lnMg=='),
        calls('look', { at: 'a' }, 'a'),
        redacted('ZW5jMg=='),
        calls('look', { at: 'b' }, 'b'),
      ),
    );
    const parts = await ask(asks('?', { tools: [look] }));
    const [, answer, results] = await goesBack('So far', finishOf(parts).reasoning, ['a', 'b']);
    assert.deepEqual(answer, [
      { type: 'thinking', thinking: 'First ', signature: 'c2lnMQ==' },
      { type: 'redacted_thinking', data: 'ZW5j' },
      { type: 'text', text: 'So far' },
      { type: 'thinking', thinking: 'then', signature: 'c2lnMg==' },
      { type: 'tool_use', id: 'a', name: 'look', input: { at: 'a' } },
      { type: 'redacted_thinking', data: 'ZW5jMg==' },
      { type: 'tool_use', id: 'b', name: 'look', input: { at: 'b' } },
    ]);
    assert.deepEqual(results, [
      { type: 'tool_result', tool_use_id: 'a', content: 'ok' },
      { type: 'tool_result', tool_use_id: 'b', content: 'ok' },
    ]);
  });

  test('keeps no text and no call in what it gives back', async () => {
    tested.models.script(says(thinks('Hm', 'c2ln'), 'a word', calls('look', { at: 'secret place' }, 'a')));
    const { reasoning } = finishOf(await ask(asks('?', { tools: [look] })));
    assert.doesNotMatch(JSON.stringify(reasoning), /word|secret/);
  });

  test('gives back what a later text left of it, before any call', async () => {
    tested.models.script(says('So far', thinks('Hm', 'c2ln'), calls('look', {}, 'a')));
    const { reasoning } = finishOf(await ask(asks('?', { tools: [look] })));
    const [, answer] = await goesBack('So far, and more', reasoning, ['a']);
    assert.deepEqual(answer, [
      { type: 'text', text: 'So far' },
      { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
      { type: 'text', text: ', and more' },
      { type: 'tool_use', id: 'a', name: 'look', input: { at: 'a' } },
    ]);
  });

  test('puts all results of a step, and what the user adds, into one message', async () => {
    tested.models.script(says('Well.'));
    await ask({
      model: 'm',
      messages: [
        { role: 'user', parts: [{ type: 'text', text: '' }] },
        { role: 'assistant', text: '' },
        { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
        { role: 'assistant', text: '', toolCalls: [{ id: 'tool|1', name: 'look', input: {} }] },
        { role: 'tool', callId: 'tool|1', result: 'no', failed: true },
        { role: 'user', parts: [{ type: 'image', mimeType: 'image/webp', base64: 'aW1n' }] },
      ],
    });
    const messages = listOf(said('messages'));
    assert.deepEqual(
      messages.map((one) => field(one, 'role')),
      ['user', 'assistant', 'user'],
    );
    const [call] = listOf(field(messages[1], 'content'));
    const [result, image] = listOf(field(messages[2], 'content'));
    assert.match(String(field(call, 'id')), /^call_[0-9a-f]{24}$/);
    assert.equal(field(result, 'tool_use_id'), field(call, 'id'));
    assert.equal(field(result, 'is_error'), true);
    assert.deepEqual(field(image, 'source'), { type: 'base64', media_type: 'image/webp', data: 'aW1n' });
  });

  test('asks newer models to show their thoughts, and older ones for a budget', async () => {
    tested.models.script(says('Well.'));
    await ask(asks('?', { model: 'claude-sonnet-5-5', reasoning: true }));
    assert.deepEqual(said('thinking'), { type: 'adaptive', display: 'summarized' });
    await ask(asks('?', { model: 'claude-haiku-4-5', reasoning: true, maxOutputTokens: 100 }));
    assert.deepEqual(said('thinking'), { type: 'enabled', budget_tokens: 8_192 });
    assert.equal(said('max_tokens'), 9_216);
    for (const request of [
      asks('?', { model: 'claude-haiku-4-5' }),
      asks('?', { model: 'other', reasoning: true }),
    ]) {
      await ask(request);
      assert.equal(said('thinking'), undefined);
    }
  });

  test('does not think with a budget in a turn that another model began', async () => {
    tested.models.script(says('Well.'));
    const messages: readonly ModelMessage[] = [
      ...asks('?').messages,
      { role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'look', input: {} }] },
      { role: 'tool', callId: 'a', result: 'ok', failed: false },
    ];
    await ask({ model: 'claude-haiku-4-5', messages, reasoning: true });
    assert.equal(said('thinking'), undefined);
    await ask({
      model: 'claude-haiku-4-5',
      messages: [...messages, ...asks('And?').messages],
      reasoning: true,
    });
    assert.partialDeepStrictEqual(said('thinking'), { type: 'enabled' });
  });

  test('never sends a temperature, and always a limit', async () => {
    tested.models.script(says('Well.'));
    for (const [model, limit] of [
      ['claude-opus-5-5', 32_000],
      ['claude-opus-4-1', 32_000],
      ['who-knows', 8_192],
    ] as const) {
      await ask(asks('?', { model, temperature: 0.2 }));
      assert.equal(said('temperature'), undefined);
      assert.equal(said('max_tokens'), limit);
    }
  });

  test('asks for a schema without what the API refuses in one, and holds the answer to all of it', async () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        age: { type: 'integer', minimum: 18, description: 'In years' },
        of: { oneOf: [{ type: 'null' }, { $ref: '#/$defs/pet' }] },
      },
      required: ['age', 'of'],
      $defs: {
        pet: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } }, required: ['name'] },
      },
    };
    tested.models.script([saysJson({ age: 17, of: null }), saysJson({ age: 18, of: { name: 'Ada' } })]);
    const parts = await ask(asks('?', { schema: { name: 'pet', schema } }));
    assert.equal(textOf(parts), '{"age":18,"of":{"name":"Ada"}}');
    assert.deepEqual(field(said('output_config'), 'format'), {
      type: 'json_schema',
      schema: {
        type: 'object',
        properties: {
          age: { type: 'integer', description: 'In years\n\n{minimum: 18}' },
          of: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/pet' }] },
        },
        required: ['age', 'of'],
        additionalProperties: false,
        $defs: {
          pet: {
            type: 'object',
            properties: { name: { type: 'string', description: '{maxLength: 5}' } },
            required: ['name'],
            additionalProperties: false,
          },
        },
      },
    });
  });

  test('hands on a refusal, with or without a schema', async () => {
    tested.models.script({ ...says('I would rather not.'), stop: 'refused' });
    for (const schema of [undefined, { name: 'x', schema: { type: 'object' } }]) {
      const parts = await ask(asks('?', schema ? { schema } : {}));
      assert.equal(finishOf(parts).reason, 'refused');
      assert.equal(textOf(parts), 'I would rather not.');
    }
  });

  test('counts what came out of the cache as sent', async () => {
    const usage = {
      input_tokens: 5,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 20,
      output_tokens: 1,
    };
    const events = [
      { type: 'message_start', message: { usage } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
      { type: 'message_stop' },
    ];
    const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    tested.models.script(sends(200, body, { 'content-type': 'text/event-stream' }));
    assert.deepEqual(finishOf(await ask(asks())).usage, { inputTokens: 125, outputTokens: 9 });
  });

  test('lists models page by page, with what is known of them', async () => {
    const listed = await tested.gateway().listModels(never);
    assert.deepEqual(
      listed.map(({ id }) => id),
      ['claude-opus-4-6', 'claude-sonnet-4-6', 'claude-haiku-4-5', 'claude-3-haiku'],
    );
    assert.deepEqual(listed[2], {
      id: 'claude-haiku-4-5',
      name: 'Claude Haiku 4.5',
      contextLength: 200_000,
      maxOutputTokens: 64_000,
      capabilities: [
        'chat',
        'reasoning',
        'coding',
        'tool-use',
        'creative',
        'vision',
        'thinking',
        'streaming',
        'json',
        'summarization',
        'classification',
        'contradiction',
      ],
      pricing: { inputPer1M: 1, outputPer1M: 5 },
      deprecatedAt: null,
    });
    assert.partialDeepStrictEqual(listed[3], { pricing: null, deprecatedAt: '2027-01-01' });
    assert.ok(!listed[3]?.capabilities.includes('json'));

    const pages = [
      { data: [{ id: 'a' }], has_more: true, last_id: 'a' },
      { data: [{ id: 'b' }], has_more: false, last_id: 'b' },
    ];
    tested.models.script(
      pages.map((page) => sends(200, page)),
      { endpoint: 'models', times: 1 },
    );
    assert.deepEqual(
      (await tested.gateway().listModels(never)).map(({ id }) => id),
      ['a', 'b'],
    );
    assert.equal(tested.last().query.get('after_id'), 'a');
  });

  test('does not follow a list without an end for ever', async () => {
    tested.models.script(sends(200, { data: [{ id: 'a' }], has_more: true, last_id: 'a' }), {
      endpoint: 'models',
    });
    assert.equal((await tested.gateway().listModels(never)).length, 10);
  });

  test('has no account to tell of, and refuses a schema that is none', async () => {
    assert.equal(await tested.gateway().account(never), undefined);
    const schema = { name: 'x', schema: { $ref: '#/nowhere' } };
    await failsAs('bad-request', ask(asks('?', { schema })));
  });
});
