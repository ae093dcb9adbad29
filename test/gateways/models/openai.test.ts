import assert from 'node:assert/strict';
import { test } from 'vitest';
import { field, listOf } from '../../../src/demo/model/loose.ts';
import type { ModelRequest } from '../../../src/demo/model/request.ts';
import { calls, fails, type Reply, says, saysJson, sends } from '../../../src/demo/model/script.ts';
import type { CompletionRequest } from '../../../src/gateways/models/gateway.ts';
import { asks, failsAs, finishOf, gatewayContract, heard, never, textOf } from './contract.ts';

const look = { name: 'look', description: 'Looks', input: { type: 'object' } };
const hello = `${[
  { choices: [{ index: 0, delta: { content: 'Hello 🎧' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
]
  .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  .join('')}data: [DONE]\n\n`;
const toResponses = (reply: () => Reply) => (request: ModelRequest) =>
  request.path === '/responses' ? reply() : undefined;
const kinds = { forbidden: 'model-unknown' } as const;

gatewayContract(
  'cloud-b',
  { embeds: true, thinks: false, brokenFrame: 'passed over', kinds, hello },
  (tested) => {
    const ask = async (request: CompletionRequest) => heard(tested.gateway().complete(request, never));
    const said = (name: string) => field(tested.last().body, name);
    const streams = (...chunks: readonly unknown[]) =>
      sends(
        200,
        [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'].join(''),
        {
          'content-type': 'text/event-stream',
        },
      );

    test('asks models not to reason that refuse tools otherwise, where there are no Responses', async () => {
      tested.models.script(says('Well.'));
      tested.models.script(toResponses(() => sends(404, { detail: 'Not Found' })));
      const tools = [look];
      for (const [request, effort] of [
        [{ model: 'gpt-5.6-terra', tools, reasoning: true }, 'none'],
        [{ model: 'gpt-6-sol', tools }, 'none'],
        [{ model: 'gpt-6-sol', reasoning: true }, 'medium'],
        [{ model: 'gpt-6-sol' }, undefined],
        [{ model: 'gpt-5-mini', tools, reasoning: true }, undefined],
        [{ model: 'gpt-4o', tools, reasoning: true }, undefined],
      ] as const) {
        await ask(asks('?', request));
        assert.equal(said('reasoning_effort'), effort, request.model);
      }
    });

    test('asks a server that knows no Responses only once for them', async () => {
      for (const status of [404, 405, 501]) {
        tested.models.reset();
        tested.models.script(says('Well.'));
        tested.models.script(toResponses(() => sends(status, '404 page not found')));
        const gateway = tested.gateway();
        for (let call = 0; call < 2; call++)
          assert.equal(
            textOf(await heard(gateway.complete(asks('?', { model: 'gpt-5.2' }), never))),
            'Well.',
          );
        const paths = tested.models.requests.map(({ path }) => path);
        assert.deepEqual(paths, ['/responses', '/chat/completions', '/chat/completions']);
      }
    });

    test('does not take a model that is not there for a server without Responses', async () => {
      tested.models.script(fails('model-unknown'));
      await failsAs('model-unknown', ask(asks('?', { model: 'gpt-5.2' })));
      assert.equal(tested.models.requests.length, 1);
    });

    test('asks models that do not think, or that nobody knows, over Chat Completions', async () => {
      tested.models.script(says('Well.'));
      for (const model of ['gpt-4o', 'llama-4']) await ask(asks('?', { model }));
      assert.ok(tested.models.requests.every(({ path }) => path === '/chat/completions'));
    });

    test('sends a temperature to those that take one, and a limit in the newer way', async () => {
      tested.models.script(says('Well.'));
      await ask(asks('?', { model: 'gpt-4.1', temperature: 0.2, maxOutputTokens: 50 }));
      assert.deepEqual(
        [said('temperature'), said('max_completion_tokens'), said('max_tokens')],
        [0.2, 50, undefined],
      );
    });

    test('is strict about schemas in which all is required, and only then', async () => {
      tested.models.script(saysJson({ mood: 'good' }));
      const properties = { mood: { type: 'string' } };
      for (const [required, strict] of [
        [['mood'], true],
        [[], false],
      ] as const) {
        await ask(
          asks('?', { schema: { name: 'the mood!', schema: { type: 'object', properties, required } } }),
        );
        const format = field(said('response_format'), 'json_schema');
        assert.deepEqual([field(format, 'name'), field(format, 'strict')], ['the_mood_', strict]);
      }
    });

    test('sends images as data', async () => {
      tested.models.script(says('A cat.'));
      const image = { type: 'image', mimeType: 'image/gif', base64: 'aW1n' } as const;
      await ask({ model: 'm', messages: [{ role: 'user', parts: [image] }] });
      const [message] = listOf(said('messages'));
      assert.deepEqual(field(message, 'content'), [
        { type: 'image_url', image_url: { url: 'data:image/gif;base64,aW1n' } },
      ]);
    });

    test('hands on thoughts of servers that tell them, and never gives them back', async () => {
      const choice = (delta: unknown, finish_reason: string | null = null) => ({
        choices: [{ index: 0, delta, finish_reason }],
      });
      tested.models.script(
        streams(choice({ reasoning_content: 'Hm' }), choice({ content: 'Well' }, 'stop')),
        {
          times: 1,
        },
      );
      const parts = await ask(asks());
      assert.deepEqual(parts.slice(0, 2), [
        { type: 'reasoning', text: 'Hm' },
        { type: 'text', text: 'Well' },
      ]);
      const { reasoning } = finishOf(parts);
      assert.deepEqual(reasoning, { provider: 'cloud-b', text: 'Hm', blocks: [] });
      tested.models.script(says('Well.'));
      await ask({ model: 'm', messages: [{ role: 'assistant', text: 'Well', reasoning }] });
      assert.deepEqual(said('messages'), [{ role: 'assistant', content: 'Well' }]);
    });

    test('hands on refusals', async () => {
      const choice = (delta: unknown, finish_reason: string | null = null) => ({
        choices: [{ index: 0, delta, finish_reason }],
      });
      tested.models.script(
        streams(choice({ refusal: 'I would ' }), choice({ refusal: 'rather not.' }, 'stop')),
        { times: 1 },
      );
      const parts = await ask(asks());
      assert.deepEqual([textOf(parts), finishOf(parts).reason], ['I would rather not.', 'refused']);
      tested.models.script({ ...says('…'), stop: 'refused' });
      assert.equal(finishOf(await ask(asks())).reason, 'refused');
    });

    test('takes calls that are repeated, interleaved, or end as if there were none', async () => {
      const call = (index: number, id: string, args: string) => ({
        index,
        id,
        function: { name: `t${index}`, arguments: args },
      });
      const choice = (delta: unknown, finish_reason: string | null = null) => ({
        choices: [{ index: 0, delta, finish_reason }],
      });
      tested.models.script(
        streams(
          choice({ tool_calls: [call(0, 'a', '{"n"'), call(1, 'b', '')] }),
          choice({ tool_calls: [call(0, 'a', ':1}')] }, 'stop'),
        ),
      );
      const parts = await ask(asks());
      assert.deepEqual(parts.slice(0, 2), [
        { type: 'tool-call', call: { id: 'a', name: 't0', input: { n: 1 } } },
        { type: 'tool-call', call: { id: 'b', name: 't1', input: {} } },
      ]);
      assert.equal(finishOf(parts).reason, 'tool-calls');
    });

    test('makes ids of other providers fit, the call and its result alike', async () => {
      tested.models.script(says('Well.', calls('look')));
      const id = `toolu_${'x'.repeat(60)}`;
      await ask({
        model: 'm',
        messages: [
          { role: 'assistant', text: '', toolCalls: [{ id, name: 'look', input: {} }] },
          { role: 'tool', callId: id, result: 'ok', failed: true },
        ],
      });
      const [message, result] = listOf(said('messages'));
      const [call] = listOf(field(message, 'tool_calls'));
      assert.match(String(field(call, 'id')), /^call_[0-9a-f]{24}$/);
      assert.equal(field(result, 'tool_call_id'), field(call, 'id'));
      assert.equal(field(result, 'content'), 'Error: ok');
    });

    test('takes vectors of servers that know no base64', async () => {
      const data = [
        { index: 1, embedding: [3, 4] },
        { index: 0, embedding: [1, 2] },
      ];
      tested.models.script(sends(200, { data }), { endpoint: 'embed' });
      const vectors = await tested.gateway().embed({ model: 'm', texts: ['a', 'b'] }, never);
      assert.deepEqual(vectors, [Float32Array.of(1, 2), Float32Array.of(3, 4)]);
    });

    test('lists models with what is known of their families', async () => {
      const listed = await tested.gateway().listModels(never);
      const by = new Map(listed.map((model) => [model.id, model]));
      assert.deepEqual(by.get('gpt-4o-mini'), {
        id: 'gpt-4o-mini',
        name: 'gpt-4o-mini',
        contextLength: 128_000,
        maxOutputTokens: 16_384,
        capabilities: [
          'chat',
          'coding',
          'tool-use',
          'creative',
          'vision',
          'streaming',
          'json',
          'summarization',
          'classification',
          'contradiction',
        ],
        pricing: { inputPer1M: 0.15, outputPer1M: 0.6 },
        deprecatedAt: null,
      });
      assert.ok(by.get('gpt-5.2')?.capabilities.includes('thinking'));
      assert.deepEqual(by.get('text-embedding-3-small')?.capabilities, ['embedding']);
      assert.deepEqual(by.get('whisper-1')?.capabilities, []);

      const data = [
        { id: 'gpt-6-astra', shutdown_date: '2028-01-01T00:00:00Z' },
        { id: 'ft:gpt-4o-mini:me' },
        { id: 'llama-4' },
      ];
      tested.models.script(sends(200, { data }), { endpoint: 'models' });
      const [astra, tuned, unknown] = await tested.gateway().listModels(never);
      assert.equal(astra?.deprecatedAt, '2028-01-01');
      assert.ok(astra.capabilities.includes('tool-use'));
      assert.equal(tuned?.contextLength, 128_000);
      assert.partialDeepStrictEqual(unknown, { contextLength: null, maxOutputTokens: null, pricing: null });
      assert.equal(await tested.gateway().account(never), undefined);
    });

    test('says nothing to a server without a key', async () => {
      await failsAs('key', heard(tested.gateway({ apiKey: '' }).complete(asks(), never)));
      assert.equal(tested.models.requests.length, 0);
    });
  },
);
