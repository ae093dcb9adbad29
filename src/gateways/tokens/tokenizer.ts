import { hash } from 'node:crypto';
import { RestingThread } from '../../restingThread.ts';

const THREAD = new URL('./countingThread.ts', import.meta.url);
const IDLE_MS = 60_000;
const MOST_REMEMBERED = 5_000;
const LONGEST_COUNTED = 1_000_000;
/** Counted at a stretch: whoever asks for more lets others in between. */
const CHARACTERS_AT_ONCE = 200_000;
/** Far more than that takes, also where the machine has much else to do. */
const LIMIT_MS = 10_000;
const STARTING_MS = 60_000;

interface TokenizerOptions {
  readonly onFailure: (what: string, error: unknown) => void;
  /** How long the thread stays when there is nothing to count. */
  readonly idleMs?: number;
  readonly thread?: URL;
}

/**
 * Counts tokens as OpenAI's newer models have them (o200k); those of other models are near. The thread that counts
 * is started when it is first needed and ends when it has been idle. A text that was counted lately is not counted
 * again: its count is remembered under a digest, so that no text stays in memory.
 */
export class Tokenizer {
  readonly #remembered = new Map<string, number>();
  readonly #thread: RestingThread<readonly string[], readonly number[]>;

  constructor({ onFailure, idleMs = IDLE_MS, thread = THREAD }: TokenizerOptions) {
    this.#thread = new RestingThread({
      script: thread,
      idleMs,
      limitMs: LIMIT_MS,
      startingMs: STARTING_MS,
      tries: 1,
      onLost: (error) => onFailure('counting tokens', error),
    });
  }

  /** Whether a thread is there at the moment. */
  get isRunning(): boolean {
    return this.#thread.worker !== undefined;
  }

  /** An upper bound that costs nothing: a token has at least one byte. */
  atMost(text: string): number {
    return Buffer.byteLength(text);
  }

  /**
   * Never fails: where a text cannot be counted, or has more than a million characters, it is `atMost`. Those for whom
   * it is counted take turns.
   */
  async count(texts: readonly string[], owner?: string): Promise<readonly number[]> {
    const wanted = texts.map((text) => ({ text, key: hash('sha256', text, 'base64') }));
    const unknown = wanted.filter(({ text, key }) => !this.#recall(key) && text.length <= LONGEST_COUNTED);
    const missing = new Map(unknown.map(({ text, key }) => [key, text]));
    const counts = missing.size === 0 ? [] : await this.#ask([...missing.values()], owner);
    const counted = new Map(Array.from(missing.keys(), (key, index) => [key, counts[index]]));
    for (const [key, count] of counted) if (count !== undefined) this.#remember(key, count);
    return wanted.map(({ text, key }) => counted.get(key) ?? this.#remembered.get(key) ?? this.atMost(text));
  }

  /** What is being counted is answered by `atMost`; so is what is asked from now on. */
  stop(): Promise<void> {
    return this.#thread.stop();
  }

  #recall(key: string): boolean {
    const cached = this.#remembered.get(key);
    if (cached === undefined) return false;
    this.#remember(key, cached);
    return true;
  }

  #remember(key: string, count: number): void {
    this.#remembered.delete(key);
    this.#remembered.set(key, count);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > MOST_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
  }

  async #ask(texts: readonly string[], owner: string | undefined): Promise<readonly (number | undefined)[]> {
    const asked = inParts(texts).map((part) =>
      this.#thread.do(part, { owner }).catch(() => part.map(() => undefined)),
    );
    return (await Promise.all(asked)).flat();
  }
}

function inParts(texts: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [];
  let room = 0;
  for (const text of texts) {
    if (text.length > room || parts.length === 0) {
      parts.push([]);
      room = CHARACTERS_AT_ONCE;
    }
    parts.at(-1)?.push(text);
    room -= text.length;
  }
  return parts;
}
