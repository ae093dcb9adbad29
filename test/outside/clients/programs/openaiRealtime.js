import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { cases } from './cases.js';

/* As the documentation of the `openai` SDK has it; it speaks TLS and nothing else. */

async function connected(session = {}) {
  const realtime = new OpenAIRealtimeWS({ model: 'gpt-realtime' }, new OpenAI());
  const errors = [];
  realtime.on('error', (error) => errors.push(error.message));
  await next(realtime, 'session.created');
  realtime.send({ type: 'session.update', session: { type: 'realtime', ...session } });
  await next(realtime, 'session.updated');
  return { realtime, errors };
}

function next(realtime, type) {
  return new Promise((resolve) => {
    realtime.once(type, resolve);
  });
}

function asks(realtime, text) {
  const content = [{ type: 'input_text', text }];
  realtime.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
  realtime.send({ type: 'response.create' });
}

const weather = {
  type: 'function',
  name: 'weather',
  description: 'The weather at a place',
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
};

await cases({
  text: async () => {
    const { realtime, errors } = await connected({ output_modalities: ['text'] });
    asks(realtime, 'Say good evening');
    let text = '';
    realtime.on('response.output_text.delta', ({ delta }) => {
      text += delta;
    });
    const { response } = await next(realtime, 'response.done');
    realtime.close();
    return { text, status: response.status, errors };
  },
  'function call': async () => {
    const { realtime, errors } = await connected({ tools: [weather], output_modalities: ['text'] });
    asks(realtime, 'What is the weather in Rome?');
    const [{ call_id, name, arguments: given }] = await Promise.all([
      next(realtime, 'response.function_call_arguments.done'),
      next(realtime, 'response.done'),
    ]);
    const item = { type: 'function_call_output', call_id, output: 'Sunny' };
    realtime.send({ type: 'conversation.item.create', item });
    realtime.send({ type: 'response.create' });
    const { text } = await next(realtime, 'response.output_text.done');
    realtime.close();
    return { name, given: JSON.parse(given), text, errors };
  },
  truncation: async () => {
    const { realtime, errors } = await connected();
    asks(realtime, 'Tell me of Rome');
    const { item_id } = await next(realtime, 'response.output_audio.delta');
    realtime.send({ type: 'response.cancel' });
    const { response } = await next(realtime, 'response.done');
    realtime.send({ type: 'conversation.item.truncate', item_id, content_index: 0, audio_end_ms: 0 });
    await next(realtime, 'conversation.item.truncated');
    realtime.send({ type: 'conversation.item.retrieve', item_id });
    const { item } = await next(realtime, 'conversation.item.retrieved');
    realtime.close();
    return { status: response.status, details: response.status_details, content: item.content, errors };
  },
});
