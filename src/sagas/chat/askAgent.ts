import { HarkError } from '../../errors.ts';
import { contentOfStep, type Exchange } from '../../projections/chat/exchange.ts';
import type { SlotName } from '../../vocabulary.ts';
import { refuseFailed } from './actOnPrompt.ts';
import type { TurnHandle, Turns } from './turns.ts';

export interface Question {
  readonly userId: string;
  readonly correlationId: string;
  /** The same when it is asked again after it was cut off: what was answered by then is not asked for twice. */
  readonly id: string;
  readonly text: string;
  /** In place of who hark says it is. */
  readonly system?: string;
  readonly slot?: SlotName;
  readonly schema?: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };
  /** Nobody waits any longer; the turn goes on, and whoever asks again gets its reply. */
  readonly signal: AbortSignal;
  /** Nobody wants the reply any more: the turn ends. */
  readonly timeUp: AbortSignal;
}

/** A turn that is interrupted again and again may be what ends its process. */
const MOST_TURNS = 20;

/** Asks the agent as in a turn of chat by itself, with memory and tools, and resolves with its reply. */
export async function askAgent(turns: Pick<Turns, 'begin' | 'cancel'>, question: Question): Promise<string> {
  const { userId, correlationId, id, text, system, slot, schema, signal } = question;
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text }] }];
  const given = { ...(system ? { system } : {}), messages, manner: schema ? { schema } : {} };
  for (let times = 0; times < MOST_TURNS; times++) {
    signal.throwIfAborted();
    const asked = {
      ...{ userId, correlationId, text, turnId: times === 0 ? id : `${id}-${times}` },
      ...{ sessionId: null, platform: 'workflow', images: [] },
      ...(slot ? { slot } : {}),
      ...(system || schema ? { given } : {}),
    };
    const exchange = await endOf(turns, await turns.begin(asked, signal), question);
    if (exchange.end?.as === 'interrupted') continue;
    if (exchange.end?.as === 'cancelled')
      throw new HarkError('TASK_FAILED', { message: 'The turn was cancelled' });
    refuseFailed(exchange.end);
    const last = exchange.steps.at(-1);
    return last ? contentOfStep(last) : '';
  }
  throw new HarkError('TASK_FAILED', { message: 'The turn was interrupted again and again' });
}

async function endOf(
  turns: Pick<Turns, 'cancel'>,
  { turnId, ended }: TurnHandle,
  { userId, correlationId, timeUp }: Question,
): Promise<Exchange> {
  const cancel = () => void turns.cancel({ userId, correlationId }, turnId).catch(() => undefined);
  timeUp.addEventListener('abort', cancel, { once: true });
  try {
    return await ended;
  } finally {
    timeUp.removeEventListener('abort', cancel);
  }
}
