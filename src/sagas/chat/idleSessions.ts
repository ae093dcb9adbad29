import type { Clock, Wake } from '../../clock.ts';
import { endSession } from '../../commands/chat/endSession.ts';
import { type OpenSession, openSessions } from '../../projections/chat/openSessions.ts';
import type { ChatBacking } from './sessions.ts';

/** After a try that failed. */
const AGAIN_MS = 10_000;

interface IdleSessionsOptions {
  readonly backing: () => ChatBacking;
  readonly idleMs: number;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly onFailure: (what: string, error: unknown) => void;
}

/**
 * Ends sessions in which nothing was said for long. Every process looks; that a session ends once, the log sees
 * to. One timer serves them all: no session that begins from now on is due before it rings.
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
    const { wake, clock, onFailure, idleMs } = this.#options;
    this.#looking = this.#endThoseIdle().catch((error) => onFailure('chat.endSession', error));
    const earliest = Math.min(clock(), ...this.#open().map(({ lastActivityAt }) => lastActivityAt));
    const at = Math.max(earliest + idleMs, clock() + Math.min(idleMs, AGAIN_MS));
    this.#callOff = wake(at, () => this.#ring());
  }

  #open(): readonly OpenSession[] {
    return Object.values(this.#options.backing().views.view(openSessions).byStream);
  }

  async #endThoseIdle(): Promise<void> {
    const { backing, clock, idleMs } = this.#options;
    const { runner } = backing();
    for (const { userId, sessionId, conversationId, turns, lastActivityAt, open } of this.#open()) {
      if (sessionId === null || open.length > 0 || lastActivityAt + idleMs > clock()) continue;
      const idle = { conversationId, turns };
      await runner.run(endSession, { sessionId, idle }, { userId, correlationId: conversationId });
    }
  }
}
