import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { describe, test } from 'vitest';
import type { FailureName } from '../../../src/demo/model/failures.ts';
import { field, listOf } from '../../../src/demo/model/loose.ts';
import { breaksWith, calls, fails, redacted, says, thinks } from '../../../src/demo/model/script.ts';
import { FAILS_AT_ONCE, scriptedProvider } from '../../support/models/officialClient.ts';

const hello = { model: 'some/model', messages: [{ role: 'user' as const, content: 'Hello?' }] };

describe('the scripted OpenRouter, asked by the official client', () => {
  const provider = scriptedProvider(
    'gateway',
    (baseURL) => new OpenAI({ apiKey: 'sk-or-v1-scripted', baseURL, ...FAILS_AT_ONCE }),
  );

  test('tells its thoughts beside what it says', async () => {
    provider.models.script(
      says(thinks('Let me '), thinks('see.', 'c2ln'), redacted('ZW5j'), 'Hello', calls('look')),
    );
    const details = [
      { type: 'reasoning.text', text: 'Let me ', format: 'anthropic-claude-v1', index: 0 },
      { type: 'reasoning.text', text: 'see.', format: 'anthropic-claude-v1', index: 0, signature: 'c2ln' },
      { type: 'reasoning.encrypted', data: 'ZW5j', format: 'anthropic-claude-v1', index: 0 },
    ];
    const heard: unknown[] = [];
    let thought = '';
    let tokens = 0;
    let reason: string | null = null;
    for await (const chunk of await provider.client.chat.completions.create({ ...hello, stream: true })) {
      const [choice] = chunk.choices;
      heard.push(...listOf(field(choice?.delta, 'reasoning_details')));
      thought += field(choice?.delta, 'reasoning') ?? '';
      reason ??= choice?.finish_reason ?? null;
      tokens += chunk.usage?.completion_tokens ?? 0;
    }
    const whole = await provider.client.chat.completions.create(hello);
    const message = whole.choices[0]?.message;
    assert.deepEqual(heard, details);
    assert.deepEqual(field(message, 'reasoning_details'), details);
    assert.equal(thought, 'Let me see.');
    assert.equal(field(message, 'reasoning'), 'Let me see.');
    assert.equal(reason, 'tool_calls');
    assert.ok(tokens > 0, 'usage comes unasked');
  });

  test('lists models with prices, and tells of the account', async () => {
    const list = await provider.client.get('/models');
    const [first] = listOf(field(list, 'data'));
    assert.deepEqual(field(first, 'pricing'), {
      prompt: '0.000003',
      completion: '0.000015',
      request: '0',
      image: '0',
    });
    assert.deepEqual(field(field(first, 'architecture'), 'input_modalities'), ['text', 'image']);
    assert.deepEqual(await provider.client.get('/credits'), {
      data: { total_credits: 25, total_usage: 12.5 },
    });
    assert.equal(field(field(await provider.client.get('/key'), 'data'), 'is_free_tier'), false);
    assert.deepEqual(
      provider.models.requests.map(({ endpoint }) => endpoint),
      ['models', 'credits', 'key'],
    );
  });

  test('embeds', async () => {
    const { data } = await provider.client.embeddings.create({ model: 'some/embedder', input: 'a cat' });
    assert.equal(data[0]?.embedding.length, 64);
  });

  test('refuses as the provider does', async () => {
    const refusals: readonly (readonly [FailureName, number, RegExp])[] = [
      ['billing', 402, /Insufficient credits/],
      ['spend-limit', 403, /Key limit exceeded/],
      ['model-quota', 429, /free-models-per-day/],
      ['rate-limit', 429, /Provider returned error/],
      ['wrong-key', 401, /User not found/],
      ['model-unknown', 400, /some\/model is not a valid model ID/],
      ['overloaded', 502, /Provider returned error/],
    ];
    for (const [failure, status, words] of refusals) {
      provider.models.reset();
      provider.models.script(fails(failure));
      await assert.rejects(provider.client.chat.completions.create(hello), (error) => {
        assert.ok(error instanceof OpenAI.APIError, failure);
        assert.equal(error.status, status);
        assert.equal(error.code, status);
        assert.match(error.message, words);
        return true;
      });
    }
  });

  test('tells an error within a stream', async () => {
    provider.models.script(says('Hel', breaksWith('overloaded')));
    const stream = await provider.client.chat.completions.create({ ...hello, stream: true });
    let heard = '';
    await assert.rejects(async () => {
      for await (const { choices } of stream) heard += choices[0]?.delta.content ?? '';
    }, /Provider returned error/);
    assert.equal(heard, 'Hel');
  });
});
