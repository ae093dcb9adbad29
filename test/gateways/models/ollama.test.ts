import assert from 'node:assert/strict';
import { test } from 'vitest';
import { field } from '../../../src/demo/model/loose.ts';
import { fails, says, sends, sendsPieces } from '../../../src/demo/model/script.ts';
import { createGateway } from '../../../src/gateways/models/createGateway.ts';
import type { CompletionRequest } from '../../../src/gateways/models/gateway.ts';
import { asks, failsAs, finishOf, gatewayContract, heard, never, textOf } from './contract.ts';

const hello = [
  { message: { role: 'assistant', content: 'Hello 🎧' }, done: false },
  { message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

const peculiar = {
  hello,
  embeds: true,
  thinks: true,
  brokenFrame: 'malformed',
  badCalls: false,
  streamed: { 'bad-request': 'unknown' },
} as const;

gatewayContract('local-runner', peculiar, (tested) => {
  const ask = async (request: CompletionRequest, gateway = tested.gateway()) =>
    heard(gateway.complete(request, never));
  const said = (name: string) => field(tested.last().body, name);
  const option = (name: string) => field(said('options'), name);

  test('asks for thoughts, for none, or leaves it to the model', async () => {
    tested.models.script(says('Well.'));
    for (const reasoning of [true, false]) {
      await ask(asks('?', { reasoning }));
      assert.equal(said('think'), reasoning);
    }
    await ask(asks('?'));
    assert.equal(said('think'), undefined);
  });

  test('goes on without thoughts where a model has none, and remembers', async () => {
    const gateway = tested.gateway();
    tested.models.script((request) =>
      field(request.body, 'think') === true
        ? sends(400, { error: '"llama3:8b" does not support thinking' })
        : says('Well.'),
    );
    assert.equal(textOf(await ask(asks('?', { reasoning: true }), gateway)), 'Well.');
    assert.equal(tested.models.requests.length, 2);
    await ask(asks('?', { reasoning: true }), gateway);
    assert.equal(tested.models.requests.length, 3);
  });

  test('makes room for what would be cut off in silence', async () => {
    tested.models.script(says('Well.'));
    await ask(asks('short'));
    assert.equal(option('num_ctx'), undefined);
    for (const [letters, context] of [
      [12_000, 8_192],
      [30_000, 16_384],
      [3_000_000, 131_072],
    ] as const) {
      await ask(asks('x'.repeat(letters)));
      assert.equal(option('num_ctx'), context);
    }
    await ask(asks('short', { maxOutputTokens: 6_000, temperature: 0 }));
    assert.deepEqual([option('num_ctx'), option('num_predict'), option('temperature')], [8_192, 6_000, 0]);
    const image = { type: 'image', mimeType: 'image/png', base64: 'x'.repeat(1_000_000) } as const;
    await ask({ model: 'm', messages: [{ role: 'user', parts: [image, image] }] });
    assert.equal(option('num_ctx'), undefined);
  });

  test('names the tool whose result it gives back', async () => {
    tested.models.script(says('Well.'));
    await ask({
      model: 'm',
      messages: [
        { role: 'assistant', text: '', toolCalls: [{ id: 'c1', name: 'home.look', input: { at: 1 } }] },
        { role: 'tool', callId: 'c1', result: 'ok', failed: false },
      ],
    });
    assert.deepEqual(said('messages'), [
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', function: { name: 'home_look', arguments: { at: 1 } } }],
      },
      { role: 'tool', content: 'ok', tool_call_id: 'c1', tool_name: 'home_look' },
    ]);
  });

  test('takes calls without ids, and with arguments that are no object', async () => {
    const line = (value: unknown) => `${JSON.stringify(value)}\n`;
    const called = (args: unknown) => ({ function: { name: 'look', arguments: args } });
    tested.models.script(
      sendsPieces(
        'application/x-ndjson',
        line({ message: { content: '', tool_calls: [called({ at: 1 }), called('{"at":2}'), called([3])] } }),
        line({ done: true, done_reason: 'stop' }),
      ),
    );
    const parts = await ask(asks());
    const made = parts.flatMap((part) => (part.type === 'tool-call' ? part.call : []));
    assert.deepEqual(
      made.map(({ input, malformed }) => malformed ?? input),
      [{ at: 1 }, { at: 2 }, '[3]'],
    );
    assert.equal(new Set(made.map(({ id }) => id)).size, 3);
    assert.equal(finishOf(parts).reason, 'tool-calls');
  });

  test('reads lines however they are cut', async () => {
    const bytes = `${JSON.stringify({ message: { content: 'Möhrle 🎧' } })}\n\n${JSON.stringify({ done: true, done_reason: 'stop' })}`;
    tested.models.script({ ...sendsPieces('application/x-ndjson', ...bytes), paceMs: 0 });
    assert.equal(textOf(await ask(asks())), 'Möhrle 🎧');
  });

  test('lists what is installed with what each can do', async () => {
    const listed = await tested.gateway().listModels(never);
    assert.deepEqual(listed[0], {
      id: 'qwen3:8b',
      name: 'qwen3:8b',
      contextLength: 40_960,
      maxOutputTokens: null,
      capabilities: [
        'chat',
        'reasoning',
        'coding',
        'tool-use',
        'creative',
        'thinking',
        'streaming',
        'json',
        'summarization',
        'classification',
        'contradiction',
      ],
      pricing: { inputPer1M: 0, outputPer1M: 0 },
      deprecatedAt: null,
    });
    assert.ok(listed[1]?.capabilities.includes('vision'));
    assert.deepEqual(listed[2]?.capabilities, ['embedding']);
  });

  test('lists a model that cannot be shown without saying what it can do', async () => {
    tested.models.script(fails('server-error'), { endpoint: 'show' });
    const [model] = await tested.gateway().listModels(never);
    assert.deepEqual([model?.id, model?.contextLength, model?.capabilities], ['qwen3:8b', null, []]);
  });

  test('needs no key, and takes an address without a scheme', async () => {
    const baseUrl = tested.models.url('local-runner').replace('http://', '');
    await createGateway('local-runner', { baseUrl }).validate(never);
    assert.equal(tested.last().apiKey, undefined);
    await failsAs('network', tested.gateway({ baseUrl: 'http://127.0.0.1:1' }).validate(never));
  });
});
