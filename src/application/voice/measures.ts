import type { VoiceStatistics } from '../../voiceStatistics.ts';
import type { HeardTurn } from './hearing.ts';
import type { SpeechPace } from './pacedSpeech.ts';

interface MeasuresOptions {
  readonly statistics: Pick<VoiceStatistics, 'took' | 'turnTaken'>;
  readonly pace: SpeechPace;
}

/** How long the stages of a session take, from what the user said to what is heard of the answer. */
export class VoiceMeasures {
  readonly #options: MeasuresOptions;
  /** When the last speech of an utterance was heard that is not answered yet. */
  #spokeUntil: number | undefined;
  #takenAt: number | undefined;
  #understoodAt: number | undefined;
  #textAt: number | undefined;
  #loweredAt: number | undefined;
  #interruptedAt: number | undefined;

  constructor(options: MeasuresOptions) {
    this.#options = options;
  }

  /** `since`: how long ago that place was heard. */
  hear(output: HeardTurn, since: (atMs: number) => number): void {
    const now = this.#options.pace.now();
    switch (output.type) {
      case 'lower':
        this.#loweredAt = now;
        break;
      case 'raise':
        this.#loweredAt = undefined;
        break;
      case 'interrupt':
        this.#interruptedAt = now;
        break;
      case 'started':
        this.#interruption(now - since(output.atMs));
        break;
      case 'stopped':
        this.#spokeUntil = now - since(output.atMs);
        break;
      case 'drop':
        this.#spokeUntil = undefined;
        break;
      case 'utterance':
        this.#spokeUntil ??= now;
        this.#takenAt = now;
        this.#understoodAt = undefined;
    }
  }

  /** Of an utterance that was taken. What has no words asks for nothing, and is no measure of an answer. */
  recognized(text: string): void {
    const { statistics } = this.#options;
    const [spokeUntil, takenAt] = [this.#spokeUntil, this.#takenAt];
    this.#takenAt = undefined;
    if (text.trim() === '') {
      this.#spokeUntil = undefined;
      return;
    }
    statistics.turnTaken();
    if (spokeUntil !== undefined && takenAt !== undefined) statistics.took('endOfTurn', takenAt - spokeUntil);
    this.#understoodAt = this.#took('recognition', takenAt);
  }

  text(): void {
    if (this.#understoodAt === undefined) return;
    this.#textAt = this.#took('firstText', this.#understoodAt);
    this.#understoodAt = undefined;
  }

  sentence(): void {
    this.#took('firstSentence', this.#textAt);
    this.#textAt = undefined;
  }

  audible(): void {
    this.#took('endOfSpeechToFirstAudio', this.#spokeUntil);
    this.#spokeUntil = undefined;
  }

  #interruption(onset: number): void {
    const { statistics } = this.#options;
    const endedAt = this.#interruptedAt;
    if (endedAt !== undefined) {
      // Where it ends at once, nothing was lowered before.
      statistics.took('bargeIn', Math.max(0, (this.#loweredAt ?? endedAt) - onset));
      statistics.took('bargeInEnd', Math.max(0, endedAt - onset));
    }
    this.#interruptedAt = undefined;
    this.#loweredAt = undefined;
  }

  #took(stage: Parameters<VoiceStatistics['took']>[0], from: number | undefined): number {
    const now = this.#options.pace.now();
    if (from !== undefined) this.#options.statistics.took(stage, now - from);
    return now;
  }
}
