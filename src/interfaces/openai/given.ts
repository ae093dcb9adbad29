import { z } from 'zod';
import type { Given, TurnRequest } from '../../application/chat/request.ts';
import { HarkError } from '../../errors.ts';
import { ThreadLost } from '../../restingThread.ts';
import { schemaChecks } from '../../schemas/schemaChecks.ts';
import { imageIn } from '../operations/chatShapes.ts';
import { parseJsonBody } from '../rest/jsonBody.ts';
import type { Message, MessageOf } from './messageShapes.ts';
import type { CompletionBody } from './requestShapes.ts';

type ModelMessage = Given['messages'][number];
type UserMessage = Extract<ModelMessage, { role: 'user' }>;
type Manner = Given['manner'];
type Place = readonly (string | number)[];

const LONGEST_SCHEMA = 100_000;
const JSON_ALONE = 'Answer with one JSON object alone, without a fence around it.';

function refusal(path: Place, message: string): HarkError {
  return new HarkError('VALIDATION_FAILED', { body: { issues: [{ path, message }] } });
}

/**
 * What a client sent, as a turn takes it. The text of the turn is what the user said last; where no user says
 * anything, it is what the client says itself.
 */
export async function readConversation(
  body: CompletionBody,
  owner: string,
): Promise<Pick<TurnRequest, 'text' | 'images' | 'origin'> & { given: Given }> {
  checkCalls(body.messages);
  const given = body.messages.flatMap(messageOf);
  const ofUser = given.findLast((one): one is UserMessage => one.role === 'user');
  const ofClient = systemOf(body);
  if (!ofUser && ofClient === undefined) throw refusal(['messages'], 'There is no message of the user');
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

/** Providers refuse a conversation in which calls and results do not match; here it is said which. */
function checkCalls(messages: readonly Message[]): void {
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id))
        throw refusal(['messages', index, 'tool_call_id'], 'No call of this id comes before it');
    } else if (open.size > 0) throw refusal(['messages', index], 'A call before it has no result');
    if (message.role === 'assistant') open = new Set(message.tool_calls?.map(({ id }) => id));
  }
  if (open.size > 0) throw refusal(['messages'], 'The last call has no result');
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

function systemOf({ messages }: CompletionBody): string | undefined {
  const said = messages.flatMap((message) =>
    message.role === 'system' || message.role === 'developer' ? [textOf(message.content)] : [],
  );
  return said.filter((text) => text.trim() !== '').join('\n\n') || undefined;
}

function toolsOf({ tools, tool_choice: choice }: CompletionBody): Given['tools'] {
  if (choice === 'none') return [];
  if (!tools || tools.length === 0) return undefined;
  return tools.map(({ function: { name, description = '', parameters } }) => ({
    name,
    description,
    input: parameters ?? { type: 'object', properties: {} },
  }));
}

async function mannerOf(body: CompletionBody, owner: string): Promise<Manner> {
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

/** Only of tools of the client: a call of one of hark's would not be seen. */
function mustCallOf({ tools = [], tool_choice: choice }: CompletionBody): Manner['mustCall'] {
  if (choice === undefined || choice === 'auto' || choice === 'none') return undefined;
  if (tools.length === 0) throw refusal(['tool_choice'], 'There are no `tools` to call');
  if (choice === 'required') return 'any';
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
      throw refusal(place, 'Takes too long to be read');
    throw error;
  });
  if (!isRead) throw refusal(place, 'Not a JSON Schema that can be read');
  return given;
}
