import { field, listOf, parsed, textOf } from '../loose.ts';
import type { Asked, Turn } from '../request.ts';

/** Of the Responses API. What the assistant said and called in a row is one turn. */
export function readResponses(body: unknown): Asked {
  const schema = field(field(field(body, 'text'), 'format'), 'schema');
  const instructions = textOf(field(body, 'instructions'));
  const input = field(body, 'input');
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input);
  const turns: Turn[] =
    instructions === '' ? [] : [{ role: 'system', text: instructions, images: [], toolCalls: [] }];
  for (const item of items) {
    const turn = turnOf(item);
    const last = turns.at(-1);
    if (turn.role === 'assistant' && last?.role === 'assistant') turns[turns.length - 1] = joined(last, turn);
    else turns.push(turn);
  }
  return {
    model: textOf(field(body, 'model')),
    stream: field(body, 'stream') === true,
    turns: turns.filter(
      ({ role, text, toolCalls }) => role !== 'assistant' || text !== '' || toolCalls.length > 0,
    ),
    tools: listOf(field(body, 'tools')).map((tool) => textOf(field(tool, 'name'))),
    ...(schema === undefined ? {} : { schema }),
    texts: [],
  };
}

function joined(one: Turn, other: Turn): Turn {
  return { ...one, text: one.text + other.text, toolCalls: [...one.toolCalls, ...other.toolCalls] };
}

function turnOf(item: unknown): Turn {
  const empty = { text: '', images: [], toolCalls: [] };
  switch (field(item, 'type')) {
    case 'reasoning':
      return { ...empty, role: 'assistant' };
    case 'function_call':
      return { ...empty, role: 'assistant', toolCalls: [callOf(item)] };
    case 'function_call_output':
      return {
        ...empty,
        role: 'tool',
        text: textOf(field(item, 'output')),
        callId: textOf(field(item, 'call_id')),
      };
    default:
      return messageOf(item);
  }
}

function messageOf(item: unknown): Turn {
  const content = field(item, 'content');
  const parts = typeof content === 'string' ? [{ type: 'input_text', text: content }] : listOf(content);
  const role = field(item, 'role');
  return {
    role: role === 'user' || role === 'assistant' ? role : 'system',
    text: parts.map((part) => textOf(field(part, 'text'))).join(''),
    images: parts.flatMap((part) => {
      const url = textOf(field(part, 'image_url'));
      return url === '' ? [] : [url.slice(url.indexOf(',') + 1)];
    }),
    toolCalls: [],
  };
}

function callOf(item: unknown): Turn['toolCalls'][number] {
  return {
    id: textOf(field(item, 'call_id')),
    name: textOf(field(item, 'name')),
    input: parsed(textOf(field(item, 'arguments'))),
  };
}
