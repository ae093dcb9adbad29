import { setTimeout as wait } from 'node:timers/promises';
import { providerIds } from '../../vocabulary.ts';
import type { Catalogs } from './catalogs.ts';
import type { SlotBook } from './slotBook.ts';

/** Several processes do not look at the same moment, so that mostly one fetches and the others find it done. */
const LOOK_EVERY_MS = 60_000;

interface KeeperOptions {
  readonly catalogs: Catalogs;
  readonly slots: SlotBook;
  /** Whether catalogs that became too old are fetched although nobody asked. */
  readonly refreshes: () => boolean;
}

/** Keeps catalogs new, and sets the first slots, while the service runs. The start does not wait for it. */
export class CatalogKeeper {
  readonly #options: KeeperOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#keep();
  }

  /** Waits for no fetch: what is under way is of no use any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #keep(): Promise<void> {
    const { signal } = this.#stopping;
    const stopped = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    while (!signal.aborted) {
      await Promise.race([this.look(), stopped]);
      const ms = LOOK_EVERY_MS * (0.5 + Math.random());
      await wait(ms, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** One look at every catalog. Never rejects. */
  async look(): Promise<void> {
    const { catalogs, slots, refreshes } = this.#options;
    const due = refreshes() ? providerIds : [];
    await Promise.allSettled(due.map((providerId) => catalogs.of(providerId, { refresh: false })));
    await slots.settle();
  }
}
