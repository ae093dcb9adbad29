import type { OutputPlace, VoiceOptions } from './conversation.ts';
import { Mouth } from './mouth.ts';
import type { SpeechPace } from './pacedSpeech.ts';
import type { TimedWord, WordsIntoSpeech } from './speech.ts';

/** A reply that is spoken: whose turn it is, and how much of that was heard in what was spoken before. */
export interface SpokenReply {
  readonly place: OutputPlace;
  readonly turnOf: string;
  readonly base: number;
}

interface RepliesOptions {
  readonly speech: WordsIntoSpeech;
  readonly pace: SpeechPace;
  readonly options: () => VoiceOptions;
  readonly onAudio: (
    reply: SpokenReply,
    samples: Int16Array,
    how: { readonly isFirst: boolean; readonly isLowered: boolean },
  ) => void;
  readonly onWords: (reply: SpokenReply, delta: string, words: readonly TimedWord[]) => void;
  /** Characters of all that its turn said. */
  readonly onHeard: (reply: SpokenReply, characters: number) => void;
  readonly onDone: (reply: SpokenReply) => void;
  readonly onFailure: (error: unknown) => void;
  readonly onSentence: () => void;
  readonly onSynthesis: (reply: SpokenReply, ms: number) => void;
}

const MOST_SPOKEN = 16;

/** What a session says, one reply after the other; the last ones for a client that says later how much of them was played. */
export class SpokenReplies {
  readonly #options: RepliesOptions;
  /** By item. */
  readonly #spoken = new Map<string, SpokenReply & { readonly mouth: Mouth }>();
  #last: (SpokenReply & { readonly mouth: Mouth }) | undefined;

  constructor(options: RepliesOptions) {
    this.#options = options;
  }

  /** Of what is said now, or was last. */
  get mouth(): Mouth | undefined {
    return this.#last?.mouth;
  }

  open(reply: SpokenReply, voice: string | undefined): Mouth {
    const { speech, pace, options, onFailure, onSentence, ...told } = this.#options;
    const { speechRate: rate, speed, language } = options();
    const mouth = new Mouth({
      ...{ speech, pace, rate, voice, speed, language, onFailure, onSentence },
      onAudio: (samples, how) => told.onAudio(reply, samples, how),
      onWords: (delta, words) => told.onWords(reply, delta, words),
      onHeard: (characters) => told.onHeard(reply, reply.base + characters),
      onDone: () => told.onDone(reply),
      onSynthesis: (ms) => told.onSynthesis(reply, ms),
    });
    this.#last = { ...reply, mouth };
    this.#spoken.set(reply.place.itemId, this.#last);
    for (const oldest of this.#spoken.keys()) {
      if (this.#spoken.size <= MOST_SPOKEN) break;
      this.#spoken.delete(oldest);
    }
    return mouth;
  }

  find(itemId: string): SpokenReply | undefined {
    return this.#spoken.get(itemId);
  }

  /** So many characters of the response were heard by now. */
  heard(responseId: string | undefined): number {
    return this.#last && this.#last.place.responseId === responseId ? this.#last.mouth.heardCharacters : 0;
  }

  /** Of an item, so many characters lie before this place of its audio. */
  heardBefore(itemId: string, ms: number): number {
    return this.#spoken.get(itemId)?.mouth.heardBefore(ms) ?? 0;
  }
}
