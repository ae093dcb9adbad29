import type { Blamed } from './classify.ts';
import { forcedCall } from './forcedCall.ts';
import type { CompletionPart, CompletionRequest } from './gateway.ts';
import { StopWords } from './stopWords.ts';
import { type Ask, structured } from './structured.ts';

/**
 * An answer in the shape in which it was asked for. The provider is told; what comes is held to it all the same, since
 * not every model behind every provider keeps to what it is told. What asks for no shape passes as it is.
 */
export function answerAsAsked(
  request: CompletionRequest,
  ask: Ask,
  blamed: Blamed,
): AsyncIterable<CompletionPart> {
  if (request.mustCall) return forcedCall(request, ask, blamed);
  if (request.schema) return structured(withoutStop(request), ask, blamed);
  if (!request.oneCall && !request.stop?.length) return ask(request);
  return withinLimits(request, ask(request));
}

/** Reads to the end also where nothing more is told, because that says what it cost. */
async function* withinLimits(
  { stop = [], oneCall = false }: CompletionRequest,
  parts: AsyncIterable<CompletionPart>,
): AsyncGenerator<CompletionPart, void, undefined> {
  const words = new StopWords(stop);
  let calls = 0;
  for await (const part of parts) {
    if (part.type === 'text') {
      const text = words.hear(part.text);
      if (text !== '') yield { type: 'text', text };
    } else if (part.type === 'tool-call') {
      if (words.isReached || (oneCall && calls > 0)) continue;
      calls++;
      yield part;
    } else if (part.type === 'finish') {
      const text = words.rest();
      if (text !== '') yield { type: 'text', text };
      yield words.isReached && calls === 0 ? { ...part, reason: 'stop' } : part;
    } else yield part;
  }
}

/** JSON that is cut fits no schema. */
function withoutStop({ stop: _, ...request }: CompletionRequest): CompletionRequest {
  return request;
}
