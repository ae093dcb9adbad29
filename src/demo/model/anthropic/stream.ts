import type {
  ContentBlock,
  RawContentBlockDelta,
  RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages';
import { frame, inputText, newId, pieces, type Step, troubleSteps, type Utterance } from '../protocol.ts';
import type { Item } from '../script.ts';
import { continues, messageOf, stopReasons, UNSIGNED, usageOf } from './messages.ts';

type Said = Exclude<Item, { type: 'wait' | 'error' | 'trouble' }>;

export function messageSteps(utterance: Utterance): readonly Step[] {
  const blocks = new Blocks();
  return [
    ...opening(utterance),
    ...utterance.items.flatMap((item) => blocks.add(item)),
    ...blocks.close(),
    ...closing(utterance),
  ];
}

/** One block at a time is open; it closes when something comes that does not belong into it. */
class Blocks {
  #index = -1;
  #open: Said['type'] | undefined;
  #signature = UNSIGNED;

  add(item: Item): readonly Step[] {
    if (item.type === 'wait' || item.type === 'error') return [item];
    if (item.type === 'trouble') return troubleSteps(item.trouble, this.#toBreak());
    const opening = this.#open !== undefined && continues(this.#open, item) ? [] : this.#start(item);
    if (item.type === 'reasoning' && item.signature !== undefined) this.#signature = item.signature;
    return [...opening, ...deltas(item).map((delta) => this.#delta(delta))];
  }

  close(): readonly Step[] {
    if (this.#open === undefined) return [];
    const signed = this.#open === 'reasoning';
    this.#open = undefined;
    return [
      ...(signed ? [this.#delta({ type: 'signature_delta', signature: this.#signature })] : []),
      event({ type: 'content_block_stop', index: this.#index }),
    ];
  }

  #start(item: Said): readonly Step[] {
    const closing = this.close();
    this.#index++;
    this.#open = item.type;
    this.#signature = UNSIGNED;
    return [
      ...closing,
      event({ type: 'content_block_start', index: this.#index, content_block: started(item) }),
    ];
  }

  #delta(delta: RawContentBlockDelta): Step {
    return event({ type: 'content_block_delta', index: this.#index, delta });
  }

  #toBreak(): string {
    return textOf({
      type: 'content_block_delta',
      index: Math.max(0, this.#index),
      delta: { type: 'text_delta', text: 'broken' },
    });
  }
}

/** All of it that comes in deltas is still missing. */
function started(item: Said): ContentBlock {
  switch (item.type) {
    case 'text':
      return { type: 'text', text: '', citations: null };
    case 'reasoning':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'redacted':
      return { type: 'redacted_thinking', data: item.data };
    case 'call':
      return {
        type: 'tool_use',
        id: item.id ?? newId('toolu_'),
        name: item.name,
        input: {},
        caller: { type: 'direct' },
      };
  }
}

function deltas(item: Said): readonly RawContentBlockDelta[] {
  switch (item.type) {
    case 'text':
      return [{ type: 'text_delta', text: item.text }];
    case 'reasoning':
      return [{ type: 'thinking_delta', thinking: item.text }];
    case 'redacted':
      return [];
    case 'call':
      return ['', ...pieces(inputText(item))].map((json) => ({
        type: 'input_json_delta',
        partial_json: json,
      }));
  }
}

function opening(utterance: Utterance): readonly Step[] {
  const message = messageOf({ ...utterance, items: [] });
  return [
    event({
      type: 'message_start',
      message: {
        ...message,
        stop_reason: null,
        stop_details: null,
        usage: usageOf(utterance.usage.inputTokens, 1),
      },
    }),
    event({ type: 'ping' }),
  ];
}

function closing({ usage, stop }: Utterance): readonly Step[] {
  return [
    event({
      type: 'message_delta',
      delta: {
        container: null,
        stop_details: stop === 'refused' ? { type: 'refusal', category: null, explanation: null } : null,
        stop_reason: stopReasons[stop],
        stop_sequence: null,
      },
      usage: {
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        input_tokens: usage.inputTokens,
        output_tokens: usage.outputTokens,
        output_tokens_details: null,
        server_tool_use: null,
      },
    }),
    event({ type: 'message_stop' }),
  ];
}

type Event = RawMessageStreamEvent | { readonly type: 'ping' };

function event(value: Event): Step {
  return frame(textOf(value));
}

function textOf(value: Event): string {
  return `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
}
