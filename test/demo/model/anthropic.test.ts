import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { describe, test } from 'vitest';
import {
  breaks,
  breaksWith,
  calls,
  fails,
  redacted,
  says,
  saysJson,
  thinks,
  waits,
} from '../../../src/demo/model/script.ts';
import { FAILS_AT_ONCE, scriptedProvider } from '../../support/models/officialClient.ts';

const hello = {
  model: 'claude-x',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'Hello?' }],
};

describe('the scripted Messages API, asked by the official client', () => {
  const provider = scriptedProvider(
    'cloud-a',
    (baseURL) => new Anthropic({ apiKey: 'sk-ant-scripted', baseURL, ...FAILS_AT_ONCE }),
  );

  test('says the same as a stream and whole', async () => {
    provider.models.script({ ...says('Hel', 'lo', ' 🎧'), usage: { inputTokens: 7, outputTokens: 3 } });
    const streamed = provider.client.messages.stream(hello);
    const heard: string[] = [];
    streamed.on('text', (text) => heard.push(text));
    const message = await streamed.finalMessage();
    const whole = await provider.client.messages.create(hello);
    assert.deepEqual(heard, ['Hel', 'lo', ' 🎧']);
    assert.deepEqual(message.content, whole.content);
    assert.deepEqual(whole.content, [{ type: 'text', text: 'Hello 🎧', citations: null }]);
    assert.equal(message.stop_reason, 'end_turn');
    assert.deepEqual([message.usage.input_tokens, message.usage.output_tokens], [7, 3]);
    assert.deepEqual([whole.usage.input_tokens, whole.usage.output_tokens], [7, 3]);
  });

  test('thinks, calls tools and keeps its blocks apart', async () => {
    provider.models.script(
      says(
        thinks('Let me '),
        thinks('see.', 'c2ln'),
        redacted('ZW5j'),
        'One ',
        'moment',
        calls('weather', { city: 'Zürich 🏔' }, 'toolu_1'),
        calls('time', {}, 'toolu_2'),
      ),
    );
    const streamed = await provider.client.messages.stream(hello).finalMessage();
    const whole = await provider.client.messages.create(hello);
    assert.deepEqual(streamed.content, whole.content);
    assert.deepEqual(whole.content, [
      { type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'ZW5j' },
      { type: 'text', text: 'One moment', citations: null },
      call('toolu_1', 'weather', { city: 'Zürich 🏔' }),
      call('toolu_2', 'time', {}),
    ]);
    assert.equal(whole.stop_reason, 'tool_use');
    assert.equal(streamed.stop_reason, 'tool_use');
  });

  test('reads what it is asked', async () => {
    provider.models.script(saysJson({ mood: 'good' }));
    const message = await provider.client.messages.parse({
      ...hello,
      system: 'Be brief.',
      tools: [{ name: 'look', input_schema: { type: 'object' } }],
      output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
      messages: [
        { role: 'user', content: 'Look' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: { at: 1 } }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', content: 'a cat' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aW1n' } },
            { type: 'text', text: 'Sure?' },
          ],
        },
      ],
    });
    assert.equal(message.content[0]?.type === 'text' && message.content[0].text, '{"mood":"good"}');
    const [request] = provider.models.requests;
    assert.equal(request?.apiKey, 'sk-ant-scripted');
    assert.deepEqual(request?.tools, ['look']);
    assert.deepEqual(request?.schema, { type: 'object' });
    assert.equal(request?.lastText, 'Sure?');
    assert.deepEqual(request?.turns, [
      { role: 'system', text: 'Be brief.', images: [], toolCalls: [] },
      { role: 'user', text: 'Look', images: [], toolCalls: [] },
      { role: 'assistant', text: '', images: [], toolCalls: [{ id: 't1', name: 'look', input: { at: 1 } }] },
      { role: 'tool', text: 'a cat', images: [], toolCalls: [], callId: 't1' },
      { role: 'user', text: 'Sure?', images: ['aW1n'], toolCalls: [] },
    ]);
  });

  test('lists models page by page', async () => {
    const ids: string[] = [];
    for await (const model of provider.client.models.list({ limit: 3 })) ids.push(model.id);
    assert.equal(ids.length, 4);
    assert.equal(provider.models.requests.length, 2);
    assert.equal((await provider.client.models.retrieve(ids[0] ?? '')).id, ids[0]);
    await assert.rejects(provider.client.models.retrieve('none'), Anthropic.NotFoundError);
  });

  test('refuses as the provider does', async () => {
    const refusals = [
      ['billing', Anthropic.BadRequestError, 400, /credit balance is too low/],
      ['wrong-key', Anthropic.AuthenticationError, 401, /invalid x-api-key/],
      ['rate-limit', Anthropic.RateLimitError, 429, /model: claude-x/],
      ['model-unknown', Anthropic.NotFoundError, 404, /model: claude-x/],
      ['forbidden', Anthropic.PermissionDeniedError, 403, /permission/],
      ['overloaded', Anthropic.InternalServerError, 529, /Overloaded/],
      ['unavailable', Anthropic.InternalServerError, 503, /upstream connect error/],
    ] as const;
    for (const [failure, kind, status, words] of refusals) {
      provider.models.reset();
      provider.models.script(fails(failure, 7));
      await assert.rejects(provider.client.messages.create(hello), (error) => {
        assert.ok(error instanceof kind, failure);
        assert.equal(error.status, status);
        assert.match(error.message, words);
        assert.equal(error.headers?.get('retry-after'), '7');
        return true;
      });
    }
  });

  test('tells an error within a stream', async () => {
    provider.models.script(says('Hel', breaksWith('overloaded'), 'never said'));
    const heard: string[] = [];
    const stream = provider.client.messages.stream(hello).on('text', (text) => heard.push(text));
    await assert.rejects(stream.finalMessage(), (error) => {
      assert.ok(error instanceof Anthropic.APIError);
      assert.equal(error.type, 'overloaded_error');
      return true;
    });
    assert.deepEqual(heard, ['Hel']);
  });

  test('breaks in the middle of a block', async () => {
    for (const trouble of ['reset', 'cut', 'end', 'half-frame', 'broken-json'] as const) {
      provider.models.reset();
      const listening = Promise.withResolvers<void>();
      provider.models.script(says('Hel', waits(listening.promise), breaks(trouble), 'lo'));
      const heard: string[] = [];
      const stream = provider.client.messages.stream(hello).on('text', (text) => {
        heard.push(text);
        listening.resolve();
      });
      await assert.rejects(stream.finalMessage(), trouble);
      assert.deepEqual(heard, ['Hel'], trouble);
    }
  });
});

function call(id: string, name: string, input: unknown) {
  return { type: 'tool_use', id, name, input, caller: { type: 'direct' } };
}
