import assert from 'node:assert/strict';
import { test } from 'vitest';
import { field, listOf } from '../../../src/demo/model/loose.ts';
import { calls, redacted, says, saysJson, sends, thinks } from '../../../src/demo/model/script.ts';
import type { CompletionRequest, Reasoning } from '../../../src/gateways/models/gateway.ts';
import { asks, failsAs, finishOf, gatewayContract, heard, never, textOf } from './contract.ts';

const MODEL = 'gpt-5.2';
const event = (type: string, more: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
const usage = { input_tokens: 4, output_tokens: 2 };
const hello = [
  event('response.output_text.delta', { delta: 'Hello 🎧' }),
  event('response.completed', { response: { usage } }),
].join('');
const look = { name: 'home.look', description: 'Looks', input: { type: 'object' } };

gatewayContract(
  'cloud-b',
  {
    model: MODEL,
    title: ' over Responses',
    embeds: true,
    thinks: true,
    brokenFrame: 'passed over',
    kinds: { forbidden: 'model-unknown' },
    hello,
  },
  (tested) => {
    const ask = (text: string, more: Partial<CompletionRequest> = {}) =>
      heard(tested.gateway().complete(asks(text, { model: MODEL, ...more }), never));
    const said = (name: string) => field(tested.last().body, name);
    const streams = (...events: readonly string[]) =>
      sends(200, events.join(''), { 'content-type': 'text/event-stream' });

    test('leaves nothing with the provider, and asks for what is to be given back', async () => {
      tested.models.script(says('Well.'));
      await ask('?', { reasoning: true, tools: [look], maxOutputTokens: 50, temperature: 0.2 });
      const { path } = tested.last();
      assert.deepEqual(
        [path, said('store'), said('include'), said('max_output_tokens'), said('temperature')],
        ['/responses', false, ['reasoning.encrypted_content'], 50, undefined],
      );
      assert.deepEqual(said('reasoning'), { effort: 'medium', summary: 'auto' });
      assert.deepEqual(said('tools'), [
        { type: 'function', name: 'home_look', description: 'Looks', parameters: look.input, strict: false },
      ]);
    });

    test('asks for no reasoning where that can be chosen', async () => {
      tested.models.script(says('Well.'));
      for (const [model, reasoning, sent] of [
        ['gpt-5.2', false, { effort: 'none' }],
        ['o4-mini', false, undefined],
        ['gpt-5.2', undefined, undefined],
      ] as const) {
        await ask('?', { model, ...(reasoning === undefined ? {} : { reasoning }) });
        assert.deepEqual(said('reasoning'), sent);
      }
    });

    test('does without summaries where the organization may not have them', async () => {
      const refusal = {
        message: 'Your organization must be verified to generate reasoning summaries.',
        type: 'invalid_request_error',
        param: 'reasoning.summary',
        code: 'unsupported_value',
      };
      tested.models.script((request) =>
        field(field(request.body, 'reasoning'), 'summary') ? sends(400, { error: refusal }) : says('Well.'),
      );
      const gateway = tested.gateway();
      for (let call = 0; call < 2; call++) {
        const parts = await heard(gateway.complete(asks('?', { model: MODEL, reasoning: true }), never));
        assert.equal(textOf(parts), 'Well.');
      }
      assert.equal(tested.models.requests.length, 3);
    });

    test('gives thoughts, words and calls back in their order, the thoughts as they were', async () => {
      const tools = [look];
      tested.models.script(
        says(thinks('First', 'c2ln'), 'Looking', redacted('aGlkZGVu'), calls('home_look', {}, 'c1')),
        { times: 1 },
      );
      const first = await ask('?', { tools, reasoning: true });
      const { reasoning } = finishOf(first);
      assert.ok(reasoning);
      assert.equal(reasoning.text, 'First');
      tested.models.script(says('Done.'));
      const toolCalls = [{ id: 'c1', name: 'home.look', input: {} }];
      await heard(
        tested.gateway().complete(
          {
            model: MODEL,
            tools,
            messages: [
              ...asks('?').messages,
              { role: 'assistant', text: 'Looking', reasoning, toolCalls },
              { role: 'tool', callId: 'c1', result: 'dark', failed: false },
            ],
          },
          never,
        ),
      );
      const [, thought, words, hidden, call, result] = listOf(said('input'));
      assert.partialDeepStrictEqual(thought, {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'First' }],
        encrypted_content: 'c2ln',
      });
      assert.match(String(field(thought, 'id')), /^rs_/);
      assert.deepEqual(words, { role: 'assistant', content: 'Looking' });
      assert.partialDeepStrictEqual(hidden, {
        type: 'reasoning',
        summary: [],
        encrypted_content: 'aGlkZGVu',
      });
      assert.deepEqual(call, { type: 'function_call', call_id: 'c1', name: 'home_look', arguments: '{}' });
      assert.deepEqual(result, { type: 'function_call_output', call_id: 'c1', output: 'dark' });
    });

    test('gives back no thought that nothing follows, and keeps the phase of what does', async () => {
      tested.models.script(says('Well.'));
      const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' };
      const input = async (reasoning: Reasoning, text: string) => {
        await heard(
          tested
            .gateway()
            .complete({ model: MODEL, messages: [{ role: 'assistant', text, reasoning }] }, never),
        );
        return said('input');
      };
      const blocks = [thought, { type: 'message', phase: 'final_answer' }];
      const kept = { provider: 'cloud-b', text: '', blocks } as const;
      const answer = { role: 'assistant', content: 'Yes', phase: 'final_answer' };
      assert.deepEqual(await input(kept, 'Yes'), [thought, answer]);
      assert.deepEqual(await input(kept, ''), []);
      assert.deepEqual(await input({ ...kept, blocks: ['what is this?', 7] }, 'Yes'), [
        { role: 'assistant', content: 'Yes' },
      ]);
    });

    test('parts of a summary are paragraphs', async () => {
      const delta = (text: string) => event('response.reasoning_summary_text.delta', { delta: text });
      const begin = event('response.reasoning_summary_part.added', {});
      tested.models.script(streams(begin, delta('One'), begin, delta('Two'), hello));
      assert.equal(finishOf(await ask('?')).reasoning?.text, 'One\n\nTwo');
    });

    test('hands on refusals', async () => {
      tested.models.script(
        streams(
          event('response.refusal.delta', { delta: 'I would rather not.' }),
          event('response.completed', { response: { usage } }),
        ),
        { times: 1 },
      );
      const parts = await ask('?');
      assert.deepEqual([textOf(parts), finishOf(parts).reason], ['I would rather not.', 'refused']);
      tested.models.script({ ...says('…'), stop: 'refused' });
      assert.equal(finishOf(await ask('?')).reason, 'refused');
    });

    for (const [how, kind, failed] of [
      ['an error without an envelope', 'overload', event('error', { code: 'server_error', message: 'x' })],
      [
        'a response that failed',
        'rate-limit',
        event('response.failed', { response: { error: { code: 'rate_limit_exceeded', message: 'x' } } }),
      ],
      ['a response that failed without a word', 'unknown', event('response.failed', { response: {} })],
      ['events of another shape', 'malformed', event('response.output_item.done', { item: null })],
    ] as const) {
      test(`${how} is ${kind}`, async () => {
        tested.models.script(streams(event('response.output_text.delta', { delta: 'Hel' }), failed, hello));
        await failsAs(kind, ask('?'));
      });
    }

    test('is strict about schemas in which all is required, and only then', async () => {
      tested.models.script(saysJson({ mood: 'good' }));
      const properties = { mood: { type: 'string' } };
      for (const [required, strict] of [
        [['mood'], true],
        [[], false],
      ] as const) {
        await ask('?', { schema: { name: 'the mood!', schema: { type: 'object', properties, required } } });
        const format = field(said('text'), 'format');
        assert.deepEqual([field(format, 'name'), field(format, 'strict')], ['the_mood_', strict]);
      }
    });
  },
);
