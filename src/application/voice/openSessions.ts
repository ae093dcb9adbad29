import type { Clock } from '../../clock.ts';

interface Shown {
  readonly sessionId: string;
  readonly userId: string;
  readonly connections: readonly string[];
  readonly isSpeaking: boolean;
}

interface Entry {
  readonly session: Shown;
  lastConnectionId: string;
  lastActivity: number;
}

/** A session of voice, as those see it who watch. */
interface OpenVoiceSession {
  readonly id: string;
  readonly connectionId: string;
  /** A connection is there. */
  readonly isActive: boolean;
  readonly isSpeaking: boolean;
  /** Unix milliseconds. */
  readonly lastActivity: number;
}

/** The sessions of voice that are open in this process. Small: it is there from the start, before anybody speaks. */
export class OpenVoiceSessions {
  readonly #clock: Clock;
  readonly #byUser = new Map<string, Map<string, Entry>>();
  #lastEndedAt: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock();
  }

  add(session: Shown, connectionId: string): void {
    const own = this.#byUser.get(session.userId) ?? new Map<string, Entry>();
    this.#byUser.set(session.userId, own);
    own.set(session.sessionId, { session, lastConnectionId: connectionId, lastActivity: this.#clock() });
  }

  /** Something was said or done in it. */
  touch({ userId, sessionId }: Pick<Shown, 'userId' | 'sessionId'>, connectionId?: string): void {
    const entry = this.#byUser.get(userId)?.get(sessionId);
    if (!entry) return;
    entry.lastActivity = this.#clock();
    if (connectionId !== undefined) entry.lastConnectionId = connectionId;
  }

  remove({ userId, sessionId }: Pick<Shown, 'userId' | 'sessionId'>): void {
    const own = this.#byUser.get(userId);
    if (!own?.delete(sessionId)) return;
    if (own.size === 0) this.#byUser.delete(userId);
    this.#lastEndedAt = this.#clock();
  }

  of(userId: string): readonly OpenVoiceSession[] {
    return Array.from(this.#byUser.get(userId)?.values() ?? [], shown);
  }

  activeCount(): number {
    return this.#count(({ session }) => session.connections.length > 0);
  }

  openCount(): number {
    return this.#count(() => true);
  }

  #count(counts: (entry: Entry) => boolean): number {
    let count = 0;
    for (const own of this.#byUser.values()) for (const entry of own.values()) if (counts(entry)) count++;
    return count;
  }

  lastEndedAt(): number | undefined {
    return this.#lastEndedAt;
  }
}

function shown({ session, lastConnectionId, lastActivity }: Entry): OpenVoiceSession {
  const { sessionId: id, connections, isSpeaking } = session;
  const connectionId = connections.at(-1) ?? lastConnectionId;
  return { id, connectionId, isActive: connections.length > 0, isSpeaking, lastActivity };
}
