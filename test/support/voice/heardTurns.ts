import { DEFAULT_DETECTION, type TurnDetection } from '../../../src/application/voice/conversation.ts';
import { next } from '../../../src/application/voice/turnTaking.ts';
import {
  beginTurnTaking,
  type TurnTakingInput,
  type TurnTakingOptions,
  type TurnTakingOutput,
  type TurnTakingState,
} from '../../../src/application/voice/turnTakingState.ts';

const WINDOW_MS = 32;
/** A window: sure speech, doubtful speech, a weak sound, silence; and how loud it is: speech that is near, far away, and silence. */
const letters: Readonly<Record<string, { readonly probability: number; readonly level?: number }>> = {
  s: { probability: 0.95 },
  m: { probability: 0.55 },
  w: { probability: 0.2 },
  '-': { probability: 0.02 },
  N: { probability: 0.95, level: 60 },
  F: { probability: 0.95, level: 40 },
  _: { probability: 0.02, level: 10 },
};

export const serverVad = DEFAULT_DETECTION;
export const semanticVad: TurnDetection = { ...serverVad, type: 'semantic_vad' };

/** Plays what is heard and done, and keeps what the machine says, in short words. */
export class HeardTurns {
  state: TurnTakingState;
  readonly out: TurnTakingOutput[] = [];
  #atMs = 0;
  #told = 0;

  constructor(options: Partial<TurnTakingOptions> = {}) {
    this.state = beginTurnTaking({
      detection: serverVad,
      interruptionMs: 250,
      halfDuplex: false,
      ...options,
    });
  }

  get atMs(): number {
    return this.#atMs;
  }

  /** Windows as letters; `s*8` is eight of them. */
  hear(windows: string): string {
    for (const [, letter = '-', count = '1'] of windows.matchAll(/(\S)(?:\*(\d+))?/g))
      for (let left = Number(count); left > 0; left--) {
        this.#atMs += WINDOW_MS;
        this.put({ type: 'window', probability: 0, ...letters[letter], atMs: this.#atMs });
      }
    return this.said();
  }

  put(input: TurnTakingInput): string {
    const step = next(this.state, input);
    this.state = step.state;
    this.out.push(...step.out);
    return input.type === 'window' ? '' : this.said();
  }

  commit(): string {
    return this.put({ type: 'commit', atMs: this.#atMs });
  }

  clear(): string {
    return this.put({ type: 'clear', atMs: this.#atMs });
  }

  /** What came since it was last asked. */
  said(): string {
    const since = this.out.slice(this.#told);
    this.#told = this.out.length;
    return since
      .map((output) => (output.type === 'utterance' && output.continues ? 'utterance+' : output.type))
      .join(' ');
  }
}
