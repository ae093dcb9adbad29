import { z } from 'zod';
import { HarkError } from '../../errors.ts';
import { replyIn } from '../../projections/chat/conversation.ts';
import { contentOfStep, type Exchange, type ExchangeEnd } from '../../projections/chat/exchange.ts';
import type { Question } from '../question.ts';
import { defineActor, type TopicActor } from '../topicActors.ts';
import type { TurnHandle, Turns } from './turns.ts';

export const PROMPT = 'agent.prompt.requested';

/** What may be said, and where, as for everybody who says something. */
interface PromptShape {
  readonly text: z.ZodType<string>;
  readonly sessionId: z.ZodType<string>;
}

/** Says something to the agent at a time that was set before, in a session or by itself. */
export function actOnPrompt(turns: Pick<Turns, 'begin'>, { text, sessionId }: PromptShape): TopicActor {
  return defineActor({
    topic: PROMPT,
    speaks: true,
    payload: z.object({ text, sessionId: sessionId.optional() }),
    async act(prompt, occasion) {
      const { userId, deviceId, id: turnId, correlationId, signal, origin, source } = occasion;
      const said = {
        text: prompt.text,
        sessionId: prompt.sessionId ?? occasion.sessionId,
        platform: 'schedule',
        origin,
        source,
        images: [],
      };
      const { ended } = await turns.begin({ ...said, userId, deviceId, correlationId, turnId }, signal);
      const exchange = await ended;
      refuseFailed(exchange.end);
      if (exchange.end?.as !== 'replied') return undefined;
      return { text: replyIn(exchange), sessionId: said.sessionId };
    },
  });
}

/** Whoever cancels a turn does not want it again. */
function refuseFailed(end: ExchangeEnd | null): void {
  if (end?.as === 'replied' || end?.as === 'cancelled') return;
  const { code } = end ?? {};
  const isTold = code === 'MODEL_UNAVAILABLE' || code === 'MODEL_TIMEOUT' || code === 'BILLING_EXHAUSTED';
  throw new HarkError(isTold ? code : 'TASK_FAILED');
}

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
  throw new HarkError('TASK_FAILED', { message: 'The turn was interrupted repeatedly' });
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
