import { openai } from '@ai-sdk/openai';
import { embedMany, generateText, isStepCount, Output, streamText, tool } from 'ai';
import { z } from 'zod';
import { cases, joined } from './cases.js';

/* As the documentation of the `ai` SDK has it: the default provider, which asks over Responses. */

const model = openai('gpt-5-mini');
const weather = tool({
  description: 'The weather at a place',
  inputSchema: z.object({ place: z.string() }),
  execute: async ({ place }) => `Sunny in ${place}`,
});
const asking = {
  model,
  tools: { weather },
  prompt: 'What is the weather in Rome?',
  stopWhen: isStepCount(3),
};
const telling = { ...asking, prompt: 'Tell me of Rome', stopWhen: isStepCount(1) };
const city = Output.object({ schema: z.object({ city: z.string() }) });

await cases({
  answer: async () => {
    const { text, usage } = await generateText({ model, system: 'Be brief.', prompt: 'Say good evening' });
    return { text, tokens: usage.totalTokens };
  },
  stream: async () => joined(streamText({ model, prompt: 'Say good evening' }).textStream),
  tools: async () => {
    const { text, steps } = await generateText(asking);
    return { text, steps: steps.length };
  },
  'tools in a stream': async () => joined(streamText(asking).textStream),
  'forced call': async () => {
    const { toolCalls } = await generateText({ ...telling, toolChoice: 'required' });
    return toolCalls.map(({ input }) => input);
  },
  'forced call by name': async () => {
    const toolChoice = { type: 'tool', toolName: 'weather' };
    const { toolCalls } = await generateText({ ...telling, toolChoice });
    return toolCalls.map(({ input }) => input);
  },
  'structured output': async () =>
    (await generateText({ model, output: city, prompt: 'Name a city' })).output,
  'structured output in a stream': async () =>
    streamText({ model, output: city, prompt: 'Name a city' }).output,
  'several turns': async () => {
    const first = await generateText({ model, prompt: 'Say good evening' });
    const messages = [
      { role: 'user', content: 'Say good evening' },
      ...first.response.messages,
      { role: 'user', content: 'And again' },
    ];
    return (await generateText({ model, messages })).text;
  },
  'previous response': async () => {
    const first = await generateText({ model, prompt: 'Say good evening' });
    const previousResponseId = first.providerMetadata.openai.responseId;
    const providerOptions = { openai: { previousResponseId } };
    return (await generateText({ model, prompt: 'And again', providerOptions })).text;
  },
  embeddings: async () => {
    const embeddingModel = openai.embedding('text-embedding-3-small');
    const { embeddings } = await embedMany({ model: embeddingModel, values: ['one', 'two'] });
    return embeddings.length;
  },
});
