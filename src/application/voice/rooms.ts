import { HarkError } from '../../errors.ts';
import type { VoiceCaller, VoiceConnection, VoiceEvent, VoiceOptions, VoiceRooms } from './conversation.ts';
import type { OpenVoiceSessions } from './openSessions.ts';
import { Participation } from './participation.ts';
import { Session } from './session.ts';
import type { SessionParts } from './sessionParts.ts';

interface RoomsOptions extends SessionParts {
  readonly sessions: OpenVoiceSessions;
  /** Somebody is there and may speak at any moment: what hears and speaks begins to load. */
  readonly prepare: (options: VoiceOptions) => void;
  /** Whether a session of chat with this id goes on: it may be gone on with by voice. */
  readonly isOpen: (userId: string, sessionId: string) => boolean;
  /** Ends the session of chat, where it began. */
  readonly endSession: (
    whose: Pick<VoiceCaller, 'userId' | 'correlationId'>,
    sessionId: string,
  ) => Promise<void>;
  readonly idleMs: () => number;
}

/** A connection that is lost may come back for so long. */
const ABSENCE_MS = 60_000;
const LOOK_MS = 30_000;
/** Of one user, and of all: each holds a microphone's last seconds. */
const MOST_OF_USER = 256;
const TRY_AGAIN_SECONDS = 60;
const MOST_OF_ALL = 1_024;

/** Who ends the session of chat; that of a process that stops goes on elsewhere. */
type Closing = 'here' | 'by others' | 'elsewhere';

interface Room {
  readonly session: Session;
  /** People write in it, too: that nobody speaks any more does not end it. */
  isWritten: boolean;
  readonly correlationId: string;
  cancelAbsence: (() => void) | undefined;
  cancelLook: (() => void) | undefined;
}

/** The sessions of voice that are open in this process: they are entered, left, taken up again, and end. */
export class Rooms implements VoiceRooms {
  readonly #options: RoomsOptions;
  /** By user and session. */
  readonly #rooms = new Map<string, Room>();
  readonly #ending = new Set<Promise<void>>();
  #isStopping = false;

  constructor(options: RoomsOptions) {
    this.#options = options;
  }

  connect(
    caller: VoiceCaller,
    {
      connectionId,
      sessionId,
      initial,
      listener,
    }: {
      readonly connectionId: string;
      readonly sessionId?: string | undefined;
      readonly initial: VoiceOptions;
      readonly listener: (event: VoiceEvent) => void;
    },
  ): VoiceConnection | undefined {
    if (this.#isStopping) throw new HarkError('NOT_READY');
    const room = this.#roomFor(caller, sessionId, initial, connectionId);
    if (!room) return undefined;
    room.cancelAbsence?.();
    room.cancelAbsence = undefined;
    const { session } = room;
    const { correlationId, deviceId } = caller;
    // Who takes it up again alone is spoken to as they want to hear it.
    if (session.connections.length === 0) session.configure({ speechRate: initial.speechRate });
    session.join({ connectionId, correlationId, deviceId, listener });
    this.#options.sessions.touch(session, connectionId);
    this.#options.prepare(session.options);
    const leave = (ends: boolean) => this.#leave(room, connectionId, ends);
    return { conversation: new Participation(session, caller, connectionId, this.#options), leave };
  }

  speak(
    userId: string,
    {
      text,
      voice,
      sessionId,
    }: {
      readonly text: string;
      readonly voice?: string | undefined;
      readonly sessionId?: string | undefined;
    },
  ): string {
    const session = this.#find(userId, sessionId);
    session.put({ type: 'say', text, voice });
    return session.sessionId;
  }

  async listen(
    userId: string,
    {
      durationMs,
      sessionId,
      signal,
    }: { readonly durationMs: number; readonly sessionId?: string | undefined; readonly signal: AbortSignal },
  ): Promise<string> {
    return this.#find(userId, sessionId).listen(durationMs, signal);
  }

  /** Before a session of chat ends: what of a reply was heard is written down first. False where it is none of ours. */
  async leaveOff(userId: string, sessionId: string): Promise<boolean> {
    const room = this.#rooms.get(keyOf(userId, sessionId));
    if (!room) return false;
    await this.#close(room, 'by others');
    return true;
  }

  /** Something was said in the session in another way than by voice. */
  noteWriting(userId: string, sessionId: string): void {
    const room = this.#rooms.get(keyOf(userId, sessionId));
    if (!room) return;
    room.isWritten = true;
    this.#options.sessions.touch(room.session);
  }

  /** All of a user, since what was said in them is forgotten. */
  leaveAllOf(userId: string): void {
    for (const room of Array.from(this.#rooms.values()))
      if (room.session.userId === userId) {
        room.session.forget();
        void this.#close(room, 'here');
      }
  }

  /** Sessions of chat go on after a restart; those of voice are told that it is over here. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(Array.from(this.#rooms.values(), (room) => this.#close(room, 'elsewhere')));
    await Promise.all(this.#ending);
  }

  #roomFor(
    { userId, correlationId, deviceId }: VoiceCaller,
    sessionId: string | undefined,
    initial: VoiceOptions,
    connectionId: string,
  ): Room | undefined {
    const open = sessionId !== undefined && this.#rooms.get(keyOf(userId, sessionId));
    if (open) return open;
    if (sessionId !== undefined && !this.#options.isOpen(userId, sessionId)) return undefined;
    const { sessions, newId } = this.#options;
    if (this.#rooms.size >= MOST_OF_ALL || sessions.of(userId).length >= MOST_OF_USER)
      throw new HarkError('TOO_MANY_REQUESTS', {
        message: 'Too many voice sessions are open',
        ...{ limit: MOST_OF_USER, body: { retryAfter: TRY_AGAIN_SECONDS } },
      });
    const session: Session = new Session(
      {
        ...{ userId, correlationId, deviceId, initial },
        sessionId: sessionId ?? newId(),
        onActive: () => sessions.touch(session),
      },
      this.#options,
    );
    const isWritten = sessionId !== undefined;
    const room: Room = { session, isWritten, correlationId, cancelAbsence: undefined, cancelLook: undefined };
    this.#rooms.set(keyOf(userId, session.sessionId), room);
    sessions.add(session, connectionId);
    this.#lookLater(room);
    return room;
  }

  /** The one that is named, or of those with a connection the one that was active last. */
  #find(userId: string, sessionId: string | undefined): Session {
    const active = this.#options.sessions.of(userId).filter(({ isActive }) => isActive);
    const last = active.reduce<(typeof active)[number] | undefined>(
      (latest, one) => (latest && latest.lastActivity > one.lastActivity ? latest : one),
      undefined,
    );
    const id = sessionId ?? last?.id;
    const room = id === undefined ? undefined : this.#rooms.get(keyOf(userId, id));
    if (!room) throw new HarkError('VOICE_SESSION_NONE');
    return room.session;
  }

  #leave(room: Room, connectionId: string, ends: boolean): void {
    const { session } = room;
    if (!session.connections.includes(connectionId)) return;
    session.leave(connectionId);
    this.#options.sessions.touch(session);
    if (session.connections.length > 0 || session.isOver) return;
    if (ends) void this.#close(room, 'here');
    else
      room.cancelAbsence = this.#options.pace.after(
        ABSENCE_MS,
        () => void this.#close(room, room.isWritten ? 'by others' : 'here'),
      );
  }

  /** Ends it where nothing was said in it for long: a session in which nobody ever spoke is known here alone. */
  #lookLater(room: Room): void {
    const { pace, idleMs, sessions } = this.#options;
    room.cancelLook = pace.after(LOOK_MS, () => {
      const { session } = room;
      const shown = sessions.of(session.userId).find(({ id }) => id === session.sessionId);
      const quietMs = shown ? sessions.now() - shown.lastActivity : 0;
      if (session.isIdle && quietMs >= idleMs()) void this.#close(room, 'here');
      else this.#lookLater(room);
    });
  }

  #close(room: Room, ends: Closing): Promise<void> {
    const closing = this.#closeNow(room, ends).finally(() => this.#ending.delete(closing));
    this.#ending.add(closing);
    return closing;
  }

  async #closeNow(room: Room, ends: Closing): Promise<void> {
    const { session, correlationId } = room;
    const { userId, sessionId } = session;
    const key = keyOf(userId, sessionId);
    if (this.#rooms.get(key) !== room) return session.end(ends !== 'elsewhere');
    this.#rooms.delete(key);
    room.cancelAbsence?.();
    room.cancelLook?.();
    const { sessions, endSession, onFailure } = this.#options;
    sessions.remove(session);
    await session.end(ends !== 'elsewhere');
    if (ends !== 'here') return;
    await endSession({ userId, correlationId }, sessionId).catch((error: unknown) =>
      onFailure('end of a voice session', error),
    );
  }
}

function keyOf(userId: string, sessionId: string): string {
  return JSON.stringify([userId, sessionId]);
}
