import { z } from 'zod';
import { remind } from '../../commands/chat/remind.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { receivedAs } from '../../events/turns.ts';
import { REMINDER } from '../../vocabulary.ts';
import { defineActor, type TopicActor } from '../topicActors.ts';

interface ReminderContext {
  readonly runner: Pick<CommandRunner, 'run'>;
  readonly instanceId: string;
}

/** Says a text to the user at a time that was set before, as it stands: no model is asked. */
export function actOnReminder(context: () => ReminderContext, text: z.ZodType<string>): TopicActor {
  return defineActor({
    topic: REMINDER,
    speaks: true,
    payload: z.object({ text }),
    async act(said, { userId, id: turnId, correlationId, origin, source, sessionId }) {
      const told = { text: said.text, sessionId };
      if (sessionId === null) return told;
      const { runner, instanceId } = context();
      const message = {
        turnId,
        sessionId,
        platform: 'schedule',
        origin,
        source,
        text: said.text,
        instanceId,
      };
      await runner.run(remind, message, { userId, correlationId, commandId: receivedAs(userId, turnId) });
      return told;
    },
  });
}
