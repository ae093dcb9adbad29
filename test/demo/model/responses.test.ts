import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { describe, test } from 'vitest';
import {
  breaks,
  breaksWith,
  calls,
  fails,
  type Item,
  says,
  saysJson,
  thinks,
  waits,
} from '../../../src/demo/model/script.ts';
import { FAILS_AT_ONCE, scriptedProvider } from '../../support/models/officialClient.ts';

const hello = { model: 'gpt-x', input: 'Hello?' };

describe('the scripted Responses API, asked by the official client', () => {
  const provider = scriptedProvider(
    'cloud-b',
    (baseURL) => new OpenAI({ apiKey: 'sk-scripted-0123456789', baseURL, ...FAILS_AT_ONCE }),
  );

  test('says the same as a stream and whole', async () => {
    provider.models.script({ ...says('Hel', 'lo', ' 🎧'), usage: { inputTokens: 7, outputTokens: 3 } });
    const streamed = await provider.client.responses.stream(hello).finalResponse();
    const whole = await provider.client.responses.create(hello);
    assert.equal(streamed.output_text, 'Hello 🎧');
    assert.equal(whole.output_text, 'Hello 🎧');
    assert.equal(streamed.status, 'completed');
    assert.deepEqual(streamed.usage, whole.usage);
    assert.equal(whole.usage?.total_tokens, 10);
  });

  test('numbers its events, and ends with the whole response', async () => {
    provider.models.script(says(thinks('Hm.'), 'Hello', calls('time', {}, 'call_1')));
    const types: string[] = [];
    const numbers: number[] = [];
    for await (const event of await provider.client.responses.create({ ...hello, stream: true })) {
      types.push(event.type);
      numbers.push(event.sequence_number);
    }
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index),
    );
    assert.deepEqual([types[0], types.at(-1)], ['response.created', 'response.completed']);
    assert.ok(!types.some((type) => type.startsWith('response.reasoning_summary')));
  });

  test('tells summaries and encrypted thoughts only when asked to', async () => {
    provider.models.script(says(thinks('Hm'), thinks('…', 'c2ln'), 'Well'));
    const silent = await provider.client.responses.create(hello);
    assert.partialDeepStrictEqual(silent.output, [{ type: 'reasoning', summary: [] }, { type: 'message' }]);
    const asked = {
      ...hello,
      reasoning: { summary: 'auto' as const },
      include: ['reasoning.encrypted_content' as const],
    };
    const heard: string[] = [];
    const stream = provider.client.responses.stream(asked);
    stream.on('response.reasoning_summary_text.delta', ({ delta }) => heard.push(delta));
    const told = await stream.finalResponse();
    assert.deepEqual(heard, ['Hm', '…']);
    assert.partialDeepStrictEqual(told.output, [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm…' }], encrypted_content: 'c2ln' },
      { type: 'message' },
    ]);
  });

  test('calls tools', async () => {
    provider.models.script(
      says('One moment', calls('weather', { city: 'Zürich 🏔' }, 'call_1'), calls('time', {}, 'call_2')),
    );
    const expected = [
      { type: 'message' },
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Zürich 🏔"}' },
      { type: 'function_call', call_id: 'call_2', name: 'time', arguments: '{}' },
    ];
    const streamed = await provider.client.responses.stream(hello).finalResponse();
    assert.partialDeepStrictEqual(streamed.output, expected);
    assert.partialDeepStrictEqual((await provider.client.responses.create(hello)).output, expected);
  });

  test('says why it is incomplete', async () => {
    for (const [stop, reason] of [
      ['length', 'max_output_tokens'],
      ['refused', 'content_filter'],
    ] as const) {
      provider.models.reset();
      provider.models.script({ ...says('Hel'), stop });
      const { status, incomplete_details } = await provider.client.responses.create(hello);
      assert.deepEqual([status, incomplete_details], ['incomplete', { reason }]);
    }
  });

  test('reads what it is asked', async () => {
    provider.models.script(saysJson({ mood: 'good' }));
    const response = await provider.client.responses.parse({
      model: 'gpt-x',
      instructions: 'Be brief.',
      tools: [{ type: 'function', name: 'look', strict: false, parameters: {} }],
      text: { format: { type: 'json_schema', name: 'mood', schema: { type: 'object' } } },
      input: [
        { role: 'user', content: 'Look' },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
        { role: 'assistant', content: 'I do' },
        { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"at":1}' },
        { type: 'function_call_output', call_id: 'c1', output: 'a cat' },
        {
          role: 'user',
          content: [
            { type: 'input_image', image_url: 'data:image/png;base64,aW1n', detail: 'auto' },
            { type: 'input_text', text: 'Sure?' },
          ],
        },
      ],
    });
    assert.equal(response.output_text, '{"mood":"good"}');
    const [request] = provider.models.requests;
    assert.equal(request?.apiKey, 'sk-scripted-0123456789');
    assert.deepEqual(request?.tools, ['look']);
    assert.deepEqual(request?.schema, { type: 'object' });
    assert.deepEqual(request?.turns, [
      { role: 'system', text: 'Be brief.', images: [], toolCalls: [] },
      { role: 'user', text: 'Look', images: [], toolCalls: [] },
      {
        role: 'assistant',
        text: 'I do',
        images: [],
        toolCalls: [{ id: 'c1', name: 'look', input: { at: 1 } }],
      },
      { role: 'tool', text: 'a cat', images: [], toolCalls: [], callId: 'c1' },
      { role: 'user', text: 'Sure?', images: ['aW1n'], toolCalls: [] },
    ]);
  });

  test('refuses as the provider does', async () => {
    provider.models.script(fails('billing', 7));
    await assert.rejects(provider.client.responses.create({ ...hello, stream: true }), (error) => {
      assert.ok(error instanceof OpenAI.RateLimitError);
      assert.deepEqual([error.code, error.headers?.get('retry-after')], ['insufficient_quota', '7']);
      return true;
    });
  });

  test('breaks in the middle of a stream, and tells errors there', async () => {
    const heard = async (then: Item) => {
      provider.models.reset();
      const listening = Promise.withResolvers<void>();
      provider.models.script(says('Hel', waits(listening.promise), then, 'never said'));
      let text = '';
      const listen = async () => {
        for await (const event of await provider.client.responses.create({ ...hello, stream: true })) {
          if (event.type !== 'response.output_text.delta') continue;
          text += event.delta;
          listening.resolve();
        }
      };
      const error = await listen().catch((thrown: unknown) => thrown);
      return { text, error };
    };
    for (const trouble of ['reset', 'cut', 'broken-json'] as const) {
      const { text, error } = await heard(breaks(trouble));
      assert.equal(text, 'Hel', trouble);
      assert.ok(error instanceof Error, trouble);
    }
    const { text, error } = await heard(breaksWith('server-error'));
    assert.equal(text, 'Hel');
    assert.ok(error instanceof OpenAI.APIError);
    assert.match(error.message, /had an error while processing/);
  });
});
