import Anthropic from '@anthropic-ai/sdk';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import type { ProviderId } from '../../src/vocabulary.ts';

/** Calls `hear` for each piece of text. */
export type Listen = (length: 'long' | 'short', hear: (text: string) => void) => Promise<void>;

/** Models that say much or little: some that do not think, and some that do, which OpenAI serves over Responses. */
export const lengths = {
  long: { any: 'long', thinking: 'gpt-5-mini' },
  short: { any: 'short', thinking: 'gpt-5-nano' },
} as const;

const KEY = 'sk-benchmark';
const messages = [{ role: 'user' as const, content: 'Hello?' }];

/** The limit: the official client of a provider, and the shortest loop over what it streams. */
export function bareClient(providerId: ProviderId, url: string): Listen {
  switch (providerId) {
    case 'cloud-a':
      return bareAnthropic(url);
    case 'cloud-b':
    case 'gateway':
      return bareOpenAi(url);
    case 'local-runner':
      return bareOllama(url);
  }
}

function bareAnthropic(baseURL: string): Listen {
  const client = new Anthropic({ apiKey: KEY, baseURL, maxRetries: 0 });
  return async (length, hear) => {
    const model = lengths[length].any;
    const stream = await client.messages.create({ model, messages, max_tokens: 8_192, stream: true });
    for await (const event of stream) {
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') hear(event.delta.text);
    }
  };
}

function bareOpenAi(baseURL: string): Listen {
  const client = new OpenAI({ apiKey: KEY, baseURL, maxRetries: 0 });
  return async (length, hear) => {
    const model = lengths[length].any;
    const stream_options = { include_usage: true };
    const stream = await client.chat.completions.create({ model, messages, stream: true, stream_options });
    for await (const chunk of stream) {
      const text = chunk.choices[0]?.delta.content;
      if (text) hear(text);
    }
  };
}

export function bareResponses(baseURL: string): Listen {
  const client = new OpenAI({ apiKey: KEY, baseURL, maxRetries: 0 });
  return async (length, hear) => {
    const asked = { model: lengths[length].thinking, input: messages, store: false };
    for await (const event of await client.responses.create({ ...asked, stream: true }))
      if (event.type === 'response.output_text.delta') hear(event.delta);
  };
}

function bareOllama(host: string): Listen {
  const client = new Ollama({ host });
  return async (length, hear) => {
    const model = lengths[length].any;
    for await (const { message } of await client.chat({ model, messages, stream: true })) {
      if (message.content) hear(message.content);
    }
  };
}
