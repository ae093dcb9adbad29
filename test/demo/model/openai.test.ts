import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { describe, test } from 'vitest';
import {
  breaks,
  breaksWith,
  calls,
  callsBadly,
  fails,
  says,
  saysJson,
  thinks,
  waits,
} from '../../../src/demo/model/script.ts';
import { FAILS_AT_ONCE, scriptedProvider } from '../../support/models/officialClient.ts';

const hello = { model: 'gpt-x', messages: [{ role: 'user' as const, content: 'Hello?' }] };

describe('the scripted Chat Completions API, asked by the official client', () => {
  const provider = scriptedProvider(
    'cloud-b',
    (baseURL) => new OpenAI({ apiKey: 'sk-scripted-0123456789', baseURL, ...FAILS_AT_ONCE }),
  );

  test('says the same as a stream and whole', async () => {
    provider.models.script({ ...says('Hel', 'lo', ' 🎧'), usage: { inputTokens: 7, outputTokens: 3 } });
    const streamed = await provider.client.chat.completions
      .stream({ ...hello, stream_options: { include_usage: true } })
      .finalChatCompletion();
    const whole = await provider.client.chat.completions.create(hello);
    assert.equal(streamed.choices[0]?.message.content, 'Hello 🎧');
    assert.equal(whole.choices[0]?.message.content, 'Hello 🎧');
    assert.equal(streamed.choices[0]?.finish_reason, 'stop');
    assert.deepEqual(streamed.usage, whole.usage);
    assert.equal(whole.usage?.total_tokens, 10);
  });

  test('tells usage in a stream only when asked to', async () => {
    provider.models.script(says('Hello'));
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of await provider.client.chat.completions.create({ ...hello, stream: true })) {
      chunks.push(chunk);
    }
    assert.deepEqual(chunks.filter(({ usage }) => usage).length, 0);
  });

  test('keeps its thoughts to itself, and calls tools', async () => {
    provider.models.script(
      says(
        thinks('Hm.'),
        'One moment',
        calls('weather', { city: 'Zürich 🏔' }, 'call_1'),
        calls('time', {}, 'call_2'),
      ),
    );
    const streamed = await provider.client.chat.completions.stream(hello).finalChatCompletion();
    const whole = await provider.client.chat.completions.create(hello);
    const expected = [
      { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Zürich 🏔"}' } },
      { id: 'call_2', type: 'function', function: { name: 'time', arguments: '{}' } },
    ];
    assert.deepEqual(whole.choices[0]?.message.tool_calls, expected);
    assert.partialDeepStrictEqual(streamed.choices[0]?.message.tool_calls, expected);
    assert.equal(streamed.choices[0]?.message.content, 'One moment');
    assert.equal(streamed.choices[0]?.finish_reason, 'tool_calls');
  });

  test('writes the input of a tool as a model may, which is not always JSON', async () => {
    provider.models.script(says(callsBadly('look', '{"at": ')));
    const streamed = await provider.client.chat.completions.stream(hello).finalChatCompletion();
    const [call] = streamed.choices[0]?.message.tool_calls ?? [];
    assert.equal(call?.type === 'function' && call.function.arguments, '{"at": ');
  });

  test('reads what it is asked', async () => {
    provider.models.script(saysJson({ mood: 'good' }));
    const completion = await provider.client.chat.completions.parse({
      ...hello,
      tools: [{ type: 'function', function: { name: 'look', strict: true, parameters: {} } }],
      response_format: { type: 'json_schema', json_schema: { name: 'mood', schema: { type: 'object' } } },
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'Look' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'a cat' },
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: 'data:image/png;base64,aW1n' } },
            { type: 'text', text: 'Sure?' },
          ],
        },
      ],
    });
    assert.equal(completion.choices[0]?.message.content, '{"mood":"good"}');
    const [request] = provider.models.requests;
    assert.equal(request?.apiKey, 'sk-scripted-0123456789');
    assert.deepEqual(request?.tools, ['look']);
    assert.deepEqual(request?.schema, { type: 'object' });
    assert.deepEqual(request?.turns, [
      { role: 'system', text: 'Be brief.', images: [], toolCalls: [] },
      { role: 'user', text: 'Look', images: [], toolCalls: [] },
      { role: 'assistant', text: '', images: [], toolCalls: [{ id: 'c1', name: 'look', input: { at: 1 } }] },
      { role: 'tool', text: 'a cat', images: [], toolCalls: [], callId: 'c1' },
      { role: 'user', text: 'Sure?', images: ['aW1n'], toolCalls: [] },
    ]);
  });

  test('embeds in the form that is asked for', async () => {
    const input = ['a grey cat', 'the grey cat', 'quantum'];
    const ask = { model: 'text-embedding-3-small', input };
    const short = await provider.client.embeddings.create(ask);
    const long = await provider.client.embeddings.create({ ...ask, encoding_format: 'float' });
    const [one = [], two = [], three = []] = long.data.map(({ embedding }) => embedding);
    assert.ok(product(one, two) > product(one, three));
    assert.ok(Math.abs(product(one, one) - 1) < 1e-9);
    assert.deepEqual(
      short.data.map(({ embedding }) => embedding),
      long.data.map(({ embedding }) => [...Float32Array.from(embedding)]),
    );
  });

  test('lists models', async () => {
    const ids: string[] = [];
    for await (const model of provider.client.models.list()) ids.push(model.id);
    assert.ok(ids.includes('gpt-4o'));
    await assert.rejects(provider.client.models.retrieve('none'), OpenAI.NotFoundError);
  });

  test('refuses as the provider does', async () => {
    const refusals = [
      ['billing', OpenAI.RateLimitError, 429, 'insufficient_quota', /exceeded your current quota/],
      ['spend-limit', OpenAI.BadRequestError, 400, 'billing_hard_limit_reached', /hard limit/],
      ['rate-limit', OpenAI.RateLimitError, 429, 'rate_limit_exceeded', /gpt-x .*try again in 7s/],
      ['wrong-key', OpenAI.AuthenticationError, 401, 'invalid_api_key', /sk-scrip\*{10}6789/],
      ['forbidden', OpenAI.PermissionDeniedError, 403, 'model_not_found', /does not have access/],
      ['model-unknown', OpenAI.NotFoundError, 404, 'model_not_found', /gpt-x/],
      ['context-too-long', OpenAI.BadRequestError, 400, 'context_length_exceeded', /128000/],
      ['overloaded', OpenAI.InternalServerError, 503, null, /overloaded/],
    ] as const;
    for (const [failure, kind, status, code, words] of refusals) {
      provider.models.reset();
      provider.models.script(fails(failure, 7));
      await assert.rejects(provider.client.chat.completions.create({ ...hello, stream: true }), (error) => {
        assert.ok(error instanceof kind, failure);
        assert.equal(error.status, status);
        assert.equal(error.code, code);
        assert.match(error.message, words);
        assert.equal(error.headers?.get('retry-after'), '7');
        return true;
      });
    }
  });

  test('breaks in the middle of a stream', async () => {
    for (const trouble of ['reset', 'cut', 'half-frame', 'broken-json', 'end'] as const) {
      provider.models.reset();
      const listening = Promise.withResolvers<void>();
      provider.models.script(says('Hel', waits(listening.promise), breaks(trouble), 'lo'));
      const { heard, error, finished } = await listen(listening.resolve);
      assert.equal(heard, 'Hel', trouble);
      // An end without the last message is no error to this client: whoever uses it has to notice.
      assert.equal(error instanceof Error, trouble !== 'end', trouble);
      assert.equal(finished, false, trouble);
    }
  });

  test('tells an error within a stream', async () => {
    provider.models.script(says('Hel', breaksWith('server-error'), 'never said'));
    const { heard, error } = await listen();
    assert.equal(heard, 'Hel');
    assert.ok(error instanceof OpenAI.APIError);
    assert.match(error.message, /had an error while processing/);
  });

  async function listen(heardSome: () => void = () => undefined) {
    let heard = '';
    let finished = false;
    try {
      for await (const { choices } of await provider.client.chat.completions.create({
        ...hello,
        stream: true,
      })) {
        heard += choices[0]?.delta.content ?? '';
        if (heard !== '') heardSome();
        finished ||= typeof choices[0]?.finish_reason === 'string';
      }
      return { heard, finished };
    } catch (error) {
      return { heard, error, finished };
    }
  }
});

function product(one: readonly number[], two: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + value * (two[index] ?? 0), 0);
}
