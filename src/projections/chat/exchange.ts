import type { ChatEvent, TurnMetadata } from '../../events/chat.ts';

type DataOf<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>['data'];
type Received = DataOf<'chat.message.received'>;
type Taken = DataOf<'chat.step.taken'>;
export type ToolUse = Pick<DataOf<'chat.tool.called'>, 'callId' | 'name' | 'input' | 'malformed'>;
export type ToolReturn = Pick<DataOf<'chat.tool.returned'>, 'callId' | 'result' | 'failed' | 'durationMs'>;

export interface ExchangeStep extends Pick<Taken, 'step' | 'parts' | 'reasoning'> {
  readonly calls: readonly ToolUse[];
  /** In the order in which they came back. */
  readonly returns: readonly ToolReturn[];
}

export interface ExchangeEnd {
  readonly as: 'replied' | 'delegated' | 'failed' | 'cancelled' | 'interrupted';
  readonly at: number;
  readonly metadata: TurnMetadata;
  /** Why, where it failed. */
  readonly code?: DataOf<'chat.turn.failed'>['code'];
}

type Told = 'turnId' | 'sessionId' | 'platform' | 'origin' | 'source' | 'text' | 'images' | 'client';

/** What was said in one turn, on both sides. Text that was forgotten is null. */
export interface Exchange extends Pick<Received, Told> {
  readonly at: number;
  readonly steps: readonly ExchangeStep[];
  readonly end: ExchangeEnd | null;
}

export function beginExchange(
  { turnId, sessionId, platform, origin, source, text, images, client }: Pick<Received, Told>,
  at: number,
): Exchange {
  const from = source === undefined ? { origin } : { origin, source };
  const content = client === undefined ? { text, images } : { text, images, client };
  return { turnId, sessionId, platform, ...from, ...content, at, steps: [], end: null };
}

/** The assistant speaks first in it, as with a reminder: nothing was said to it. */
export function isUnasked({ text, source }: Pick<Exchange, 'text' | 'source'>): boolean {
  return text === '' && source !== undefined;
}

const endings = {
  'chat.reply.sent': 'replied',
  'chat.turn.delegated': 'delegated',
  'chat.turn.failed': 'failed',
  'chat.turn.cancelled': 'cancelled',
  'chat.turn.interrupted': 'interrupted',
} as const;

/** The exchange after one more event of its turn. */
export function continueExchange(exchange: Exchange, event: ChatEvent, at: number): Exchange {
  const { steps } = exchange;
  switch (event.type) {
    case 'chat.step.taken':
      return { ...exchange, steps: [...steps, spoken(event.data)] };
    case 'chat.tool.called':
      return onLastStep(exchange, (last) => ({ ...last, calls: [...last.calls, event.data] }));
    case 'chat.tool.returned':
      return onLastStep(exchange, (last) => ({ ...last, returns: [...last.returns, event.data] }));
    case 'chat.reply.sent': {
      const end = { as: endings[event.type], at, metadata: event.data.metadata };
      return { ...exchange, steps: [...steps, spoken(event.data)], end };
    }
    case 'chat.turn.delegated':
      return { ...exchange, end: { as: endings[event.type], at, metadata: event.data.metadata } };
    case 'chat.turn.failed':
    case 'chat.turn.cancelled':
    case 'chat.turn.interrupted': {
      const { step, parts, metadata } = event.data;
      const code = event.type === 'chat.turn.failed' ? { code: event.data.code } : {};
      const end = { as: endings[event.type], at, metadata, ...code };
      const isBegun = step > steps.length;
      return {
        ...exchange,
        steps: isBegun ? [...steps, spoken({ step, parts, reasoning: null })] : steps,
        end,
      };
    }
    default:
      return exchange;
  }
}

function spoken({ step, parts, reasoning }: Pick<Taken, 'step' | 'parts' | 'reasoning'>): ExchangeStep {
  return { step, parts, reasoning, calls: [], returns: [] };
}

function onLastStep(exchange: Exchange, change: (last: ExchangeStep) => ExchangeStep): Exchange {
  const last = exchange.steps.at(-1);
  return last ? { ...exchange, steps: [...exchange.steps.slice(0, -1), change(last)] } : exchange;
}

/** What the model said in this turn beside its thoughts; of a step that called tools as well as of the last. */
export function contentOf({ steps }: Pick<Exchange, 'steps'>): string {
  return steps
    .map(contentOfStep)
    .filter((text) => text !== '')
    .join('\n\n');
}

export function contentOfStep({ parts }: Pick<ExchangeStep, 'parts'>): string {
  let content = '';
  for (const { type, text } of parts) if (type === 'content' && text !== null) content += text;
  return content;
}
