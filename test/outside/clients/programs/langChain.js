import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { z } from 'zod';
import { cases } from './cases.js';

/* As the documentation of LangChain has it; with `responses` as its argument, over the Responses API. */

const useResponsesApi = process.argv[2] === 'responses';
const model = new ChatOpenAI({ model: 'gpt-4.1-mini', useResponsesApi });
const schema = z.object({ city: z.string() });
const weather = tool(async ({ place }) => `Sunny in ${place}`, {
  name: 'weather',
  description: 'The weather at a place',
  schema: z.object({ place: z.string() }),
});
const question = new HumanMessage('What is the weather in Rome?');

async function streamed(runnable, input) {
  let whole;
  for await (const chunk of await runnable.stream(input))
    whole = whole === undefined ? chunk : whole.concat(chunk);
  return whole;
}

async function answered(first) {
  const results = await Promise.all(first.tool_calls.map((call) => weather.invoke(call)));
  const messages = [question, first, ...results];
  return (await model.bindTools([weather]).invoke(messages)).text;
}

await cases({
  answer: async () => {
    const answer = await model.invoke([new SystemMessage('Be brief.'), new HumanMessage('Say good evening')]);
    return { text: answer.text, tokens: answer.usage_metadata.total_tokens };
  },
  stream: async () => (await streamed(model, 'Say good evening')).text,
  tools: async () => {
    const first = await model.bindTools([weather]).invoke([question]);
    return { text: await answered(first), steps: 2 };
  },
  'tools in a stream': async () => answered(await streamed(model.bindTools([weather]), [question])),
  'forced call by name': async () => {
    const bound = model.bindTools([weather], { tool_choice: 'weather' });
    return (await bound.invoke('Tell me of Rome')).tool_calls.map(({ args }) => args);
  },
  'structured output': async () =>
    model.withStructuredOutput(schema, { name: 'place', method: 'jsonSchema' }).invoke('Name a city'),
  'structured output by a function': async () =>
    model.withStructuredOutput(schema, { name: 'place', method: 'functionCalling' }).invoke('Call a city'),
  'structured output in a stream': async () => {
    const runnable = model.withStructuredOutput(schema, { name: 'place', method: 'jsonSchema' });
    let last;
    for await (const chunk of await runnable.stream('Name a city')) last = chunk;
    return last;
  },
  'several turns': async () => {
    const messages = [
      new HumanMessage('Say good evening'),
      new AIMessage('Good evening.'),
      new HumanMessage('And again'),
    ];
    return (await model.invoke(messages)).text;
  },
  ...(useResponsesApi
    ? {
        'previous response': async () => {
          const first = await model.invoke('Say good evening');
          const previous_response_id = first.response_metadata.id;
          return (await model.invoke('And again', { previous_response_id })).text;
        },
      }
    : {
        'forced call': async () => {
          const bound = model.bindTools([weather], { tool_choice: 'required' });
          return (await bound.invoke('Tell me of Rome')).tool_calls.map(({ args }) => args);
        },
        stop: async () => (await model.invoke('Count to ten', { stop: ['three'] })).text,
        embeddings: async () => {
          const embeddings = new OpenAIEmbeddings({ model: 'text-embedding-3-small' });
          return (await embeddings.embedDocuments(['one', 'two'])).length;
        },
      }),
  'result of a tool by hand': async () => {
    const call = { id: 'call_1', name: 'weather', args: { place: 'Rome' }, type: 'tool_call' };
    const called = new AIMessage({ content: '', tool_calls: [call] });
    const result = new ToolMessage({ content: 'Sunny in Rome', tool_call_id: 'call_1' });
    return (await model.invoke([question, called, result])).text;
  },
});
