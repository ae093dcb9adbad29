import { randomUUID } from 'node:crypto';
import type { Clock, Wake } from '../clock.ts';
import { type CommandRunner, StoreCommandRunner } from '../commands/runner.ts';
import { startInstance, stopInstance } from '../commands/system/instances.ts';
import { HarkError, isHarkError } from '../errors.ts';
import { eventCatalog } from '../events/catalog.ts';
import type { Kvstore, ServiceContext } from '../interfaces/kvstore.ts';
import { projections } from '../projections/catalog.ts';
import { ProjectionRuntime } from '../projections/runtime.ts';
import type { AnySaga } from '../sagas/saga.ts';
import { holdInstanceLease } from '../sagas/system/instanceLease.ts';
import { noticeLostInstances } from '../sagas/system/noticeLostInstances.ts';
import type { StoreAdapter } from '../store/adapter.ts';
import { ConnectionKeeper } from '../store/keeper.ts';
import { Log } from '../store/log.ts';
import type { Store, StoreStatus } from '../store/port.ts';
import { type StoreWatchListeners, watchStore } from '../store/watch.ts';
import { LateSagas } from './lateSagas.ts';
import type { Topics } from './topics.ts';

/** What works again once it is back, as clients are told: the log and all that stands on it. */
const SERVICES = [
  ...['event-log', 'commands', 'projections', 'sagas'],
  ...['memory', 'entities', 'maintenance', 'scheduler', 'workflows', 'webhooks', 'notifications'],
  ...['preferences', 'devices', 'capture'],
] as const;

export interface BackboneOptions {
  readonly url: string;
  /** Opens the place where the log is kept; called anew for each attempt. */
  readonly open: () => Promise<StoreAdapter>;
  readonly version: string;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly topics: Topics;
  readonly onFailure: (what: string, error: unknown, correlationId?: string) => void;
  /** A store that was away, or full, takes everything again. */
  readonly onReturn: () => void;
  /** What runs beside those of the backbone itself; made anew whenever it is put up. */
  readonly sagas: () => Promise<readonly AnySaga[]>;
}

interface RunningContext extends ServiceContext {
  readonly sagas: LateSagas;
  readonly instanceId: string;
  readonly ending: AbortController;
}

/** The key-value store and everything that stands on it: put up, taken down and put up again as one. */
export class Backbone implements Kvstore {
  readonly #options: BackboneOptions;
  readonly #keeper: ConnectionKeeper<RunningContext>;
  #areSagasOn = false;

  constructor(options: BackboneOptions) {
    this.#options = options;
    this.#keeper = new ConnectionKeeper({
      connect: () => this.#putUp(),
      onFailure: (error) => options.onFailure('kvstore', error),
      onReturn: options.onReturn,
    });
  }

  /**
   * A store that cannot be reached is waited for, and the service starts without it. One that must not be used
   * (foreign, damaged, newer, in use, not set up for a log) ends the start.
   */
  async start(): Promise<void> {
    if (this.#options.url !== 'none') await this.#keeper.start();
  }

  get current(): ServiceContext | undefined {
    return this.#keeper.current;
  }

  /** Told at once, and then whenever the store comes or goes. */
  onPresence(listener: (isThere: boolean) => void): void {
    this.#keeper.onPresence(listener);
  }

  connected(): ServiceContext {
    const { current } = this.#keeper;
    if (!current) throw new HarkError('KVSTORE_UNAVAILABLE');
    return current;
  }

  reachable(): ServiceContext {
    const connected = this.connected();
    if (connected.store.isAway) throw new HarkError('KVSTORE_UNAVAILABLE');
    return connected;
  }

  async status(): Promise<StoreStatus> {
    const { current } = this.#keeper;
    return (
      current?.store.status() ?? { connected: false, url: withoutPassword(this.#options.url), version: '' }
    );
  }

  async reconnect(): Promise<readonly string[]> {
    const { store } = this.#keeper.current ?? (await this.#keeper.connect());
    await store.reconnect();
    return SERVICES;
  }

  /** What follows the log by itself, on this store and on each that comes after it. */
  startSagas(): void {
    this.#areSagasOn = true;
    this.#keeper.current?.sagas.start();
  }

  /** Ends what follows the log by itself, before what it works with is stopped; the rest still stands. */
  async stopSagas(): Promise<void> {
    this.#keeper.close();
    await this.#keeper.current?.sagas.stop();
  }

  async stop(): Promise<void> {
    const context = await this.#keeper.release();
    if (context) await this.#takeDown(context);
  }

  async #putUp(): Promise<RunningContext> {
    const { open, clock, wake, version, topics, onFailure } = this.#options;
    const adapter = await open();
    const ending = new AbortController();
    try {
      const store: Store = await Log.open(adapter, eventCatalog);
      const runner = new StoreCommandRunner({ store, clock, newId: randomUUID });
      const views = new ProjectionRuntime(store, projections);
      await views.start();
      store.onAppended((events) => topics.publish(events));
      const instanceId = randomUUID();
      const sayStarted = () =>
        runner.run(startInstance, { instanceId, version, pid: process.pid }, own(instanceId));
      store.onReplaced(() => {
        onFailure('kvstore came back without its data', new HarkError('KVSTORE_UNAVAILABLE'));
        void attempt(sayStarted);
      });
      // A sign of life comes before the word that there is life: else another process would take it for lost.
      const signOfLife = await holdInstanceLease(store, instanceId, ending.signal);
      const sagas = new LateSagas(async () => {
        const { ClockScheduler, SagaRuntime } = await import('../sagas/runtime.ts');
        return new SagaRuntime({
          store,
          runner,
          instanceId,
          onFailure,
          time: new ClockScheduler({ clock, wake }),
          sagas: [noticeLostInstances(store, views, signOfLife), ...(await this.#options.sagas())],
        });
      });
      await sayStarted();
      watchStore(store, this.#watcher(), ending.signal);
      if (this.#areSagasOn) sagas.start();
      return { store, runner, views, sagas, instanceId, ending };
    } catch (error) {
      ending.abort();
      await adapter.close().catch(() => undefined);
      throw error;
    }
  }

  #watcher(): StoreWatchListeners {
    const { onFailure, onReturn } = this.#options;
    return {
      onTrouble: (what, error) => {
        onFailure(what, error);
        if (isHarkError(error, 'KVSTORE_UNAVAILABLE')) this.#keeper.setPresent(false);
      },
      onReturn: () => {
        onReturn();
        this.#keeper.setPresent(true);
      },
    };
  }

  async #takeDown({ store, runner, views, sagas, instanceId, ending }: RunningContext): Promise<void> {
    await sagas.stop();
    // A store that is away cannot be told; the next process will notice that this one is gone.
    await attempt(() => runner.run(stopInstance, { instanceId }, own(instanceId)));
    // Only now: without its sign of life, a process that has not said that it stops would be taken for lost.
    ending.abort();
    await attempt(() => views.saveSnapshots());
    await store.close();
  }
}

function own(instanceId: string): Parameters<CommandRunner['run']>[2] {
  return { userId: '', correlationId: `instance-${instanceId}` };
}

async function attempt(work: () => Promise<unknown>): Promise<void> {
  await work().catch(() => undefined);
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//');
}
