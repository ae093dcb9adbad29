import { breakOffTurn } from '../../commands/chat/turns.ts';
import { endsOfInstance } from '../../events/system.ts';
import { openSessions } from '../../projections/chat/openSessions.ts';
import type { Views } from '../../projections/runtime.ts';
import { defineSaga, type Saga } from '../saga.ts';

/** What a process left unfinished when it ended is recorded as interrupted; its sessions go on from there. */
export function interruptTurns(views: () => Views): Saga {
  return defineSaga({
    name: 'interrupt-turns',
    on: endsOfInstance,
    // Nobody else would record it: a turn without an end holds up its session.
    retry: { tries: 12, firstPauseMs: 100 },
    key: () => 'turns',
    async react(event, { run }) {
      const { instanceId } = event.data;
      const sessions = Object.values(views().view(openSessions).byStream);
      const left = sessions.flatMap(({ userId, sessionId, open }) =>
        open
          .filter((turn) => turn.instanceId === instanceId)
          .map(({ turnId }) => ({ userId, sessionId, turnId })),
      );
      for (const { userId, sessionId, turnId } of left)
        await run(breakOffTurn, { turnId, sessionId, as: 'interrupted' }, { step: turnId, userId });
    },
  });
}
