import assert from 'node:assert/strict';

/*
 * What Open WebUI asks an OpenAI connection for, drawn from its source at 004a45f58: `verify_connection`,
 * `generate_chat_completion` and `embeddings` of `routers/openai.py`, the parameters of `utils/payload.py`, the title
 * and tags of `utils/task.py`, and `generate_openai_batch_embeddings` of `retrieval/utils.py`.
 */

interface Answer {
  readonly text: string;
  readonly headers: Headers;
}

interface Recorded {
  readonly what: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly answers: (answer: Answer) => void;
}

/** With ENABLE_FORWARD_USER_INFO_HEADERS. */
const aboutUser = {
  'X-OpenWebUI-User-Name': 'Anna',
  'X-OpenWebUI-User-Id': '0d9c7a0e-6d0b-4f4b-9f0e-1c2d3e4f5a6b',
  'X-OpenWebUI-User-Email': 'anna@example.org',
  'X-OpenWebUI-User-Role': 'user',
  'X-OpenWebUI-Chat-Id': '8f1f5a4e-9f0e-4f4b-8d0b-6b5a4f3e2d1c',
};

const said = (text: string) => ({ role: 'user', content: text });
const contentIn = ({ text }: Answer) => JSON.parse(text).choices[0].message.content;

const weather = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'The weather at a place',
    parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  },
};

export const recorded: readonly Recorded[] = [
  {
    what: 'verifies a connection, and lists its models',
    method: 'GET',
    path: '/models',
    headers: { 'Content-Type': 'application/json', ...aboutUser },
    answers({ text }) {
      const { object, data } = JSON.parse(text);
      assert.equal(object, 'list');
      assert.ok(data.every((one: { id: unknown; owned_by: unknown }) => one.id && one.owned_by));
    },
  },
  {
    what: 'chats in a stream, with the parameters of its settings',
    method: 'POST',
    path: '/chat/completions',
    headers: aboutUser,
    body: {
      stream: true,
      model: 'hark',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [{ type: 'text', text: 'Say good evening', cache_control: { type: 'ephemeral' } }],
        },
      ],
      stream_options: { include_usage: true },
      temperature: 0.7,
      top_p: 0.9,
      max_tokens: 512,
      frequency_penalty: 0,
      presence_penalty: 0,
      seed: 42,
      stop: ['three'],
      logit_bias: {},
      reasoning_effort: 'medium',
    },
    answers({ text, headers }) {
      assert.match(headers.get('content-type') ?? '', /^text\/event-stream/);
      const lines = text.split('\n').filter((line) => line.startsWith('data: '));
      assert.equal(lines.at(-1), 'data: [DONE]');
      const chunks = lines.slice(0, -1).map((line) => JSON.parse(line.slice('data: '.length)));
      const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }: never) => delta));
      assert.equal(deltas.map(({ content = '' }: { content?: string }) => content).join(''), 'Good evening.');
      assert.equal(chunks.at(-1).usage.total_tokens, 15);
    },
  },
  {
    what: 'asks for the title of a chat',
    method: 'POST',
    path: '/chat/completions',
    body: {
      model: 'hark',
      messages: [said('### Task:\nName a city')],
      stream: false,
      max_completion_tokens: 1_000,
    },
    answers: (answer) => assert.equal(contentIn(answer), '{"city":"Rome"}'),
  },
  {
    what: 'calls tools natively',
    method: 'POST',
    path: '/chat/completions',
    body: {
      model: 'hark',
      messages: [said('What is the weather in Rome?')],
      stream: false,
      tools: [weather],
    },
    answers({ text }) {
      const [{ message, finish_reason: reason }] = JSON.parse(text).choices;
      assert.equal(reason, 'tool_calls');
      assert.equal(message.tool_calls[0].function.name, 'weather');
    },
  },
  {
    what: 'goes on with what a tool gave',
    method: 'POST',
    path: '/chat/completions',
    body: {
      model: 'hark',
      messages: [
        said('What is the weather in Rome?'),
        {
          role: 'assistant',
          content: '',
          tool_calls: [
            {
              index: 0,
              id: 'call_1',
              type: 'function',
              function: { name: 'weather', arguments: '{"place": "Rome"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'Sunny in Rome' },
      ],
      stream: false,
      tools: [weather],
    },
    answers: (answer) => assert.equal(contentIn(answer), 'Take sunglasses.'),
  },
  {
    what: 'embeds documents',
    method: 'POST',
    path: '/embeddings',
    headers: aboutUser,
    body: { input: ['one', 'two'], model: 'text-embedding-3-small' },
    answers({ text }) {
      const { data } = JSON.parse(text);
      assert.deepEqual(
        data.map(({ embedding }: { embedding: number[] }) => typeof embedding[0]),
        ['number', 'number'],
      );
    },
  },
];
