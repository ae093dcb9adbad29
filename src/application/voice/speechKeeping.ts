import type { SaidAudio } from './keptAudio.ts';

interface SpeechKeepingOptions {
  /** Whether what the user and hark say is kept. */
  readonly isWanted: () => Promise<boolean>;
  readonly keep: (said: SaidAudio) => Promise<void>;
  readonly onFailure: (what: string, error: unknown) => void;
}

const MOST_SAID = 16;

/** What is said in a session, until the conversation is there that it is kept with. */
export class SpeechKeeping {
  readonly #options: SpeechKeepingOptions;
  /** Undefined until that is known. */
  #wanted: boolean | undefined;
  #said: SaidAudio[] = [];

  constructor(options: SpeechKeepingOptions) {
    this.#options = options;
  }

  /** Also while nobody has said yet whether it is. */
  get mayBeWanted(): boolean {
    return this.#wanted !== false;
  }

  /** Asks anew: users change their minds. */
  look(): void {
    const { isWanted, onFailure } = this.#options;
    isWanted().then(
      (wanted) => {
        this.#wanted = wanted;
        if (!wanted) this.#said = [];
      },
      (error: unknown) => onFailure('voice session', error),
    );
  }

  /** Its pieces may still be added to. */
  add(said: SaidAudio): void {
    if (!this.mayBeWanted) return;
    this.#said.push(said);
    if (this.#said.length > MOST_SAID) this.#said.shift();
  }

  /** Nothing of what was said so far is kept any more. */
  forget(): void {
    this.#said = [];
  }

  /** What was said so far; what is being said is whole when it is settled. */
  async write(isSpeaking: boolean): Promise<void> {
    const whole = this.#wanted ? this.#said.filter(({ role }) => role === 'user' || !isSpeaking) : [];
    this.#said = this.#said.filter((said) => !whole.includes(said));
    const { keep, onFailure } = this.#options;
    for (const said of whole) await keep(said).catch((error: unknown) => onFailure('kept speech', error));
    this.look();
  }
}
