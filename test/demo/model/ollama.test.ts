import assert from 'node:assert/strict';
import { type ChatResponse, Ollama } from 'ollama';
import { afterEach, describe, test, vi } from 'vitest';
import {
  breaks,
  breaksWith,
  calls,
  fails,
  says,
  saysJson,
  sendsPieces,
  thinks,
} from '../../../src/demo/model/script.ts';
import { scriptedProvider } from '../../support/models/officialClient.ts';

const hello = { model: 'qwen3:8b', messages: [{ role: 'user', content: 'Hello?' }] };

describe('the scripted Ollama, asked by the official client', () => {
  const provider = scriptedProvider('local-runner', (host) => new Ollama({ host }));
  afterEach(() => void vi.restoreAllMocks());

  async function listen(think = true): Promise<readonly ChatResponse[]> {
    const heard: ChatResponse[] = [];
    for await (const part of await provider.client.chat({ ...hello, think, stream: true })) heard.push(part);
    return heard;
  }

  test('says the same as a stream and whole', async () => {
    const said = says(
      thinks('Hm'),
      thinks('.'),
      'Hel',
      'lo 🎧',
      calls('weather', { city: 'Zürich 🏔' }, 'c1'),
    );
    provider.models.script({ ...said, usage: { inputTokens: 7, outputTokens: 3 } });
    const streamed = await listen();
    const whole = await provider.client.chat(hello);
    assert.equal(streamed.map(({ message }) => message.content).join(''), 'Hello 🎧');
    assert.equal(streamed.map(({ message }) => message.thinking ?? '').join(''), 'Hm.');
    assert.equal(whole.message.content, 'Hello 🎧');
    assert.equal(whole.message.thinking, 'Hm.');
    const call = { id: 'c1', function: { name: 'weather', arguments: { city: 'Zürich 🏔' } } };
    assert.deepEqual(whole.message.tool_calls, [call]);
    assert.deepEqual(streamed.at(-2)?.message.tool_calls, [call]);
    for (const end of [whole, streamed.at(-1)]) {
      assert.equal(end?.done, true);
      assert.equal(end?.done_reason, 'stop');
      assert.deepEqual([end?.prompt_eval_count, end?.eval_count], [7, 3]);
    }
  });

  test('does not think aloud when told not to', async () => {
    provider.models.script(says(thinks('Hm.'), 'Hello'));
    assert.equal((await listen(true))[0]?.message.thinking, 'Hm.');
    assert.equal((await listen(false))[0]?.message.thinking, undefined);
  });

  test('reads what it is asked', async () => {
    provider.models.script(saysJson({ mood: 'good' }));
    const answer = await provider.client.chat({
      ...hello,
      format: { type: 'object' },
      tools: [{ type: 'function', function: { name: 'look' } }],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Look', images: ['aW1n'] },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ function: { name: 'look', arguments: { at: 1 } } }],
        },
        { role: 'tool', content: 'a cat', tool_name: 'look' },
      ],
    });
    assert.equal(answer.message.content, '{"mood":"good"}');
    const [request] = provider.models.requests;
    assert.deepEqual(request?.tools, ['look']);
    assert.deepEqual(request?.schema, { type: 'object' });
    assert.equal(request?.lastText, 'a cat');
    assert.deepEqual(request?.turns, [
      { role: 'system', text: 'Be brief.', images: [], toolCalls: [] },
      { role: 'user', text: 'Look', images: ['aW1n'], toolCalls: [] },
      { role: 'assistant', text: '', images: [], toolCalls: [{ name: 'look', input: { at: 1 } }] },
      { role: 'tool', text: 'a cat', images: [], toolCalls: [], callId: 'look' },
    ]);
  });

  test('tells what it has and what runs', async () => {
    assert.match((await provider.client.version()).version, /^\d+\.\d+\.\d+$/);
    assert.equal((await provider.client.list()).models[0]?.name, 'qwen3:8b');
    assert.equal((await provider.client.ps()).models[0]?.size_vram, 5_225_388_164);
    assert.deepEqual((await provider.client.show({ model: 'nomic-embed-text' })).capabilities, ['embedding']);
    await assert.rejects(provider.client.show({ model: 'none' }), /model 'none' not found/);
    const { embeddings } = await provider.client.embed({ model: 'nomic-embed-text', input: ['a', 'b'] });
    assert.deepEqual(
      embeddings.map(({ length }) => length),
      [64, 64],
    );
  });

  test('pulls with progress', async () => {
    const seen: string[] = [];
    for await (const { status, completed } of await provider.client.pull({ model: 'tiny', stream: true })) {
      seen.push(`${status} ${completed ?? ''}`.trim());
    }
    assert.deepEqual([seen[0], seen.at(-1)], ['pulling manifest', 'success']);
    assert.ok(seen.includes('pulling 0a109f422b47 750'));
    assert.equal(provider.models.requests[0]?.model, 'tiny');
    assert.equal((await provider.client.pull({ model: 'tiny' })).status, 'success');

    const error = '{"error":"pull model manifest: file does not exist"}\n';
    provider.models.script(sendsPieces('application/x-ndjson', '{"status":"pulling manifest"}\n', error), {
      endpoint: 'pull',
    });
    await assert.rejects(async () => {
      for await (const _ of await provider.client.pull({ model: 'none', stream: true }));
    }, /file does not exist/);
  });

  test('refuses as the provider does', async () => {
    const refusals = [
      ['billing', 429, /session usage limit/],
      ['model-unknown', 404, /model 'qwen3:8b' not found/],
      ['overloaded', 503, /server busy/],
      ['server-error', 500, /runner process has terminated/],
    ] as const;
    for (const [failure, status, words] of refusals) {
      provider.models.reset();
      provider.models.script(fails(failure));
      await assert.rejects(provider.client.chat({ ...hello, stream: true }), (error) => {
        assert.ok(error instanceof Error && 'status_code' in error, failure);
        assert.equal(error.status_code, status);
        assert.match(error.message, words);
        return true;
      });
    }
  });

  test('breaks in the middle of a stream', async () => {
    // The client says on the console what it could not read.
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    for (const trouble of ['reset', 'cut', 'end', 'half-frame'] as const) {
      provider.models.reset();
      provider.models.script(says('Hel', breaks(trouble), 'lo'));
      await assert.rejects(listen(), trouble);
    }
    provider.models.reset();
    provider.models.script(says('Hel', breaksWith('server-error')));
    await assert.rejects(listen(), /runner process has terminated/);
    provider.models.reset();
    // It passes over lines that are no JSON: whoever cares has to read the body without it.
    provider.models.script(says('Hel', breaks('broken-json'), breaks('broken-frame'), 'lo'));
    const heard = await listen();
    assert.equal(heard.map(({ message }) => message.content).join(''), 'Hello');
  });
});
