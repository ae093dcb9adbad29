import type { VoiceEvent, VoiceOptions, VoiceState } from './conversation.ts';
import { type HeardTurn, Hearing, type Utterance } from './hearing.ts';
import type { SpeechPace } from './pacedSpeech.ts';
import type { SpeechDetector, SpeechIntoWords } from './speech.ts';

/** Who is there: a connection, with a microphone of its own. */
export interface Participant {
  readonly connectionId: string;
  readonly correlationId: string;
  readonly deviceId: string | undefined;
  readonly listener: (event: VoiceEvent) => void;
}

interface Present extends Participant {
  hearing: Hearing | undefined;
}

interface ParticipantsOptions {
  readonly ears: SpeechIntoWords;
  readonly detector: SpeechDetector;
  readonly interruptionMs: () => number;
  readonly halfDuplex: () => boolean;
  readonly pace: SpeechPace;
  /** As the session is now; undefined where it is over. */
  readonly now: () => { readonly options: VoiceOptions; readonly state: VoiceState } | undefined;
  /** The reply may be loud again, though nobody speaks. */
  readonly onRaise: () => void;
  /** Of whoever is heard. */
  readonly onTurn: (who: Participant, output: HeardTurn, said: Utterance | undefined, agoMs: Ago) => void;
  readonly onWords: (text: string) => void;
  readonly onPause: (text: string) => void;
}

/** How long ago a place of what was heard was heard. */
type Ago = (atMs: number) => number;

/** Those who are in a session. Of several microphones in a room the first that notices speech is heard until that is over. */
export class Participants {
  readonly #options: ParticipantsOptions;
  readonly #present = new Map<string, Present>();
  /** The connection whose user is speaking. */
  #speaker: string | undefined;
  /** Other connections, whose microphones hear the same. */
  readonly #overhearing = new Set<string>();

  constructor(options: ParticipantsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#present.size;
  }

  get connections(): readonly string[] {
    return [...this.#present.keys()];
  }

  get speaker(): string | undefined {
    return this.#speaker;
  }

  find(connectionId: string): Participant | undefined {
    return this.#present.get(connectionId);
  }

  join(who: Participant): void {
    this.#present.set(who.connectionId, { ...who, hearing: undefined });
  }

  /** Whether it was the one that is heard. */
  leave(connectionId: string): boolean {
    this.#present.get(connectionId)?.hearing?.close();
    this.#present.delete(connectionId);
    this.#overhearing.delete(connectionId);
    const wasHeard = this.#speaker === connectionId;
    if (wasHeard) this.#speaker = undefined;
    return wasHeard;
  }

  tell(event: VoiceEvent): void {
    for (const { listener } of this.#present.values()) listener(event);
  }

  /** What the microphone of a connection hears, from when that is first asked for. */
  hearing(connectionId: string): Hearing | undefined {
    const who = this.#present.get(connectionId);
    const now = this.#options.now();
    if (who && now) who.hearing ??= this.#openHearing(who, now);
    return who?.hearing;
  }

  configure(options: VoiceOptions): void {
    for (const { hearing } of this.#present.values()) hearing?.configure(options);
  }

  doing(doing: VoiceState, asked: boolean): void {
    for (const { hearing } of this.#present.values()) hearing?.doing(doing, asked);
  }

  /** What hark says, which they may hear. */
  saying(text: string): void {
    for (const { hearing } of this.#present.values()) hearing?.saying(text);
  }

  close(): void {
    for (const { hearing } of this.#present.values()) hearing?.close();
  }

  #openHearing(who: Present, { options, state }: { options: VoiceOptions; state: VoiceState }): Hearing {
    const { ears, detector, interruptionMs, halfDuplex, pace, onWords, onPause } = this.#options;
    const isSpeaker = () => this.#speaker === who.connectionId;
    const hearing = new Hearing({
      ...{ ears, detector, interruptionMs, halfDuplex, pace, options },
      onTurn: (output, said) => this.#take(who, hearing, output, said),
      onWords: (text) => isSpeaker() && onWords(text),
      onPause: (text) => isSpeaker() && onPause(text),
    });
    if (state !== 'idle') hearing.doing(state, false);
    return hearing;
  }

  #take(who: Present, hearing: Hearing, output: HeardTurn, said: Utterance | undefined): void {
    // The reply may be loud again after the floor is free: that is no speech.
    if (output.type === 'raise' && this.#speaker === undefined) return void this.#options.onRaise();
    if (!this.#isHeardFor(who.connectionId, output)) {
      said?.recognized.catch(() => undefined);
      return;
    }
    const isOver = output.type === 'drop' || output.type === 'utterance';
    this.#speaker = isOver ? undefined : who.connectionId;
    this.#options.onTurn(who, output, said, (atMs) => hearing.since(atMs));
  }

  /** Who began to hear what another one is heard for is not heard for the same once more, when that is over. */
  #isHeardFor(connectionId: string, { type }: HeardTurn): boolean {
    const isTaken = this.#speaker !== undefined && this.#speaker !== connectionId;
    if (!isTaken && !this.#overhearing.has(connectionId)) return true;
    if (type === 'started' || type === 'lower') this.#overhearing.add(connectionId);
    if (type === 'utterance' || type === 'drop') this.#overhearing.delete(connectionId);
    return false;
  }
}
