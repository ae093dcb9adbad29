import { schemaChecks } from '../../schemas/schemaChecks.ts';
import type { Blamed } from './classify.ts';
import { ModelFailure } from './failure.ts';
import type { CompletionPart, CompletionRequest, ModelMessage, Reasoning, Usage } from './gateway.ts';
import { parsed } from './loose.ts';

export type Ask = (request: CompletionRequest) => AsyncIterable<CompletionPart>;

interface Answer {
  readonly text: string;
  readonly finish: Extract<CompletionPart, { type: 'finish' }>;
}

/**
 * An answer that is JSON of the request's schema. What the provider enforces is looked through all the same: not
 * every model behind a provider can be held to a schema, and none to all that a schema may say. An answer that
 * does not fit goes back once, with what is wrong with it.
 */
export async function* structured(
  request: CompletionRequest,
  ask: Ask,
  blamed: Blamed,
): AsyncGenerator<CompletionPart, void, undefined> {
  let asked = request;
  let before: Usage = { inputTokens: 0, outputTokens: 0 };
  for (let round = 1; round <= 2; round++) {
    const { text, finish } = yield* take(ask(asked));
    const usage = sum(before, finish.usage);
    const { fitting, wrong } =
      finish.reason === 'refused' || finish.reason === 'tool-calls'
        ? { fitting: text }
        : await check(text, request, blamed);
    if (fitting !== undefined) {
      if (fitting !== '') yield { type: 'text', text: fitting };
      yield { ...finish, usage };
      return;
    }
    before = usage;
    asked = { ...request, messages: [...request.messages, ...repair(text, wrong, finish.reasoning)] };
  }
  throw new ModelFailure('malformed', { ...blamed, code: 'schema_mismatch' });
}

/** Hands everything on but the text and the end. */
async function* take(
  parts: AsyncIterable<CompletionPart>,
): AsyncGenerator<CompletionPart, Answer, undefined> {
  let text = '';
  let finish: Answer['finish'] | undefined;
  for await (const part of parts) {
    if (part.type === 'text') text += part.text;
    else if (part.type === 'finish') finish = part;
    else yield part;
  }
  if (!finish) throw new TypeError('An answer without an end');
  return { text, finish };
}

/** A schema that cannot be read, or takes too long, is a mistake of the caller, and no model's. */
async function check(
  text: string,
  { schema, owner }: CompletionRequest,
  blamed: Blamed,
): Promise<{ readonly fitting?: string; readonly wrong?: string }> {
  const json = jsonIn(text);
  if (json === undefined) return { wrong: 'It is not JSON.' };
  const { unreadable, wrong } = await schemaChecks.check(schema?.schema ?? {}, json, { owner }).catch(() => {
    throw new ModelFailure('bad-request', { ...blamed, code: 'schema_too_slow' });
  });
  if (unreadable !== undefined)
    throw new ModelFailure('bad-request', { ...blamed, code: 'schema_unreadable' });
  return wrong === undefined ? { fitting: json } : { wrong };
}

/** The whole text, or what stands in a fence: models that no grammar holds like to explain themselves. */
function jsonIn(text: string): string | undefined {
  const whole = text.trim();
  if (parsed(whole) !== undefined) return whole;
  const fenced = inFence(whole)?.trim();
  return fenced !== undefined && parsed(fenced) !== undefined ? fenced : undefined;
}

/** Between the line with the first fence and the next line that begins with one. */
function inFence(text: string): string | undefined {
  const begin = text.indexOf('```');
  const lineEnd = begin < 0 ? -1 : text.indexOf('\n', begin);
  if (lineEnd < 0 || !/^(?:json)?$/.test(text.slice(begin + 3, lineEnd).trim())) return undefined;
  const inside = text.slice(lineEnd);
  const end = inside.search(/\n[ \t]*```/);
  return end < 0 ? undefined : inside.slice(0, end);
}

function repair(
  text: string,
  wrong: string | undefined,
  reasoning: Reasoning | undefined,
): readonly ModelMessage[] {
  const complaint = `That answer does not fit the schema.\n${wrong ?? ''}\nAnswer again, with the JSON alone.`;
  const user: ModelMessage = { role: 'user', parts: [{ type: 'text', text: complaint }] };
  if (text === '') return [user];
  return [{ role: 'assistant', text, ...(reasoning ? { reasoning } : {}) }, user];
}

export function sum(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}

/** For providers that hold only some of their models to a schema: the others have to be told. */
export function withSchemaInWords(request: CompletionRequest): CompletionRequest {
  if (!request.schema || request.mustCall) return request;
  const words = `Answer with JSON alone, without a fence around it, that fits this JSON Schema:\n${JSON.stringify(request.schema.schema)}`;
  return { ...request, system: request.system === undefined ? words : `${request.system}\n\n${words}` };
}
