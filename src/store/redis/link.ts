import { once } from 'node:events';
import type { Redis, RedisOptions } from 'ioredis';
import { HarkError } from '../../errors.ts';
import { isFromAnother, toHarkError } from './failures.ts';
import { HEADS } from './keys.ts';

/** Longer without a word from Redis, and it counts as away. */
const OPERATION_MS = 1_800;
const LOOK_AGAIN_MS = 5_000;
const LONGEST_BACK_OFF_MS = 2_000;

export interface LinkOptions {
  readonly operationMs?: number;
  readonly lookAgainMs?: number;
}

export interface LinkListeners {
  /** Looks at a Redis that has just been reached, or again now and then. What it throws keeps everybody out. */
  admit(redis: Redis): Promise<void>;
  /** Called once everybody may come in again. */
  admitted(): Promise<void>;
  published(message: string): void;
}

/**
 * The connections to one Redis: one writes, one reads, one hears of new heads. They come back by themselves for
 * ever. Nothing waits for an absent Redis: while one of them is down, or what was found there is not as it must
 * be, every operation is refused at once.
 *
 *   away ──all three ready──► admitting ──► open      (any of them lost: back to away)
 *                                 └──► refused ──looked at again──► open
 */
export class RedisLink {
  readonly #writer: Redis;
  readonly #reader: Redis;
  readonly #subscriber: Redis;
  readonly #listeners: LinkListeners;
  readonly #lookAgain: NodeJS.Timeout;
  readonly #ending: AbortController;
  #failure: HarkError | undefined = new HarkError('KVSTORE_UNAVAILABLE');
  #inspecting: Promise<void> | undefined;
  #losses = 0;
  #said: unknown;

  private constructor(
    connect: () => Redis,
    listeners: LinkListeners,
    lookAgainMs: number,
    ending: AbortController,
  ) {
    this.#ending = ending;
    [this.#writer, this.#reader, this.#subscriber] = [connect(), connect(), connect()];
    this.#listeners = listeners;
    for (const connection of this.#all) {
      connection.on('error', (error) => {
        this.#said = error;
      });
      connection.on('close', () => this.#lose());
      connection.on('ready', () => void this.inspect());
    }
    this.#subscriber.on('message', (_channel: string, message: string) => listeners.published(message));
    this.#lookAgain = setInterval(() => void this.inspect(), lookAgainMs).unref();
  }

  static async open(url: string, listeners: LinkListeners, options: LinkOptions = {}): Promise<RedisLink> {
    const { operationMs = OPERATION_MS, lookAgainMs = LOOK_AGAIN_MS } = options;
    const { Redis } = await import('ioredis');
    const ending = new AbortController();
    const connect = () => new Redis(url, clientOptions(operationMs, ending.signal));
    const link = new RedisLink(connect, listeners, lookAgainMs, ending);
    try {
      await Promise.all(link.#all.map((connection) => connection.connect()));
      await link.#subscriber.subscribe(HEADS);
      await link.inspect();
      if (link.#failure) throw link.#failure;
      return link;
    } catch (error) {
      link.close();
      throw toHarkError(link.#said ?? error);
    }
  }

  get failure(): HarkError | undefined {
    return this.#failure;
  }

  write<Result>(work: (redis: Redis) => Promise<Result>): Promise<Result> {
    return this.#run(this.#writer, work);
  }
  read<Result>(work: (redis: Redis) => Promise<Result>): Promise<Result> {
    return this.#run(this.#reader, work);
  }

  /** Looks whether Redis is still what it was. Those who ask at the same time share one look. */
  inspect(): Promise<void> {
    this.#inspecting ??= this.#inspect().finally(() => {
      this.#inspecting = undefined;
    });
    return this.#inspecting;
  }

  /** Tries at once what would otherwise wait for its turn; throws what keeps Redis away. */
  async reconnect(): Promise<void> {
    try {
      await Promise.all(this.#all.map(becomeReady));
    } catch (error) {
      throw toHarkError(this.#said ?? error);
    }
    await this.inspect();
    if (this.#failure) throw this.#failure;
  }

  close(): void {
    clearInterval(this.#lookAgain);
    this.#ending.abort();
    for (const connection of this.#all) connection.disconnect();
  }

  get #all(): readonly Redis[] {
    return [this.#writer, this.#reader, this.#subscriber];
  }

  async #run<Result>(redis: Redis, work: (redis: Redis) => Promise<Result>): Promise<Result> {
    if (this.#failure) throw this.#failure;
    try {
      return await work(redis);
    } catch (error) {
      if (isFromAnother(error)) void this.inspect();
      throw toHarkError(error);
    }
  }

  async #inspect(): Promise<void> {
    let losses: number;
    do {
      if (this.#all.some(({ status }) => status !== 'ready')) return;
      losses = this.#losses;
      const failure = await this.#admit();
      if (losses === this.#losses) this.#failure = failure;
    } while (losses !== this.#losses);
  }

  async #admit(): Promise<HarkError | undefined> {
    const losses = this.#losses;
    try {
      await this.#listeners.admit(this.#writer);
      if (losses === this.#losses) this.#failure = undefined;
      await this.#listeners.admitted();
      this.#said = undefined;
      return undefined;
    } catch (error) {
      return toHarkError(error);
    }
  }

  #lose(): void {
    this.#losses++;
    this.#failure = toHarkError(this.#said ?? new Error('The connection to Redis was lost'));
  }
}

async function becomeReady(connection: Redis): Promise<void> {
  if (connection.status === 'ready') return;
  if (connection.status !== 'connecting' && connection.status !== 'connect') return connection.connect();
  const closed = new AbortController();
  const close = () => closed.abort(new Error('The connection to Redis was lost'));
  connection.once('close', close);
  await once(connection, 'ready', { signal: closed.signal }).finally(() => connection.off('close', close));
}

/** Nothing is queued for a Redis that is away, and nothing that may have been done is silently done again. */
function clientOptions(operationMs: number, ending: AbortSignal) {
  return {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: operationMs,
    socketTimeout: operationMs,
    // A connection that is closed while it is being made would else go on trying for ever.
    retryStrategy: (times: number) =>
      ending.aborted ? null : Math.min(LONGEST_BACK_OFF_MS, 25 * 2 ** Math.min(times, 10)),
  } satisfies RedisOptions;
}
