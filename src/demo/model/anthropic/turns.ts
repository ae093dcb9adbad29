import { field, listOf, textOf } from '../loose.ts';
import type { Turn } from '../request.ts';

export function turnsOf(body: unknown): readonly Turn[] {
  const system = field(body, 'system');
  return [
    ...(system === undefined ? [] : [turn('system', blockText(system))]),
    ...listOf(field(body, 'messages')).flatMap(messageTurns),
  ];
}

/** The results of tools are blocks of a user's message here. */
function messageTurns(message: unknown): readonly Turn[] {
  const content = field(message, 'content');
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  if (field(message, 'role') === 'assistant') {
    return [{ ...turn('assistant', blockText(blocks)), toolCalls: blocks.flatMap(callOf) }];
  }
  const results = blocks.filter((block) => field(block, 'type') === 'tool_result');
  const others = blocks.filter((block) => field(block, 'type') !== 'tool_result');
  return [
    ...results.map((block) => ({
      ...turn('tool', blockText(field(block, 'content'))),
      callId: textOf(field(block, 'tool_use_id')),
    })),
    ...(others.length === 0 ? [] : [{ ...turn('user', blockText(others)), images: others.flatMap(imageOf) }]),
  ];
}

function turn(role: Turn['role'], text: string): Turn {
  return { role, text, images: [], toolCalls: [] };
}

function blockText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((block) => (field(block, 'type') === 'text' ? textOf(field(block, 'text')) : ''))
    .join('');
}

function imageOf(block: unknown): readonly string[] {
  return field(block, 'type') === 'image' ? [textOf(field(field(block, 'source'), 'data'))] : [];
}

function callOf(block: unknown): Turn['toolCalls'] {
  if (field(block, 'type') !== 'tool_use') return [];
  return [
    { id: textOf(field(block, 'id')), name: textOf(field(block, 'name')), input: field(block, 'input') },
  ];
}
