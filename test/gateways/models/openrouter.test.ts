import assert from 'node:assert/strict';
import { test } from 'vitest';
import { field, listOf } from '../../../src/demo/model/loose.ts';
import { calls, fails, redacted, says, saysJson, sends, thinks } from '../../../src/demo/model/script.ts';
import type { CompletionRequest } from '../../../src/gateways/models/gateway.ts';
import { asks, failsAs, finishOf, gatewayContract, heard, never } from './contract.ts';

const hello = `: OPENROUTER PROCESSING\n\n${[
  { choices: [{ index: 0, delta: { content: 'Hello 🎧' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
]
  .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  .join('')}data: [DONE]\n\n`;
const kinds = { forbidden: 'bad-request' } as const;

gatewayContract(
  'gateway',
  { embeds: true, thinks: true, brokenFrame: 'passed over', kinds, hello },
  (tested) => {
    const ask = async (request: CompletionRequest) => heard(tested.gateway().complete(request, never));
    const said = (name: string) => field(tested.last().body, name);

    test('puts the details of reasoning together again, and gives them back in their order', async () => {
      tested.models.script(
        says(
          thinks('Hm'),
          thinks('…', 'sig1'),
          redacted('ZW5j'),
          redacted('ZW5jMg'),
          thinks('then', 'sig2'),
          calls('look', {}, 'a'),
        ),
      );
      const { reasoning } = finishOf(await ask(asks()));
      tested.models.reset();
      tested.models.script(says('Well.'));
      const toolCalls = [{ id: 'a', name: 'look', input: {} }];
      await ask({
        model: 'm',
        messages: [{ role: 'assistant', text: '', toolCalls, ...(reasoning ? { reasoning } : {}) }],
      });
      const [message] = listOf(said('messages'));
      const text = { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0 };
      const encrypted = { ...text, type: 'reasoning.encrypted' };
      assert.deepEqual(field(message, 'reasoning_details'), [
        { ...text, text: 'Hm…', signature: 'sig1' },
        { ...encrypted, data: 'ZW5j' },
        { ...encrypted, data: 'ZW5jMg' },
        { ...text, text: 'then', signature: 'sig2' },
      ]);
    });

    test('asks for reasoning, and for limits in its own words', async () => {
      tested.models.script(says('Well.'));
      await ask(asks('?', { reasoning: true, temperature: 0, maxOutputTokens: 9 }));
      assert.deepEqual(
        [said('reasoning'), said('temperature'), said('max_tokens')],
        [{ enabled: true }, 0, 9],
      );
      await ask(asks('?'));
      assert.equal(said('reasoning'), undefined);
    });

    test('tells the schema in words too: not every model behind it can be held to one', async () => {
      tested.models.script(saysJson({ a: 1 }));
      const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
      await ask(asks('?', { system: 'Be brief.', schema: { name: 'a', schema } }));
      const [system] = tested.last().turns;
      assert.ok(system?.text.startsWith('Be brief.') && system.text.includes(JSON.stringify(schema)));
      assert.equal(field(field(said('response_format'), 'json_schema'), 'strict'), true);
    });

    test('lists models with their prices and parameters', async () => {
      const listed = await tested.gateway().listModels(never);
      const by = new Map(listed.map((model) => [model.id, model]));
      assert.deepEqual(by.get('openai/gpt-5-mini'), {
        id: 'openai/gpt-5-mini',
        name: 'openai/gpt-5-mini',
        contextLength: 131_072,
        maxOutputTokens: 32_768,
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
        pricing: { inputPer1M: 0.25, outputPer1M: 2 },
        deprecatedAt: null,
      });
      assert.deepEqual(by.get('meta-llama/llama-3.3-70b-instruct:free')?.pricing, {
        inputPer1M: 0,
        outputPer1M: 0,
      });
      assert.equal(by.get('old/model')?.deprecatedAt, '2027-01-01');
    });

    test('lists models that embed, and routers without a price', async () => {
      const data = [
        {
          id: 'openrouter/auto',
          architecture: { output_modalities: ['text'] },
          pricing: { prompt: '-1', completion: '-1' },
        },
        {
          id: 'some/painter',
          architecture: { output_modalities: ['image'] },
          pricing: { prompt: '', completion: 'free' },
        },
        {
          id: 'some/embedder',
          architecture: { output_modalities: ['embeddings'] },
          pricing: { prompt: '0.00000002', completion: '0' },
        },
      ];
      tested.models.script(sends(200, { data }), { endpoint: 'models' });
      const [router, painter, embedder] = await tested.gateway().listModels(never);
      assert.equal(router?.pricing, null);
      assert.deepEqual([painter?.pricing, painter?.capabilities], [null, []]);
      assert.deepEqual(embedder?.capabilities, ['embedding']);
      assert.deepEqual(embedder?.pricing, { inputPer1M: 0.02, outputPer1M: 0 });
    });

    test('knows the balance of the account, or else what the key may spend', async () => {
      const gateway = tested.gateway();
      assert.deepEqual(await gateway.account(never), { creditBalance: 12.5, creditCurrency: 'USD' });
      tested.models.script(sends(200, { data: { total_credits: 0.3, total_usage: 0.1 } }), {
        endpoint: 'credits',
        times: 1,
      });
      assert.deepEqual(await gateway.account(never), { creditBalance: 0.2, creditCurrency: 'USD' });
      const forbidden = sends(403, {
        error: { code: 403, message: 'Only management keys can fetch credits for an account' },
      });
      tested.models.script(forbidden, { endpoint: 'credits' });
      assert.equal(await gateway.account(never), undefined);
      tested.models.script(sends(200, { data: { limit_remaining: 7 } }), { endpoint: 'key' });
      assert.deepEqual(await gateway.account(never), { creditBalance: 7, creditCurrency: 'USD' });
      tested.models.script(fails('wrong-key'), { endpoint: 'credits' });
      await failsAs('key', gateway.account(never));
    });

    test('does not take the open list of models for a proof of the key', async () => {
      await tested.gateway().validate(never);
      assert.equal(tested.last().endpoint, 'key');
    });
  },
);
