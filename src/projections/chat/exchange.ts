import type { ChatEvent } from '../../events/chat.ts';
import type { TurnMetadata } from '../../events/turnEndings.ts';

type DataOf<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>['data'];
type Received = DataOf<'chat.message.received'>;
type Taken = DataOf<'chat.step.taken'>;
export type ToolUse = Pick<DataOf<'chat.tool.called'>, 'callId' | 'name' | 'input' | 'malformed'>;
export type ToolReturn = Pick<
  DataOf<'chat.tool.returned'>,
  'callId' | 'result' | 'failed' | 'durationMs' | 'isForeign'
>;

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

type Told =
  | 'turnId'
  | 'sessionId'
  | 'platform'
  | 'origin'
  | 'source'
  | 'text'
  | 'images'
  | 'client'
  | 'spoken';

/** What was said in one turn, on both sides. Text that was forgotten is null. */
export interface Exchange extends Pick<Received, Told> {
  readonly at: number;
  /** Of a spoken reply that is over, as far as it was heard. */
  readonly steps: readonly ExchangeStep[];
  readonly end: ExchangeEnd | null;
  /** Of one that is spoken: what the model said in all, once it is over, and how many characters of it were heard. */
  readonly hearing?: { readonly said: readonly ExchangeStep[]; readonly characters: number };
}

export function beginExchange(
  { turnId, sessionId, platform, origin, source, text, images, client, spoken }: Pick<Received, Told>,
  at: number,
): Exchange {
  const from = {
    ...(source === undefined ? { origin } : { origin, source }),
    ...(spoken === undefined ? {} : { spoken }),
  };
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
  if (event.type === 'chat.reply.heard') return heardUpTo(exchange, event.data.characters);
  const { hearing } = exchange;
  // What clients return comes after the end.
  const continued = goOn(
    exchange.end && hearing ? { ...exchange, steps: hearing.said } : exchange,
    event,
    at,
  );
  if (!continued.spoken || !continued.end) return continued;
  const { characters = 0 } = hearing ?? {};
  return heardUpTo({ ...continued, hearing: { said: continued.steps, characters } }, characters);
}

/** While the turn goes on, the model knows all that it said; what comes of it holds what was heard. */
function heardUpTo(exchange: Exchange, characters: number): Exchange {
  const said = (exchange.end && exchange.hearing?.said) ?? exchange.steps;
  const hearing = { said, characters };
  if (exchange.end === null) return { ...exchange, hearing };
  let left = characters;
  const steps = said.map((step): ExchangeStep => {
    const length = contentOfStep(step).length;
    const cut = length <= left ? step : cutTo(step, left);
    left = Math.max(0, left - length);
    return cut;
  });
  return { ...exchange, steps, hearing };
}

/** What the provider wants back goes with the words that it belongs to. */
function cutTo(step: ExchangeStep, characters: number): ExchangeStep {
  let left = characters;
  const parts = step.parts.flatMap((part) => {
    if (part.type !== 'content' || part.text === null) return [part];
    const text = part.text.slice(0, left).trimEnd();
    left = Math.max(0, left - part.text.length);
    return text === '' ? [] : [{ ...part, text }];
  });
  return { ...step, parts, reasoning: step.calls.length > 0 ? step.reasoning : null };
}

function goOn(exchange: Exchange, event: ChatEvent, at: number): Exchange {
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
