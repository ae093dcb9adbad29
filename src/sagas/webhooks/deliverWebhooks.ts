import { setTimeout as wait } from 'node:timers/promises';
import { Semaphore } from '../../application/semaphore.ts';
import { isStoreUnavailable } from '../../application/storeUnavailable.ts';
import type { Views } from '../../projections/runtime.ts';
import { webhooks } from '../../projections/webhooks/webhooks.ts';
import type { LeasedWork } from '../saga.ts';
import { Delivery, type DeliveryOptions } from './delivery.ts';

interface DeliverWebhooksOptions extends Omit<DeliveryOptions, 'store' | 'runner' | 'turns'> {
  readonly backing: () => Pick<DeliveryOptions, 'store' | 'runner'> & { readonly views: Views };
  readonly onFailure: (what: string, error: unknown) => void;
}

const MESSAGES_AT_ONCE = 32;
const AGAIN_MS = 2_000;
/** What is known of a webhook changes with these alone. */
const CHANGES: ReadonlySet<string> = new Set(webhooks.handles);

/** Tells every webhook of its topics; a slow or dead one holds up no other. */
export function deliverWebhooks({ backing, onFailure, ...options }: DeliverWebhooksOptions): LeasedWork {
  return {
    name: 'deliver-webhooks',
    async work(signal) {
      const { store, runner, views } = backing();
      const all = new AllDeliveries(
        { ...options, store, runner, turns: new Semaphore(MESSAGES_AT_ONCE) },
        views,
        {
          signal,
          onFailure,
        },
      );
      const unsubscribe = store.onAppended((events) => {
        for (const { type, stream } of events) if (CHANGES.has(type)) all.beginAnew(stream);
      });
      for (const stream of Object.keys(views.view(webhooks).byStream)) all.beginAnew(stream);
      const { promise, resolve } = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => resolve(), { once: true });
      // A lease may have been lost while it was being acquired.
      if (!signal.aborted) await promise;
      unsubscribe();
      await all.ended();
    },
  };
}

class AllDeliveries {
  readonly #options: DeliveryOptions;
  readonly #views: Views;
  readonly #signal: AbortSignal;
  readonly #onFailure: DeliverWebhooksOptions['onFailure'];
  /** By stream. */
  readonly #running = new Map<string, { readonly end: AbortController; readonly over: Promise<void> }>();

  constructor(
    options: DeliveryOptions,
    views: Views,
    {
      signal,
      onFailure,
    }: { readonly signal: AbortSignal; readonly onFailure: DeliverWebhooksOptions['onFailure'] },
  ) {
    this.#options = options;
    this.#views = views;
    this.#signal = signal;
    this.#onFailure = onFailure;
  }

  /** As the webhook is now; one that is paused or removed ends. */
  beginAnew(stream: string): void {
    const before = this.#running.get(stream);
    before?.end.abort();
    const end = new AbortController();
    const signal = AbortSignal.any([this.#signal, end.signal]);
    const over = (before?.over ?? Promise.resolve()).then(() => this.#deliver(stream, signal));
    const running = { end, over };
    this.#running.set(stream, running);
    void over.then(() => {
      if (this.#running.get(stream) === running) this.#running.delete(stream);
    });
  }

  async ended(): Promise<void> {
    await Promise.all(Array.from(this.#running.values(), ({ over }) => over));
  }

  async #deliver(stream: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const webhook = this.#views.view(webhooks).byStream[stream];
      if (!webhook?.isActive) return;
      try {
        await new Delivery(this.#options, { ...webhook }).run(signal);
      } catch (error) {
        if (signal.aborted) return;
        if (!isStoreUnavailable(error)) this.#onFailure('webhooks', error);
      }
      await wait(AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
