import type { ChatBacking } from '../../application/chat/sessions.ts';
import type { Clock, Wake } from '../../clock.ts';
import { endSession } from '../../commands/chat/endSession.ts';
import { isHarkError } from '../../errors.ts';
import { type OpenSession, openSessions } from '../../projections/chat/openSessions.ts';

/** After a try that failed. */
const AGAIN_MS = 10_000;
/** A log that was away may come back with sessions that are due. */
const AT_LEAST_EVERY_MS = 60_000;

interface IdleSessionsOptions {
  readonly backing: () => ChatBacking;
  readonly idleMs: () => number;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly onFailure: (what: string, error: unknown) => void;
}

/**
 * Ends sessions in which nothing was said for long. Every process looks; that a session ends once, the log sees
 * to. One timer serves them all: no session that begins from now on is due before it rings, unless the limit is
 * lowered meanwhile; then at most a minute passes.
 */
export class IdleSessions {
  readonly #options: IdleSessionsOptions;
  #callOff: () => void = () => {};
  #looking: Promise<void> = Promise.resolve();

  constructor(options: IdleSessionsOptions) {
    this.#options = options;
  }

  start(): void {
    const { wake, clock } = this.#options;
    this.#callOff = wake(clock(), () => this.#ring());
  }

  async stop(): Promise<void> {
    this.#callOff();
    this.#callOff = () => {};
    await this.#looking;
  }

  #ring(): void {
    const { wake, clock, onFailure } = this.#options;
    const idleMs = this.#options.idleMs();
    let sessions: readonly OpenSession[] = [];
    try {
      sessions = Object.values(this.#options.backing().views.view(openSessions).byStream);
    } catch (error) {
      onFailure('chat.endSession', error);
    }
    this.#looking = this.#endThoseIdle(sessions, idleMs).catch((error) =>
      onFailure('chat.endSession', error),
    );
    const earliest = sessions.reduce((first, { lastActivityAt }) => Math.min(first, lastActivityAt), clock());
    const soonest = clock() + Math.min(idleMs, AGAIN_MS);
    const at = Math.min(Math.max(earliest + idleMs, soonest), clock() + AT_LEAST_EVERY_MS);
    this.#callOff = wake(at, () => this.#ring());
  }

  async #endThoseIdle(sessions: readonly OpenSession[], idleMs: number): Promise<void> {
    const { backing, clock, onFailure } = this.#options;
    const { runner } = backing();
    for (const { userId, sessionId, conversationId, turns, lastActivityAt, open } of sessions) {
      if (sessionId === null || open.length > 0 || lastActivityAt + idleMs > clock()) continue;
      const idle = { conversationId, turns };
      const context = { userId, correlationId: conversationId };
      await runner.run(endSession, { sessionId, idle }, context).catch((error) => {
        // Where nothing can be written, the others can wait too; one by itself does not hold them up.
        if (isHarkError(error, 'KVSTORE_UNAVAILABLE', 'STORAGE_FULL')) throw error;
        onFailure('chat.endSession', error);
      });
    }
  }
}
