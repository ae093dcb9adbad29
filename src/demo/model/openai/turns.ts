import { field, isRecord, listOf, parsed, textOf } from '../loose.ts';
import { type Asked, type Endpoint, nothingAsked, type Turn } from '../request.ts';

/** Of chats and embeddings, for OpenRouter as well. */
export function readOpenai(endpoint: Endpoint, body: unknown): Asked {
  const model = textOf(field(body, 'model'));
  if (endpoint === 'embed') {
    const input = field(body, 'input');
    return { ...nothingAsked, model, texts: typeof input === 'string' ? [input] : listOf(input).map(textOf) };
  }
  if (endpoint !== 'chat') return nothingAsked;
  const schema = field(field(field(body, 'response_format'), 'json_schema'), 'schema');
  return {
    model,
    stream: field(body, 'stream') === true,
    turns: listOf(field(body, 'messages')).map(turnOf),
    tools: listOf(field(body, 'tools')).map((tool) => textOf(field(field(tool, 'function'), 'name'))),
    ...(schema === undefined ? {} : { schema }),
    texts: [],
  };
}

function turnOf(message: unknown): Turn {
  const content = field(message, 'content');
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  const callId = field(message, 'tool_call_id');
  return {
    role: roleOf(textOf(field(message, 'role'))),
    text: parts.map((part) => textOf(field(part, 'text'))).join(''),
    images: parts.filter((part) => field(part, 'type') === 'image_url').map(imageOf),
    toolCalls: listOf(field(message, 'tool_calls')).map(callOf),
    ...(callId === undefined ? {} : { callId: textOf(callId) }),
  };
}

function roleOf(role: string): Turn['role'] {
  if (role === 'user' || role === 'assistant' || role === 'tool') return role;
  return 'system';
}

/** From its data URL. */
function imageOf(part: unknown): string {
  const url = textOf(field(field(part, 'image_url'), 'url'));
  return url.slice(url.indexOf(',') + 1);
}

function callOf(call: unknown): Turn['toolCalls'][number] {
  const said = field(call, 'function');
  const input = field(said, 'arguments');
  return {
    id: textOf(field(call, 'id')),
    name: textOf(field(said, 'name')),
    input: isRecord(input) ? input : parsed(textOf(input)),
  };
}
