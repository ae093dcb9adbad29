import { field, listOf, textOf } from '../loose.ts';
import type { Turn } from '../request.ts';

export function turnOf(message: unknown): Turn {
  const role = textOf(field(message, 'role'));
  const tool = field(message, 'tool_name') ?? field(message, 'tool_call_id');
  return {
    role: role === 'user' || role === 'assistant' || role === 'tool' ? role : 'system',
    text: textOf(field(message, 'content')),
    images: listOf(field(message, 'images')).map(textOf),
    toolCalls: listOf(field(message, 'tool_calls')).map((call) => {
      const said = field(call, 'function');
      return { name: textOf(field(said, 'name')), input: field(said, 'arguments') };
    }),
    ...(tool === undefined ? {} : { callId: textOf(tool) }),
  };
}
