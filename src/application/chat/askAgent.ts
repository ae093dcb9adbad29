import { HarkError } from '../../errors.ts';
import { contentOfStep, type Exchange } from '../../projections/chat/exchange.ts';
import type { Question } from '../question.ts';
import { refuseFailed } from './actOnPrompt.ts';
import type { TurnHandle, Turns } from './turns.ts';

/** A turn that is interrupted again and again may be what ends its process. */
const MOST_TURNS = 20;

/** Asks the agent as in a turn of chat by itself, with memory and tools, and resolves with its reply. */
export async function askAgent(turns: Pick<Turns, 'begin' | 'cancel'>, question: Question): Promise<string> {
  const { userId, correlationId, id, source, text, system, slot, schema, signal } = question;
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text }] }];
  const given = { ...(system ? { system } : {}), messages, manner: schema ? { schema } : {} };
  for (let times = 0; times < MOST_TURNS; times++) {
    signal.throwIfAborted();
    const asked = {
      ...{ userId, correlationId, text, turnId: times === 0 ? id : `${id}-${times}` },
      ...{ sessionId: null, platform: 'workflow', origin: 'workflow' as const, source, images: [] },
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
