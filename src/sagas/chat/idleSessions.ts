import { endSession } from '../../commands/chat/turns.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import type { OpenSession } from '../../projections/chat/openSessions.ts';
import { looks } from '../dueTimes.ts';
import type { TimedSaga } from '../saga.ts';

/** After a try that failed. */
const AGAIN_MS = 10_000;
/** The limit may be lowered meanwhile. */
const AT_LEAST_EVERY_MS = 60_000;

interface EndIdleSessionsOptions {
  /** Those that go on. */
  readonly sessions: () => readonly OpenSession[];
  readonly runner: () => Pick<CommandRunner, 'run'>;
  readonly idleMs: () => number;
}

interface IdleSession extends OpenSession {
  readonly sessionId: string;
}

/** Ends sessions in which nothing was said for long. */
export function endIdleSessions({
  sessions,
  runner,
  idleMs,
}: EndIdleSessionsOptions): TimedSaga<IdleSession> {
  return {
    name: 'end-idle-sessions',
    on: looks((now) => idleAmong(sessions(), idleMs(), now)),
    // The next look finds it again, and one by itself does not hold up the others until then.
    retry: { tries: 1 },
    // Where nothing can be written, the others can wait too.
    key: () => 'sessions',
    react: ({ userId, sessionId, conversationId, turns }) => {
      const idle = { conversationId, turns };
      return runner().run(endSession, { sessionId, idle }, { userId, correlationId: conversationId });
    },
  };
}

/** Which of them are over, and when to look again: no session that begins from now on is due before. */
export function idleAmong(sessions: readonly OpenSession[], idleMs: number, now: number) {
  const due = sessions.filter((session): session is IdleSession => {
    const { sessionId, open, lastActivityAt } = session;
    return sessionId !== null && open.length === 0 && lastActivityAt + idleMs <= now;
  });
  const earliest = sessions.reduce((first, { lastActivityAt }) => Math.min(first, lastActivityAt), now);
  const soonest = now + Math.min(idleMs, AGAIN_MS);
  return { due, again: Math.min(Math.max(earliest + idleMs, soonest), now + AT_LEAST_EVERY_MS) };
}
