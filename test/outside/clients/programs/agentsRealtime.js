import { once } from 'node:events';
import { RealtimeAgent, RealtimeSession, tool } from '@openai/agents-realtime';
import { z } from 'zod';
import { cases } from './cases.js';

/* As the documentation of the Agents SDK has it: a session over a WebSocket, with a tool that runs here. */

const { HARK_REALTIME_URL: url, OPENAI_API_KEY: apiKey } = process.env;

const asked = [];
const weather = tool({
  name: 'weather',
  description: 'The weather at a place',
  parameters: z.object({ place: z.string() }),
  execute: ({ place }) => {
    asked.push(place);
    return `Sunny in ${place}`;
  },
});

const agent = new RealtimeAgent({ name: 'Guide', instructions: 'Be brief.', tools: [weather] });

async function connected() {
  const session = new RealtimeSession(agent, { transport: 'websocket', model: 'gpt-realtime' });
  const errors = [];
  session.on('error', (error) => errors.push(error));
  await session.connect({ apiKey, url });
  return { session, errors };
}

/** The last words of the history, once it has some that are as they should be. */
async function heard(session, isRight) {
  for (;;) {
    const last = session.history.findLast(({ role }) => role === 'assistant');
    const [part] = last?.content ?? [];
    const words = part?.transcript ?? part?.text ?? '';
    if (last && isRight(words, last)) return words;
    await once(session, 'history_updated');
  }
}

await cases({
  conversation: async () => {
    const { session, errors } = await connected();
    let bytes = 0;
    session.on('audio', ({ data }) => {
      bytes += data.byteLength;
    });
    const stopped = once(session, 'audio_stopped');
    session.sendMessage('What is the weather in Rome?');
    await stopped;
    const words = await heard(session, (words, { status }) => words !== '' && status === 'completed');
    session.close();
    return { words, asked, speaks: bytes > 24_000, errors: errors.length };
  },
  interruption: async () => {
    const { session, errors } = await connected();
    session.sendMessage('Tell me of Rome');
    await once(session, 'audio');
    const truncated = new Promise((resolve) => {
      session.on('transport_event', (event) => {
        if (event.type === 'conversation.item.truncated') resolve(event.audio_end_ms);
      });
    });
    const done = new Promise((resolve) => {
      session.on('transport_event', (event) => {
        if (event.type === 'response.done') resolve(event.response.status);
      });
    });
    session.interrupt();
    const ms = await truncated;
    const status = await done;
    const words = await heard(session, (words) => words.length < 200);
    session.close();
    return { ms: ms < 2_000, status, isCut: words.length < 60, errors: errors.length };
  },
});
