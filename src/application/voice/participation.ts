import type {
  ConversationItem,
  ResponseOptions,
  VoiceCaller,
  VoiceConversation,
  VoiceOptions,
} from './conversation.ts';
import type { OpenVoiceSessions } from './openSessions.ts';
import type { Session } from './session.ts';

interface ParticipationParts {
  readonly sessions: Pick<OpenVoiceSessions, 'touch'>;
  /** What hears and speaks so begins to load. */
  readonly prepare: (options: VoiceOptions) => void;
}

/** A conversation to one of those who are in it. */
export class Participation implements VoiceConversation {
  readonly #session: Session;
  readonly #deviceId: string | undefined;
  readonly #connectionId: string;
  readonly #sessions: ParticipationParts['sessions'];
  readonly #prepare: ParticipationParts['prepare'];

  constructor(
    session: Session,
    { deviceId }: VoiceCaller,
    connectionId: string,
    { sessions, prepare }: ParticipationParts,
  ) {
    this.#session = session;
    this.#deviceId = deviceId;
    this.#connectionId = connectionId;
    this.#sessions = sessions;
    this.#prepare = prepare;
  }

  get sessionId(): string {
    return this.#session.sessionId;
  }

  get options(): VoiceOptions {
    return this.#session.options;
  }

  configure(change: Partial<VoiceOptions>): void {
    this.#session.configure(change, this.#deviceId);
    // Another voice or language may be of another engine.
    if ('voice' in change || 'language' in change || 'detection' in change) this.#prepare(this.options);
  }

  hear(samples: Int16Array): void {
    this.#session.hear(this.#connectionId, samples);
  }

  miss(samples: number): void {
    this.#session.miss(this.#connectionId, samples);
  }

  commit(answer?: boolean): void {
    this.#act().commit(this.#connectionId, answer);
  }

  clear(): void {
    const session = this.#act();
    session.hearing(this.#connectionId)?.clear();
    session.put({ type: 'cleared' });
  }

  add(item: ConversationItem, after: string | null | undefined): void {
    this.#act().put({ type: 'added', item, after, deviceId: this.#deviceId });
  }

  remove(itemId: string): void {
    this.#act().put({ type: 'removed', itemId });
  }

  find(itemId: string): ConversationItem | undefined {
    return this.#session.find(itemId);
  }

  truncate(itemId: string, audioEndMs: number): void {
    this.#act().truncate(itemId, audioEndMs);
  }

  respond(options: ResponseOptions): void {
    this.#act().put({ type: 'respond', options, deviceId: this.#deviceId });
  }

  cancel(responseId: string | undefined): void {
    this.#act().put({ type: 'cancelled', responseId });
  }

  played(responseId: string, ms: number): void {
    this.#session.played(responseId, ms);
  }

  stopSpeaking(): void {
    this.#act().put({ type: 'silenced' });
  }

  #act(): Session {
    this.#session.acts(this.#connectionId);
    this.#sessions.touch(this.#session, this.#connectionId);
    return this.#session;
  }
}
