import { isHarkError } from '../../errors.ts';
import type { OutputPlace, VoiceEvent } from './conversation.ts';
import type { VoiceMeasures } from './measures.ts';
import type { Participants } from './participants.ts';
import type { SessionParts } from './sessionParts.ts';
import type { SessionInput, VoiceSessionState } from './sessionState.ts';
import type { SpeechKeeping } from './speechKeeping.ts';
import { SpokenReplies, type SpokenReply } from './spokenReplies.ts';

interface SessionMouthOptions {
  readonly parts: SessionParts;
  readonly participants: Participants;
  readonly measures: VoiceMeasures;
  readonly keeping: SpeechKeeping;
  /** The session as it is now. */
  readonly now: () => VoiceSessionState;
  readonly put: (input: SessionInput) => void;
  readonly tell: (event: VoiceEvent) => void;
  readonly onHeard: (reply: SpokenReply, characters: number) => void;
  readonly onSynthesised: (reply: SpokenReply, ms: number) => void;
}

/** Louder than this is audible. */
const AUDIBLE = 300;

/** What a session says to those who are in it, measured and kept as it is sent. */
export class SessionMouth {
  readonly replies: SpokenReplies;
  readonly #options: SessionMouthOptions;
  /** The voice where nobody names one. */
  #preferred: string | undefined;
  /** Of what hark says now. */
  #saying: { readonly pieces: Int16Array[]; isAudible: boolean } = { pieces: [], isAudible: false };

  constructor(options: SessionMouthOptions) {
    this.#options = options;
    const { parts, participants, measures, now, put, onHeard, onSynthesised } = options;
    this.replies = new SpokenReplies({
      ...{ speech: parts.mouth, pace: parts.pace },
      options: () => now().options,
      onAudio: (reply, samples, how) => this.#sound(reply, samples, how),
      onWords: ({ place: { responseId } }, delta, words) => {
        put({ type: 'spoken', responseId, delta, words });
        participants.saying(delta);
      },
      onHeard,
      onDone: ({ place: { responseId } }) => put({ type: 'played', responseId }),
      onFailure: (error) => {
        if (!isHarkError(error, 'TTS_UNAVAILABLE')) parts.onFailure('speech', error);
      },
      onSentence: () => measures.sentence(),
      onSynthesis: (reply, ms) => {
        parts.statistics.took('synthesis', ms);
        onSynthesised(reply, ms);
      },
    });
  }

  /** Asks anew which voice the user prefers: users change their minds. */
  look(userId: string): void {
    const { voiceOf, onFailure } = this.#options.parts;
    voiceOf(userId).then(
      (voice) => {
        this.#preferred = voice;
      },
      (error: unknown) => onFailure('voice session', error),
    );
  }

  open(place: OutputPlace, voice = this.#preferred): void {
    const { participants, keeping, now } = this.#options;
    const { response, options } = now();
    const { base = 0, turnOf = place.responseId } = response ?? {};
    this.#saying = { pieces: [], isAudible: false };
    const { pieces } = this.#saying;
    keeping.add({ role: 'assistant', rate: options.speechRate, pieces });
    const mouth = this.replies.open({ place, base, turnOf }, voice);
    if (participants.size === 0) mouth.hold();
  }

  #sound(
    { place }: SpokenReply,
    samples: Int16Array,
    how: { readonly isFirst: boolean; readonly isLowered: boolean },
  ): void {
    const { parts, participants, measures, keeping, put, tell } = this.#options;
    if (how.isFirst) put({ type: 'sounded', responseId: place.responseId });
    if (!this.#saying.isAudible && samples.some((sample) => Math.abs(sample) > AUDIBLE)) {
      this.#saying.isAudible = true;
      measures.audible();
    }
    parts.statistics.audioChunksOut += participants.size;
    if (keeping.mayBeWanted) this.#saying.pieces.push(samples);
    tell({ type: 'audio', place, samples, ...how });
  }
}
