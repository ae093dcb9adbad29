import { z } from 'zod';
import { HarkError } from '../../errors.ts';
import type { ExchangeEnd } from '../../projections/chat/exchange.ts';
import { defineActor, type TopicActor } from '../topicActors.ts';
import type { Turns } from './turns.ts';

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
    async act(prompt, { userId, id: turnId, correlationId, signal, origin, source, sessionId: wanted }) {
      const said = {
        text: prompt.text,
        sessionId: prompt.sessionId ?? wanted,
        platform: 'schedule',
        origin,
        source,
        images: [],
      };
      const { ended } = await turns.begin({ ...said, userId, correlationId, turnId }, signal);
      refuseFailed((await ended).end);
    },
  });
}

/** Whoever cancels a turn does not want it again. */
export function refuseFailed(end: ExchangeEnd | null): void {
  if (end?.as === 'replied' || end?.as === 'cancelled') return;
  const { code } = end ?? {};
  const isTold = code === 'MODEL_UNAVAILABLE' || code === 'MODEL_TIMEOUT' || code === 'BILLING_EXHAUSTED';
  throw new HarkError(isTold ? code : 'TASK_FAILED');
}
