import OpenAI from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { cases, joined } from './cases.js';

/* OpenAI's own SDK; with `responses` as its argument, over the Responses API. */

const client = new OpenAI();
const model = 'gpt-5-mini';
const city = z.object({ city: z.string() });
const parameters = {
  type: 'object',
  properties: { place: { type: 'string' } },
  required: ['place'],
  additionalProperties: false,
};
const asked = { role: 'user', content: 'What is the weather in Rome?' };
const told = { role: 'user', content: 'Tell me of Rome' };

async function* contentOf(stream) {
  for await (const { choices } of stream) yield choices[0]?.delta?.content ?? '';
}

async function* deltasOf(stream) {
  for await (const event of stream) if (event.type === 'response.output_text.delta') yield event.delta;
}

function overCompletions() {
  const create = (messages, more = {}) => client.chat.completions.create({ model, messages, ...more });
  const say = (content) => [{ role: 'user', content }];
  const tools = [{ type: 'function', function: { name: 'weather', description: 'The weather', parameters } }];
  const argumentsOf = ({ choices }) =>
    choices[0].message.tool_calls.map(({ function: called }) => JSON.parse(called.arguments));
  const response_format = zodResponseFormat(city, 'city');
  const resultsOf = ({ tool_calls }) =>
    tool_calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'Sunny in Rome' }));
  return {
    answer: async () => {
      const { choices, usage } = await create(say('Say good evening'));
      return { text: choices[0].message.content, tokens: usage.total_tokens };
    },
    stream: async () => joined(contentOf(await create(say('Say good evening'), { stream: true }))),
    tools: async () => {
      const [{ message }] = (await create([asked], { tools })).choices;
      const { choices } = await create([asked, message, ...resultsOf(message)], { tools });
      return { text: choices[0].message.content, steps: 2 };
    },
    'tools in a stream': async () => {
      const first = client.chat.completions.stream({ model, messages: [asked], tools });
      const message = await first.finalMessage();
      return joined(
        contentOf(await create([asked, message, ...resultsOf(message)], { tools, stream: true })),
      );
    },
    'forced call': async () => argumentsOf(await create([told], { tools, tool_choice: 'required' })),
    'forced call by name': async () => {
      const tool_choice = { type: 'function', function: { name: 'weather' } };
      return argumentsOf(await create([told], { tools, tool_choice }));
    },
    'structured output': async () => {
      const { choices } = await client.chat.completions.parse({
        model,
        messages: say('Name a city'),
        response_format,
      });
      return choices[0].message.parsed;
    },
    'structured output in a stream': async () => {
      const stream = client.chat.completions.stream({ model, messages: say('Name a city'), response_format });
      return (await stream.finalChatCompletion()).choices[0].message.parsed;
    },
    'several turns': async () => {
      const { choices } = await create([
        ...say('Say good evening'),
        { role: 'assistant', content: 'Good evening.' },
        ...say('And again'),
      ]);
      return choices[0].message.content;
    },
    stop: async () => (await create(say('Count to ten'), { stop: 'three' })).choices[0].message.content,
    embeddings: async () => {
      const { data } = await client.embeddings.create({
        model: 'text-embedding-3-small',
        input: ['one', 'two'],
      });
      return data.length;
    },
  };
}

function overResponses() {
  const create = (input, more = {}) => client.responses.create({ model, input, ...more });
  const tools = [{ type: 'function', name: 'weather', description: 'The weather', parameters, strict: true }];
  const callsIn = ({ output }) => output.filter(({ type }) => type === 'function_call');
  const argumentsOf = (response) => callsIn(response).map((call) => JSON.parse(call.arguments));
  const resultsOf = (response) =>
    callsIn(response).map(({ call_id }) => ({
      type: 'function_call_output',
      call_id,
      output: 'Sunny in Rome',
    }));
  const text = { format: zodTextFormat(city, 'city') };
  return {
    answer: async () => {
      const { output_text, usage } = await create('Say good evening');
      return { text: output_text, tokens: usage.total_tokens };
    },
    stream: async () => joined(deltasOf(await create('Say good evening', { stream: true }))),
    tools: async () => {
      const first = await create([asked], { tools });
      const last = await create([asked, ...first.output, ...resultsOf(first)], { tools });
      return { text: last.output_text, steps: 2 };
    },
    'tools in a stream': async () => {
      const first = await client.responses.stream({ model, input: [asked], tools }).finalResponse();
      const more = { tools, previous_response_id: first.id, stream: true };
      return joined(deltasOf(await create(resultsOf(first), more)));
    },
    'forced call': async () => argumentsOf(await create([told], { tools, tool_choice: 'required' })),
    'forced call by name': async () =>
      argumentsOf(await create([told], { tools, tool_choice: { type: 'function', name: 'weather' } })),
    'structured output': async () =>
      (await client.responses.parse({ model, input: 'Name a city', text })).output_parsed,
    'structured output in a stream': async () =>
      (await client.responses.stream({ model, input: 'Name a city', text }).finalResponse()).output_parsed,
    'several turns': async () => {
      const first = await create('Say good evening');
      const input = [{ role: 'user', content: 'Say good evening' }, ...first.output];
      return (await create([...input, { role: 'user', content: 'And again' }])).output_text;
    },
    'previous response': async () => {
      const { id } = await create('Say good evening');
      return (await create('And again', { previous_response_id: id })).output_text;
    },
  };
}

await cases(process.argv[2] === 'responses' ? overResponses() : overCompletions());
