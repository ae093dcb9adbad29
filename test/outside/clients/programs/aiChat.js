import { openai } from '@ai-sdk/openai';
import { generateText, isStepCount, Output, streamText, tool } from 'ai';
import { z } from 'zod';
import { cases, joined } from './cases.js';

/* The `ai` SDK over Chat Completions. */

const model = openai.chat('gpt-4.1-mini');
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
    const messages = [
      { role: 'user', content: 'Say good evening' },
      { role: 'assistant', content: 'Good evening.' },
      { role: 'user', content: 'And again' },
    ];
    return (await generateText({ model, messages })).text;
  },
  stop: async () => (await generateText({ model, prompt: 'Count to ten', stopSequences: ['three'] })).text,
});
