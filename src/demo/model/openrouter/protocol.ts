import { isRecord } from '../loose.ts';
import { completionOf, completionSteps, type Dialect } from '../openai/completions.ts';
import { bearer, openaiEmbeddings, openaiEndpoint } from '../openai/protocol.ts';
import { readOpenai } from '../openai/turns.ts';
import { frame, type Protocol, saidText } from '../protocol.ts';
import type { ModelRequest } from '../request.ts';
import { type Item, type Plain, sends } from '../script.ts';
import { openrouterRefusal } from './failures.ts';
import { openrouterCatalog } from './models.ts';

const FORMAT = 'anthropic-claude-v1';

const dialect: Dialect = {
  idPrefix: 'gen-',
  opening: [frame(': OPENROUTER PROCESSING\n\n')],
  more: { provider: 'Scripted' },
  thought: (item) => {
    const details = detailsOf(item);
    if (details.length === 0) return undefined;
    return { reasoning: item.type === 'reasoning' ? item.text : null, reasoning_details: details };
  },
  thoughts: (items) => {
    const details = items.flatMap(detailsOf);
    return details.length === 0
      ? { reasoning: null }
      : { reasoning: saidText(items, 'reasoning'), reasoning_details: details };
  },
  usageChunk: () => 'with an empty choice',
};

/** The Chat Completions API as OpenRouter extends it. */
export const openrouter: Protocol = {
  provider: 'gateway',
  prefix: '/openrouter/api/v1',
  base: '/openrouter/api/v1',
  streamType: 'text/event-stream',
  headers: () => ({}),
  endpoint(method, path) {
    if (method === 'GET' && path === '/credits') return 'credits';
    if (method === 'GET' && (path === '/key' || path === '/auth/key')) return 'key';
    return openaiEndpoint(method, path);
  },
  apiKey: bearer,
  read: readOpenai,
  refusal: openrouterRefusal,
  /** Beside the error, such a chunk has all that a chunk has. */
  errorFrame: ({ body }, { model }) => {
    const chunk = {
      id: 'gen-failed',
      object: 'chat.completion.chunk',
      created: 1_767_322_800,
      model,
      provider: 'Scripted',
      ...(isRecord(body) ? { error: body.error } : {}),
      choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: 'error' }],
    };
    return `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
  },
  stream: (utterance) => completionSteps(utterance, dialect),
  variant: () => '',
  whole: (utterance) => completionOf(utterance, dialect),
  embeddings: openaiEmbeddings,
  unscripted,
};

function unscripted({ endpoint, apiKey }: ModelRequest): Plain | undefined {
  switch (endpoint) {
    case 'models':
      return sends(200, { data: openrouterCatalog });
    case 'credits':
      return sends(200, { data: { total_credits: 25, total_usage: 12.5 } });
    case 'key':
      return sends(200, {
        data: {
          label: `${apiKey?.slice(0, 8)}...`,
          limit: null,
          limit_remaining: null,
          usage: 12.5,
          is_free_tier: false,
          rate_limit: { requests: -1, interval: '10s' },
        },
      });
    default:
      return undefined;
  }
}

function detailsOf(item: Item): readonly Readonly<Record<string, unknown>>[] {
  if (item.type === 'redacted') {
    return [{ type: 'reasoning.encrypted', data: item.data, format: FORMAT, index: 0 }];
  }
  if (item.type !== 'reasoning') return [];
  const { text, signature } = item;
  return [
    {
      type: 'reasoning.text',
      text,
      format: FORMAT,
      index: 0,
      ...(signature === undefined ? {} : { signature }),
    },
  ];
}
