import type { ContentBlock, Message, StopReason, Usage } from '@anthropic-ai/sdk/resources/messages';
import { parsed } from '../loose.ts';
import { inputText, newId, type Utterance } from '../protocol.ts';
import type { Item } from '../script.ts';

/** Of thoughts that were scripted without a signature; they never come without one. */
export const UNSIGNED = 'c2NyaXB0ZWQ=';

export const stopReasons: Readonly<Record<Utterance['stop'], StopReason>> = {
  stop: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  refused: 'refusal',
};

export function messageOf({ request, items, usage, stop }: Utterance): Message {
  return {
    id: newId('msg_'),
    type: 'message',
    role: 'assistant',
    model: request.model,
    container: null,
    diagnostics: null,
    content: groups(items).flatMap(blockOf),
    stop_reason: stopReasons[stop],
    stop_details: stop === 'refused' ? { type: 'refusal', category: null, explanation: null } : null,
    stop_sequence: null,
    usage: usageOf(usage.inputTokens, usage.outputTokens),
  };
}

type Group = readonly [Item, ...Item[]];

/** What belongs into one block: text after text, thoughts after thoughts, anything else alone. */
function groups(items: readonly Item[]): readonly Group[] {
  const result: [Item, ...Item[]][] = [];
  for (const item of items) {
    if (item.type === 'wait' || item.type === 'error' || item.type === 'trouble') continue;
    const last = result.at(-1);
    if (last && continues(last[0].type, item)) last.push(item);
    else result.push([item]);
  }
  return result;
}

export function continues(open: Item['type'], item: Item): boolean {
  return open === item.type && (open === 'text' || open === 'reasoning');
}

function blockOf(group: Group): readonly ContentBlock[] {
  const [first] = group;
  const text = group.map((item) => ('text' in item ? item.text : '')).join('');
  switch (first.type) {
    case 'text':
      return [{ type: 'text', text, citations: null }];
    case 'reasoning':
      return [{ type: 'thinking', thinking: text, signature: signatureOf(group) }];
    case 'redacted':
      return [{ type: 'redacted_thinking', data: first.data }];
    case 'call':
      return [
        {
          type: 'tool_use',
          id: first.id ?? newId('toolu_'),
          name: first.name,
          input: parsed(inputText(first)),
          caller: { type: 'direct' },
        },
      ];
    default:
      return [];
  }
}

function signatureOf(group: Group): string {
  return group.reduce(
    (found, item) => (item.type === 'reasoning' ? (item.signature ?? found) : found),
    UNSIGNED,
  );
}

export function usageOf(input: number, output: number): Usage {
  return {
    cache_creation: null,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    inference_geo: null,
    input_tokens: input,
    output_tokens: output,
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: 'standard',
    speed: null,
  };
}
