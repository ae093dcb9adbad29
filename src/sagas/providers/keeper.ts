import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Catalogs } from '../../application/providers/catalogs.ts';
import type { ProviderClients } from '../../application/providers/ports.ts';
import type { SlotBook } from '../../application/providers/slotBook.ts';
import { resolveSlot } from '../../projections/providers/slots.ts';
import { providerIds } from '../../vocabulary.ts';

/** Several processes do not look at the same moment, so that mostly one fetches and the others find it done. */
const LOOK_EVERY_MS = 60_000;

interface KeeperOptions {
  readonly catalogs: Catalogs;
  readonly slots: SlotBook;
  readonly clients: ProviderClients;
  /** Whether catalogs that became too old are fetched although nobody asked. */
  readonly refreshes: () => boolean;
}

/**
 * Keeps catalogs new, sets the first slots, and has the providers of the `chat` slot ready, while the service runs:
 * who is to answer for another must not first load an SDK. The start does not wait for it.
 */
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
    // Whoever starts says first that it is ready: a look loads modules.
    await nextTurn();
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
    const fetched = due.map((providerId) => catalogs.of(providerId, { refresh: false }));
    await Promise.allSettled([this.#prepareChat(), ...fetched]);
    // Without the log, which goes away then, it would look as if there were no slots yet.
    if (this.#stopping.signal.aborted) return;
    await slots.settle();
    // By what has just been set, if it has.
    await this.#prepareChat();
  }

  /** Providers that no slot of chats names stay unloaded until they are asked. */
  async #prepareChat(): Promise<void> {
    const { clients, slots } = this.#options;
    const chain = resolveSlot(slots.view().slots, 'chat')?.chain ?? [];
    for (const providerId of new Set(chain.map(({ provider }) => provider))) {
      const client = await clients.clientFor(providerId).catch(() => undefined);
      await client?.gateway.prepare().catch(() => undefined);
    }
  }
}
