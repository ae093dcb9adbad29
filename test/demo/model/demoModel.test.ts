import assert from 'node:assert/strict';
import { type ChatRequest, Ollama } from 'ollama';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { NOTICE, serveDemoModel } from '../../../src/demo/model/demoModel.ts';
import { ScriptedModels } from '../../../src/demo/model/scriptedModels.ts';

describe('the model of the demo', () => {
  let models: ScriptedModels;
  let client: Ollama;

  beforeAll(async () => {
    models = await ScriptedModels.start();
    serveDemoModel(models);
    client = new Ollama({ host: models.url('local-runner') });
  });
  afterAll(() => models.stop());

  const chat = (content: string, more: Partial<ChatRequest> = {}) =>
    client.chat({ model: 'scripted-demo', messages: [{ role: 'user', content }], ...more, stream: false });

  test('answers from its rules, and says each time that it is no real model', async () => {
    const answers: readonly (readonly [string, RegExp])[] = [
      ['Hello there', /^Hello!/],
      ['What is 12 * (3 + 4) - 1?', /^12 \* \(3 \+ 4\) - 1 = 83\./],
      ['6 times 7', /^6 \* 7 = 42\./],
      ['0.1 + 0.2', /= 0\.3\./],
      ['Who are you?', /small set of rules/],
      ['My name is Ada', /Nice to meet you, Ada\./],
      ['What is my name?', /not told me/],
      ['What can you do?', /I greet/],
      ['Colourless green ideas', /You said: “Colourless green ideas”/],
      ['Call me on 555-', /No rule of mine/],
      ['Divide 1 / 0 for me', /No rule of mine/],
      ['What I want is due on 2026-01-02', /No rule of mine/],
    ];
    for (const [question, expected] of answers) {
      const { message } = await chat(question);
      assert.match(message.content, expected);
      assert.ok(message.content.endsWith(NOTICE), question);
    }
  });

  test('streams word by word', async () => {
    const words: string[] = [];
    const messages = [{ role: 'user', content: 'Hello' }];
    for await (const { message } of await client.chat({ model: 'scripted-demo', messages, stream: true })) {
      words.push(message.content);
    }
    assert.ok(words.length > 5);
  });

  test('remembers a name that it was told, or that memory tells', async () => {
    const question = { role: 'user', content: 'What is my name?' };
    const told = await chat('', {
      messages: [
        { role: 'user', content: 'Hi, my name is Ada' },
        { role: 'assistant', content: 'Hello!' },
        question,
      ],
    });
    assert.match(told.message.content, /^Your name is Ada\./);
    const recalled = await chat('', {
      messages: [{ role: 'system', content: 'The user is called Grace.' }, question],
    });
    assert.match(recalled.message.content, /^Your name is Grace\./);
  });

  test('calls a tool when it is named, and tells what came of it', async () => {
    const tools = [
      tool('memory_search', { query: { type: 'string' } }, ['query']),
      tool('memory', {}, []),
      tool('timer_set', { seconds: { type: 'string' } }, []),
    ];
    const search = await chat('Use memory.search please', { tools });
    assert.deepEqual(
      search.message.tool_calls?.map(({ function: called }) => called),
      [{ name: 'memory_search', arguments: { query: 'Use memory.search please' } }],
    );
    const timer = await chat('timer.set {"seconds": "5"}', { tools });
    assert.deepEqual(timer.message.tool_calls?.[0]?.function, {
      name: 'timer_set',
      arguments: { seconds: '5' },
    });
    assert.ok(timer.message.content.endsWith(NOTICE));
    const after = await chat('', {
      tools,
      messages: [
        { role: 'user', content: 'timer.set' },
        { role: 'assistant', content: '', tool_calls: timer.message.tool_calls ?? [] },
        { role: 'tool', content: 'it runs', tool_name: 'timer_set' },
      ],
    });
    assert.equal(after.message.content, `The tool timer_set answered: it runs ${NOTICE}`);
    assert.equal(after.message.tool_calls, undefined);
  });

  test('sets a reminder, tells the time, and says what hark did of itself', async () => {
    const tools = [tool('schedule_create', { at: { type: 'string' } }, []), tool('clock_now', {}, [])];
    const called = async (content: string) =>
      (await chat(content, { tools })).message.tool_calls?.map(({ function: one }) => one);
    assert.deepEqual(await called('Remind me tomorrow at 9 to call mum'), [
      { name: 'schedule_create', arguments: { name: 'call mum', at: 'tomorrow at 9', text: 'call mum' } },
    ]);
    assert.deepEqual(await called('What time is it?'), [{ name: 'clock_now', arguments: {} }]);
    const told =
      "Done by hark itself, just now:\n- Remembered at the user's word just now: Mia lives in Bergen";
    const { message } = await chat('', {
      messages: [
        { role: 'system', content: `<memory-1>\n${told}\n</memory-1>` },
        { role: 'user', content: 'Remember that Mia lives in Bergen. What is 12 times 12?' },
      ],
    });
    assert.equal(message.content, `Remembered: Mia lives in Bergen. 12 * 12 = 144. ${NOTICE}`);
  });

  test('answers a schema with the least that it allows', async () => {
    const format = {
      $defs: { mood: { enum: ['good', 'bad'] } },
      type: 'object',
      properties: {
        mood: { $ref: '#/$defs/mood' },
        facts: { type: 'array', items: { type: 'string' } },
        score: { type: 'number', minimum: 1 },
        summary: { type: 'string' },
        maybe: { type: 'string' },
      },
      required: ['mood', 'facts', 'score', 'summary'],
    };
    const { message } = await chat('Extract', { format });
    assert.deepEqual(JSON.parse(message.content), { mood: 'good', facts: [], score: 1, summary: NOTICE });
  });

  test('has a model to chat with and one to embed with', async () => {
    const { models: list } = await client.list();
    assert.deepEqual(
      list.map(({ name }) => name),
      ['scripted-demo:latest', 'scripted-demo-embed:latest'],
    );
    const shown = await client.show({ model: 'scripted-demo' });
    assert.deepEqual(shown.capabilities, ['completion', 'tools', 'thinking', 'vision']);
    const { embeddings } = await client.embed({ model: 'scripted-demo-embed', input: 'a' });
    assert.equal(embeddings.length, 1);
  });
});

function tool(name: string, properties: Record<string, { type: string }>, required: string[]) {
  return { type: 'function', function: { name, parameters: { type: 'object', properties, required } } };
}
