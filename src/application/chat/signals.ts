import { type ErrorCode, errorMessages } from '../../errors.ts';
import type { TurnMetadata } from '../../events/turnEndings.ts';
import type { Exchange, ExchangeEnd, ToolReturn, ToolUse } from '../../projections/chat/exchange.ts';

/** What a client that listens to a turn is told, under the names of the specification. */
export type TurnSignal =
  | { readonly type: 'content' | 'thinking'; readonly content: string }
  | {
      readonly type: 'tool_start';
      readonly name: string;
      readonly id: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'tool_result';
      readonly id: string;
      readonly result: string;
      readonly error: boolean;
      readonly durationMs: number;
    }
  | { readonly type: 'step'; readonly stepNumber: number }
  | { readonly type: 'error'; readonly code: string; readonly message: string }
  | { readonly type: 'done'; readonly metadata: DoneMetadata };

export interface DoneMetadata extends TurnMetadata {
  readonly turnId: string;
  readonly sessionId?: string;
}

export interface NumberedSignal {
  /** Names everything up to and with this signal: who read so far goes on after it. */
  readonly id: string;
  readonly signal: TurnSignal;
}

/** All that is told of what happened in a turn so far. */
export function signalsOf(exchange: Exchange): readonly TurnSignal[] {
  const steps = ((exchange.end && exchange.hearing?.said) ?? exchange.steps).flatMap(
    ({ step, parts, calls, returns }): TurnSignal[] => [
      { type: 'step', stepNumber: step },
      ...parts.flatMap(({ type, text }) => (text ? [{ type, content: text }] : [])),
      ...calls.map(callSignal),
      ...returns.map(returnSignal),
    ],
  );
  return [...steps, ...endSignals(exchange)];
}

export function callSignal({ callId: id, name, input }: ToolUse): TurnSignal {
  return { type: 'tool_start', name, id, input: input ?? {} };
}

export function returnSignal({ callId: id, result, failed: error, durationMs }: ToolReturn): TurnSignal {
  return { type: 'tool_result', id, result: result ?? '', error, durationMs };
}

/** The last words: why there is no reply, where there is none, and what the turn took. */
export function endSignals(exchange: Exchange): readonly TurnSignal[] {
  const { end } = exchange;
  if (!end) return [];
  const done = { type: 'done', metadata: metadataOf(exchange, end) } as const;
  const error = errorOf(end);
  return error ? [{ type: 'error', ...error }, done] : [done];
}

export function metadataOf(
  { turnId, sessionId }: Pick<Exchange, 'turnId' | 'sessionId'>,
  { metadata }: ExchangeEnd,
): DoneMetadata {
  return { ...metadata, turnId, ...(sessionId === null ? {} : { sessionId }) };
}

/** Said of a model that was heard, where another that is not there would be the wrong thing to look for. */
const BROKE_OFF = 'The model stopped without a complete answer; try again';

const otherWords = {
  MAX_STEPS: 'The turn reached the limit of steps',
  INTERRUPTED: 'The turn was interrupted before its end; ask again',
  INTERNAL: 'The turn failed because of an internal error; the log of the service has the details',
} as const;

/** Why there is no reply, in words for the user. */
export function errorOf({
  as,
  code = 'INTERRUPTED',
  metadata,
}: ExchangeEnd): { code: string; message: string } | undefined {
  if (as === 'replied' || as === 'delegated') return undefined;
  const wasHeard = code === 'MODEL_UNAVAILABLE' && metadata.provider !== null;
  const message = wasHeard ? BROKE_OFF : isOther(code) ? otherWords[code] : errorMessages[code];
  // The specification has no code for it.
  return { code: code === 'REQUEST_REFUSED' ? 'INTERNAL' : code, message };
}

function isOther(
  code: Extract<ErrorCode, string> | keyof typeof otherWords,
): code is keyof typeof otherWords {
  return Object.hasOwn(otherWords, code);
}
