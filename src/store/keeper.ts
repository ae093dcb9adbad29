import { isHarkError } from '../errors.ts';

const RETRY_MS = 2_000;

interface KeeperOptions<Connection> {
  /** Called anew for each attempt, and never twice at once. */
  readonly connect: () => Promise<Connection>;
  readonly onFailure: (error: unknown) => void;
  /** One that could not be had at the start is there. */
  readonly onReturn: () => void;
}

/** Keeps a connection: has it made once, tries again while it cannot be, and tells whether its other end is there. */
export class ConnectionKeeper<Connection> {
  readonly #options: KeeperOptions<Connection>;
  #current: Connection | undefined;
  #connecting: Promise<Connection> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isPresent = false;
  readonly #presence = new Set<(isThere: boolean) => void>();

  constructor(options: KeeperOptions<Connection>) {
    this.#options = options;
  }

  get current(): Connection | undefined {
    return this.#current;
  }

  /** Waits for what cannot be reached. What must not be used rejects. */
  async start(): Promise<void> {
    try {
      await this.connect();
    } catch (error) {
      if (!isHarkError(error, 'KVSTORE_UNAVAILABLE')) throw error;
      this.#options.onFailure(error);
      this.#retryLater(String(error));
    }
  }

  connect(): Promise<Connection> {
    this.#connecting ??= this.#options
      .connect()
      .then((connection) => {
        this.#current = connection;
        this.setPresent(true);
        return connection;
      })
      .finally(() => {
        this.#connecting = undefined;
      });
    return this.#connecting;
  }

  /** Told at once, and then whenever the other end comes or goes. */
  onPresence(listener: (isThere: boolean) => void): void {
    this.#presence.add(listener);
    listener(this.#isPresent);
  }

  setPresent(isThere: boolean): void {
    if (this.#isPresent === isThere) return;
    this.#isPresent = isThere;
    for (const listener of this.#presence) listener(isThere);
  }

  /** Tries no more. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
  }

  /** Tries no more, and gives up what it has, so that it can be taken down. */
  async release(): Promise<Connection | undefined> {
    this.close();
    const last = this.#current ?? (await this.#connecting?.catch(() => undefined));
    this.#current = undefined;
    return last;
  }

  /** Tells only of what it was not told before: the other end may be away for days. */
  #retryLater(told: string): void {
    if (this.#isClosed) return;
    this.#retry = setTimeout(() => {
      if (this.#current) return;
      this.connect().then(this.#options.onReturn, (error) => {
        const reason = String(error);
        if (reason !== told) this.#options.onFailure(error);
        this.#retryLater(reason);
      });
    }, RETRY_MS).unref();
  }
}
