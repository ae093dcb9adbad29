import type { IncomingHttpHeaders } from 'node:http';
import type { CreateEmbeddingResponse } from 'openai/resources/embeddings';
import { field } from '../loose.ts';
import { newId, type Protocol } from '../protocol.ts';
import type { Endpoint, ModelRequest } from '../request.ts';
import { completionOf, completionSteps, openaiDialect } from './completions.ts';
import { openaiRefusal } from './failures.ts';
import { openaiModels } from './models.ts';
import { responseErrorFrame, responseOf, responseSteps, responseVariant } from './responses.ts';
import { readResponses } from './responseTurns.ts';
import { readOpenai } from './turns.ts';

const RESPONSES = '/responses';

/** The Chat Completions API, and the Responses API beside it. */
export const openai: Protocol = {
  provider: 'cloud-b',
  prefix: '/openai/v1',
  base: '/openai/v1',
  streamType: 'text/event-stream; charset=utf-8',
  headers: () => ({ 'x-request-id': newId('req_') }),
  endpoint: (method, path) =>
    method === 'POST' && path === RESPONSES ? 'chat' : openaiEndpoint(method, path),
  apiKey: bearer,
  read: (endpoint, body, path) => (path === RESPONSES ? readResponses(body) : readOpenai(endpoint, body)),
  refusal: openaiRefusal,
  errorFrame: ({ body }, { path }) =>
    path === RESPONSES ? responseErrorFrame(body) : `data: ${JSON.stringify(body)}\n\n`,
  stream: (utterance) =>
    utterance.request.path === RESPONSES
      ? responseSteps(utterance)
      : completionSteps(utterance, openaiDialect),
  variant: (request) =>
    request.path === RESPONSES ? responseVariant(request) : String(openaiDialect.usageChunk(request)),
  whole: (utterance) =>
    utterance.request.path === RESPONSES ? responseOf(utterance) : completionOf(utterance, openaiDialect),
  embeddings: openaiEmbeddings,
  unscripted: ({ endpoint, path }) => (endpoint === 'models' ? openaiModels(path) : undefined),
};

export function openaiEndpoint(method: string, path: string): Endpoint | undefined {
  if (method === 'POST' && path === '/chat/completions') return 'chat';
  if (method === 'POST' && path === '/embeddings') return 'embed';
  if (method === 'GET' && (path === '/models' || path.startsWith('/models/'))) return 'models';
  return undefined;
}

export function bearer(headers: IncomingHttpHeaders): string | undefined {
  const [scheme, key] = (headers.authorization ?? '').split(' ', 2);
  return scheme === 'Bearer' && key !== '' ? key : undefined;
}

/** Little-endian floats in base64 are what the official client asks for when its caller does not care. */
export function openaiEmbeddings(vectors: readonly (readonly number[])[], request: ModelRequest) {
  const base64 = field(request.body, 'encoding_format') === 'base64';
  const tokens = Math.ceil(request.texts.join('').length / 4);
  return {
    object: 'list',
    model: request.model,
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: base64 ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : [...vector],
    })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  } satisfies Omit<CreateEmbeddingResponse, 'data'> & { data: unknown };
}
