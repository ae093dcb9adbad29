import { setTimeout as pause } from 'node:timers/promises';
import { HarkError } from '../../errors.ts';
import type { AppendResult, RawAppend } from '../adapter.ts';
import type { WriterCalls } from './messages.ts';
import { WriterClient } from './writerClient.ts';

const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

/**
 * One writer after the other: when its thread ends unasked, what waits for it is refused, and another is started.
 * What was acknowledged is on the disk; what was refused may be there, and is then told of by its successor.
 */
export class LastingWriter {
  readonly #file: string;
  readonly #ending = new AbortController();
  #client: WriterClient | undefined;
  #failure: HarkError | undefined;
  #opening: Promise<void> | undefined;
  #losses = 0;
  #onReturn = () => {};

  private constructor(file: string) {
    this.#file = file;
  }

  static async open(file: string): Promise<LastingWriter> {
    const writer = new LastingWriter(file);
    writer.#client = await WriterClient.open({ file, isFirst: true }, () => writer.#lose());
    return writer;
  }

  /** Called whenever another writer has taken the place of one that ended. */
  onReturn(listener: () => void): void {
    this.#onReturn = listener;
  }

  get losses(): number {
    return this.#losses;
  }
  /** Why nothing can be written now. */
  get failure(): HarkError | undefined {
    return this.#failure;
  }
  get indexedUntil(): number {
    return this.#client?.indexedUntil ?? 0;
  }

  async append(append: RawAppend): Promise<AppendResult> {
    return this.#current.append(append);
  }
  async call<Name extends keyof WriterCalls>(
    name: Name,
    ...args: Parameters<WriterCalls[Name]>
  ): Promise<ReturnType<WriterCalls[Name]>> {
    return this.#current.call(name, ...args);
  }

  /** Tries at once what would otherwise wait for its turn. */
  async reopen(): Promise<void> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    await this.#opening;
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#opening?.catch(() => undefined);
    await this.#client?.close();
  }

  get #current(): WriterClient {
    if (!this.#client) throw this.#failure ?? new HarkError('KVSTORE_UNAVAILABLE');
    return this.#client;
  }

  async #open(): Promise<void> {
    if (this.#client) return;
    try {
      this.#client = await WriterClient.open({ file: this.#file, isFirst: false }, () => this.#lose());
      this.#failure = undefined;
    } catch (cause) {
      this.#failure = cause instanceof HarkError ? cause : new HarkError('KVSTORE_UNAVAILABLE', { cause });
      throw this.#failure;
    }
    this.#onReturn();
  }

  #lose(): void {
    this.#losses++;
    this.#client = undefined;
    this.#failure = new HarkError('KVSTORE_UNAVAILABLE');
    void this.#insist();
  }

  async #insist(): Promise<void> {
    for (
      let wait = SHORTEST_PAUSE_MS;
      !this.#ending.signal.aborted;
      wait = Math.min(2 * wait, LONGEST_PAUSE_MS)
    ) {
      try {
        return await this.reopen();
      } catch {
        await pause(wait, undefined, { signal: this.#ending.signal, ref: false }).catch(() => undefined);
      }
    }
  }
}
