import { hash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { CountReply, CountRequest } from './messages.ts';

const THREAD = new URL('./countingThread.ts', import.meta.url);
const IDLE_MS = 60_000;
const MOST_REMEMBERED = 5_000;
const LONGEST_COUNTED = 1_000_000;

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
  readonly #options: Required<TokenizerOptions>;
  readonly #remembered = new Map<string, number>();
  readonly #waiting = new Map<number, (counts: readonly number[]) => void>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #isStopped = false;

  constructor(options: TokenizerOptions) {
    this.#options = { idleMs: IDLE_MS, thread: THREAD, ...options };
  }

  /** Whether a thread is there at the moment. */
  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** An upper bound that costs nothing: a token has at least one byte. */
  atMost(text: string): number {
    return Buffer.byteLength(text);
  }

  /** Never fails: where a text cannot be counted, or has more than a million characters, it is `atMost`. */
  async count(texts: readonly string[]): Promise<readonly number[]> {
    const wanted = texts.map((text) => ({ text, key: hash('sha256', text, 'base64') }));
    const unknown = wanted.filter(({ text, key }) => !this.#recall(key) && text.length <= LONGEST_COUNTED);
    const missing = new Map(unknown.map(({ text, key }) => [key, text]));
    const counts = missing.size === 0 ? [] : await this.#ask([...missing.values()]);
    const counted = new Map(Array.from(missing.keys(), (key, index) => [key, counts[index]]));
    for (const [key, count] of counted) if (count !== undefined) this.#remember(key, count);
    return wanted.map(({ text, key }) => counted.get(key) ?? this.#remembered.get(key) ?? this.atMost(text));
  }

  /** What is being counted is answered by `atMost`; so is what is asked from now on. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#end();
  }

  #recall(key: string): boolean {
    const known = this.#remembered.get(key);
    if (known === undefined) return false;
    this.#remember(key, known);
    return true;
  }

  #remember(key: string, count: number): void {
    this.#remembered.delete(key);
    this.#remembered.set(key, count);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > MOST_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
  }

  #ask(texts: readonly string[]): Promise<readonly number[]> {
    if (this.#isStopped) return Promise.resolve([]);
    const worker = this.#worker ?? this.#start();
    this.#worker = worker;
    clearTimeout(this.#idle);
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<readonly number[]>();
    this.#waiting.set(id, resolve);
    // Who waits for a count is not let down by a process that has nothing else to do.
    worker.ref();
    worker.postMessage({ id, texts } satisfies CountRequest);
    return promise;
  }

  #start(): Worker {
    const worker = new Worker(this.#options.thread);
    worker.on('message', (reply: CountReply) => this.#receive(worker, reply));
    worker.on('error', (error) => this.#lose(worker, error));
    return worker;
  }

  #receive(worker: Worker, { id, counts }: CountReply): void {
    this.#waiting.get(id)?.(counts);
    this.#waiting.delete(id);
    if (this.#waiting.size > 0) return;
    worker.unref();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#end(), this.#options.idleMs).unref();
  }

  #lose(worker: Worker, error: unknown): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    this.#options.onFailure('counting tokens', error);
    this.#giveUp();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#giveUp();
    await worker?.terminate();
  }

  #giveUp(): void {
    for (const resolve of this.#waiting.values()) resolve([]);
    this.#waiting.clear();
  }
}
