import { field, listOf, textOf } from '../loose.ts';
import { bearer } from '../openai/protocol.ts';
import type { Protocol } from '../protocol.ts';
import { type Asked, type Endpoint, nothingAsked } from '../request.ts';
import { chatOf, chatSteps, thinks } from './chat.ts';
import { ollamaRefusal } from './failures.ts';
import { ollamaUnscripted } from './models.ts';
import { turnOf } from './turns.ts';

const endpoints: Readonly<Record<string, Endpoint>> = {
  'POST /api/chat': 'chat',
  'POST /api/embed': 'embed',
  'GET /api/tags': 'models',
  'GET /api/ps': 'running',
  'POST /api/show': 'show',
  'GET /api/version': 'version',
  'POST /api/pull': 'pull',
};

/** Ollama's own API. */
export const ollama: Protocol = {
  provider: 'local-runner',
  prefix: '/ollama',
  base: '/ollama',
  streamType: 'application/x-ndjson',
  headers: () => ({}),
  endpoint: (method, path) => endpoints[`${method} ${path}`],
  apiKey: bearer,

  read(endpoint, body): Asked {
    const model = textOf(field(body, 'model')) || textOf(field(body, 'name'));
    // Streaming is what it does when not told otherwise.
    const stream = field(body, 'stream') !== false;
    if (endpoint === 'embed') {
      const input = field(body, 'input');
      return {
        ...nothingAsked,
        model,
        texts: typeof input === 'string' ? [input] : listOf(input).map(textOf),
      };
    }
    if (endpoint !== 'chat') return { ...nothingAsked, model, stream };
    const schema = field(body, 'format') || undefined;
    return {
      model,
      stream,
      turns: listOf(field(body, 'messages')).map(turnOf),
      tools: listOf(field(body, 'tools')).map((tool) => textOf(field(field(tool, 'function'), 'name'))),
      ...(schema === undefined ? {} : { schema }),
      texts: [],
    };
  },

  refusal: ollamaRefusal,
  errorFrame: ({ body }) => `${JSON.stringify(body)}\n`,
  stream: chatSteps,
  variant: (request) => String(thinks(request)),
  whole: chatOf,
  embeddings: (vectors, { model, texts }) => ({
    model,
    embeddings: vectors,
    total_duration: 14_143_917,
    load_duration: 1_019_500,
    prompt_eval_count: Math.ceil(texts.join('').length / 4),
  }),
  unscripted: ollamaUnscripted,
};
