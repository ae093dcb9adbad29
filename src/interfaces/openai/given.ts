import { z } from 'zod';
import type { Given, TurnRequest } from '../../application/chat/request.ts';
import { HarkError } from '../../errors.ts';
import { ThreadLost } from '../../restingThread.ts';
import { schemaChecks } from '../../schemas/schemaChecks.ts';
import { imageIn } from '../operations/chatShapes.ts';
import { parseJsonBody } from '../rest/jsonBody.ts';
import type { Message, MessageOf } from './messageShapes.ts';
import type { CompletionBody } from './requestShapes.ts';

type ModelMessage = NonNullable<Given['messages']>[number];
type UserMessage = Extract<ModelMessage, { role: 'user' }>;
type Manner = Given['manner'];
type Place = readonly (string | number)[];

const LONGEST_SCHEMA = 100_000;
const JSON_ALONE = 'Answer with one JSON object alone, without a fence around it.';

function refusal(path: Place, message: string): HarkError {
  return new HarkError('VALIDATION_FAILED', { body: { issues: [{ path, message }] } });
}

/** A conversation as a client has it. */
export interface ClientWords {
  readonly messages: ModelMessage[];
  readonly system: string[];
}

export type ClientConversation = Pick<TurnRequest, 'text' | 'images' | 'origin'> & { readonly given: Given };
export type Manners = Partial<
  Pick<
    CompletionBody,
    | 'temperature'
    | 'max_completion_tokens'
    | 'max_tokens'
    | 'response_format'
    | 'tools'
    | 'tool_choice'
    | 'parallel_tool_calls'
    | 'stop'
  >
>;

/** What a client of completions sent, as a turn takes it. */
export async function readConversation(body: CompletionBody, owner: string): Promise<ClientConversation> {
  checkCalls(body.messages.map(callsIn), (...at) => ['messages', ...at]);
  return conversationOf(saidIn(body.messages), body, owner, ['messages']);
}

export function saidIn(messages: readonly Message[]): ClientWords {
  return { messages: messages.flatMap(messageOf), system: messages.flatMap(systemIn) };
}

/**
 * The text of the turn is what the user said last; where no user says anything, it is what the client says itself.
 * `place` is where the client said it.
 */
export async function conversationOf(
  { messages: given, system: told }: ClientWords,
  body: Manners,
  owner: string,
  place: Place,
): Promise<ClientConversation> {
  const ofUser = given.findLast((one): one is UserMessage => one.role === 'user');
  const ofClient = told.filter((text) => text.trim() !== '').join('\n\n') || undefined;
  if (!ofUser && ofClient === undefined) throw refusal(place, 'A user message is missing');
  const said = ofUser ?? { role: 'user' as const, parts: [{ type: 'text' as const, text: ofClient ?? '' }] };
  // Providers want somebody to answer.
  const messages = ofUser ? given : [said, ...given];
  const system = ofUser && ofClient;
  const tools = toolsOf(body);
  return {
    origin: ofUser ? 'user' : 'client',
    text: said.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n'),
    images: said.parts.flatMap((part) => (part.type === 'image' ? [part] : [])),
    given: {
      messages,
      manner: await mannerOf(body, owner),
      ...(system ? { system } : {}),
      ...(body.response_format?.type === 'json_object' ? { demand: JSON_ALONE } : {}),
      ...(tools ? { tools } : {}),
    },
  };
}

interface Calls {
  /** The calls that it makes. */
  readonly calls: readonly string[];
  /** The call whose result it is. */
  readonly returns?: string;
}

function callsIn(message: Message): Calls {
  if (message.role === 'tool') return { calls: [], returns: message.tool_call_id };
  return { calls: message.role === 'assistant' ? (message.tool_calls?.map(({ id }) => id) ?? []) : [] };
}

export function callsOfModel(message: ModelMessage): Calls {
  if (message.role === 'tool') return { calls: [], returns: message.callId };
  return { calls: message.role === 'assistant' ? (message.toolCalls?.map(({ id }) => id) ?? []) : [] };
}

/** Providers refuse a conversation in which calls and results do not match; here it is said which. */
export function checkCalls(
  messages: readonly Calls[],
  placeOf: (...at: readonly (string | number)[]) => Place,
): void {
  let open = new Set<string>();
  for (const [index, { calls, returns }] of messages.entries()) {
    if (returns !== undefined) {
      if (!open.delete(returns))
        throw refusal(placeOf(index, 'tool_call_id'), `No call ${returns} comes before its result`);
      continue;
    }
    if (open.size > 0) throw refusal(placeOf(index), `The call ${[...open][0]} before it has no result`);
    open = new Set(calls);
  }
  if (open.size > 0) throw refusal(placeOf(), `The call ${[...open][0]} has no result`);
}

function messageOf(message: Message, index: number): ModelMessage[] {
  switch (message.role) {
    case 'system':
    case 'developer':
      return [];
    case 'user':
      return [{ role: 'user', parts: partsOf(message, index) }];
    case 'assistant':
      return [assistantOf(message)];
    case 'tool':
      return [{ role: 'tool', callId: message.tool_call_id, result: textOf(message.content), failed: false }];
  }
}

function partsOf({ content }: MessageOf<'user'>, index: number): UserMessage['parts'] {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  const given = parts.flatMap((part, at): UserMessage['parts'] => {
    if (part.type === 'text') return part.text === '' ? [] : [part];
    const [, base64 = ''] = /^data:[^,]{0,200};base64,(.*)$/s.exec(part.image_url.url) ?? [];
    const image = imageIn(base64);
    const place = ['messages', index, 'content', at, 'image_url', 'url'];
    if (!image) throw refusal(place, 'Not a data URL of a PNG, JPEG, GIF or WebP image in base64');
    return [{ type: 'image', ...image }];
  });
  if (!given.some((part) => part.type === 'image' || part.text.trim() !== ''))
    throw refusal(['messages', index, 'content'], 'Must not be empty');
  return given;
}

function assistantOf({ content, tool_calls: calls }: MessageOf<'assistant'>): ModelMessage {
  const toolCalls = calls?.map(({ id, function: { name, arguments: written } }) => {
    const input = objectIn(written);
    return { id, name, ...(input ? { input } : { input: {}, malformed: written }) };
  });
  return { role: 'assistant', text: textOf(content), ...(toolCalls?.length ? { toolCalls } : {}) };
}

function textOf(content: MessageOf<'assistant'>['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : part.refusal)).join('');
}

/** Undefined for what is no object of JSON. */
function objectIn(written: string): Record<string, unknown> | undefined {
  try {
    return z.record(z.string(), z.unknown()).safeParse(parseJsonBody(written) ?? {}).data;
  } catch {
    return undefined;
  }
}

function systemIn(message: Message): string[] {
  return message.role === 'system' || message.role === 'developer' ? [textOf(message.content)] : [];
}

function toolsOf({ tools, tool_choice: choice }: Manners): Given['tools'] {
  if (choice === 'none') return [];
  if (!tools || tools.length === 0) return undefined;
  const allowed = allowedIn(choice);
  const shown = tools.filter(({ function: { name } }) => !allowed || allowed.has(name));
  if (shown.length === 0) throw refusal(['tool_choice'], 'None of them is among `tools`');
  return shown.map(({ function: { name, description = '', parameters } }) => ({
    name,
    description,
    input: parameters ?? { type: 'object', properties: {} },
  }));
}

async function mannerOf(body: Manners, owner: string): Promise<Manner> {
  const { temperature, response_format: format, stop, parallel_tool_calls: parallel } = body;
  const mustCall = mustCallOf(body);
  const maxOutputTokens = body.max_completion_tokens ?? body.max_tokens;
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(format?.type === 'json_schema' ? { schema: await readable(format.json_schema, owner) } : {}),
    ...(mustCall === undefined ? {} : { mustCall }),
    ...(parallel === false ? { oneCall: true } : {}),
    ...(stop?.length ? { stop } : {}),
  };
}

function allowedIn(choice: Manners['tool_choice']): ReadonlySet<string> | undefined {
  if (typeof choice !== 'object' || choice.type !== 'allowed_tools') return undefined;
  return new Set(choice.allowed_tools.tools.map(({ function: { name } }) => name));
}

/** Only of tools of the client: a call of one of hark's would not be seen. */
function mustCallOf({ tools = [], tool_choice: choice }: Manners): Manner['mustCall'] {
  if (choice === undefined || choice === 'auto' || choice === 'none') return undefined;
  if (tools.length === 0) throw refusal(['tool_choice'], '`tools` is missing or empty');
  if (choice === 'required') return 'any';
  if (choice.type === 'allowed_tools') return choice.allowed_tools.mode === 'required' ? 'any' : undefined;
  const { name } = choice.function;
  if (tools.some((tool) => tool.function.name === name)) return { name };
  throw refusal(['tool_choice', 'function', 'name'], 'Is not among `tools`');
}

/** The answer will be held against it, so it has to be one that can be read. */
async function readable(
  given: NonNullable<Manner['schema']>,
  owner: string,
): Promise<NonNullable<Manner['schema']>> {
  const place = ['response_format', 'json_schema', 'schema'];
  if (JSON.stringify(given.schema).length > LONGEST_SCHEMA)
    throw refusal(place, `Longer than ${LONGEST_SCHEMA} characters`);
  const isRead = await schemaChecks.canBeRead(given.schema, { owner }).catch((error: unknown) => {
    if (error instanceof ThreadLost && error.reason !== 'stopped')
      throw refusal(place, 'Takes too long to check');
    throw error;
  });
  if (!isRead) throw refusal(place, 'Not a valid JSON Schema');
  return given;
}
