import type { IncomingHttpHeaders } from 'node:http';
import { field, listOf, textOf } from '../loose.ts';
import { bearer } from '../openai/protocol.ts';
import { newId, type Protocol } from '../protocol.ts';
import { type Asked, nothingAsked } from '../request.ts';
import { anthropicRefusal } from './failures.ts';
import { messageOf } from './messages.ts';
import { anthropicModels } from './models.ts';
import { messageSteps } from './stream.ts';
import { turnsOf } from './turns.ts';

/** The Messages API. */
export const anthropic: Protocol = {
  provider: 'cloud-a',
  prefix: '/anthropic',
  base: '/anthropic',
  streamType: 'text/event-stream; charset=utf-8',

  headers: () => ({ 'request-id': newId('req_') }),

  endpoint(method, path) {
    if (method === 'POST' && path === '/v1/messages') return 'chat';
    if (method === 'GET' && (path === '/v1/models' || path.startsWith('/v1/models/'))) return 'models';
    return undefined;
  },

  /** The official client of today sends a bearer token, where older ones and the documentation have x-api-key. */
  apiKey(headers: IncomingHttpHeaders) {
    const key = headers['x-api-key'];
    return typeof key === 'string' ? key : bearer(headers);
  },

  read(endpoint, body): Asked {
    if (endpoint !== 'chat') return nothingAsked;
    const schema = field(field(field(body, 'output_config'), 'format'), 'schema');
    return {
      model: textOf(field(body, 'model')),
      stream: field(body, 'stream') === true,
      turns: turnsOf(body),
      tools: listOf(field(body, 'tools')).map((tool) => textOf(field(tool, 'name'))),
      ...(schema === undefined ? {} : { schema }),
      texts: [],
    };
  },

  refusal: anthropicRefusal,
  errorFrame: ({ body }) => `event: error\ndata: ${JSON.stringify(body)}\n\n`,
  stream: messageSteps,
  variant: () => '',
  whole: messageOf,
  // Anthropic has none; a gateway that asks all the same is told so by the path.
  embeddings: () => ({}),
  unscripted: ({ endpoint, path, query }) =>
    endpoint === 'models' ? anthropicModels(path, query) : undefined,
};
