import type { TestContext } from 'vitest';
import { Availability } from '../../../src/application/providers/availability.ts';
import { Catalogs } from '../../../src/application/providers/catalogs.ts';
import { SlotBook } from '../../../src/application/providers/slotBook.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import type { ProviderClient } from '../../../src/gateways/models/clients.ts';
import type { Account, ListedModel, ModelGateway } from '../../../src/gateways/models/gateway.ts';
import { Metrics } from '../../../src/metrics.ts';
import { projections } from '../../../src/projections/catalog.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import type { StoredEvent } from '../../../src/store/storedEvent.ts';
import { type ProviderId, providerIds } from '../../../src/vocabulary.ts';
import { NOW } from '../../commands/providers/given.ts';

type Lists = (signal: AbortSignal) => Promise<readonly ListedModel[]>;

/** A provider whose catalog does what a test says. */
class FakeGateway implements ModelGateway {
  readonly providerId: ProviderId;
  asked = 0;
  prepared = 0;
  lists: Lists;
  money: Account | undefined;

  constructor(providerId: ProviderId, lists: Lists) {
    this.providerId = providerId;
    this.lists = lists;
  }

  listModels(signal: AbortSignal): Promise<readonly ListedModel[]> {
    this.asked++;
    return this.lists(signal);
  }

  async account(): Promise<Account | undefined> {
    this.asked++;
    return this.money;
  }

  async validate(signal: AbortSignal): Promise<void> {
    await this.listModels(signal);
  }

  async prepare(): Promise<void> {
    this.prepared++;
  }

  complete(): never {
    throw new TypeError('Nobody asks this one anything');
  }

  embed(): never {
    throw new TypeError('Nobody asks this one anything');
  }
}

/** Catalogs and slots over a log in memory and providers that are told what to do. */
export class World {
  readonly gateways = new Map<ProviderId, FakeGateway>();
  readonly metrics = new Metrics();
  readonly store: Log;
  readonly runner: StoreCommandRunner;
  readonly views: ProjectionRuntime;
  readonly catalogs: Catalogs;
  readonly slots: SlotBook;
  readonly availability: Availability;
  credential = 'key-1';
  now = NOW;

  private constructor(store: Log) {
    this.store = store;
    this.runner = new StoreCommandRunner({ store, clock: () => this.now, newId: () => 'unused' });
    this.views = new ProjectionRuntime(store, projections);
    const shared = {
      clients: this,
      context: { current: { runner: this.runner, views: this.views } },
      clock: () => this.now,
    };
    const limits = { ttlMs: () => 3_600_000, longestFetchMs: 50 };
    this.catalogs = new Catalogs({ ...shared, ...limits, metrics: this.metrics, instanceId: 'this' });
    this.slots = new SlotBook({ ...shared, catalogs: this.catalogs, legacy: {}, instanceId: 'this' });
    this.availability = new Availability({ ...shared, slots: this.slots });
  }

  static async start(test: TestContext, on?: Log): Promise<World> {
    const store = on ?? (await Log.open(new MemoryAdapter(), eventCatalog));
    if (!on) test.onTestFinished(() => store.close());
    const world = new World(store);
    await world.views.start();
    return world;
  }

  has(providerId: ProviderId, ...models: ListedModel[]): FakeGateway {
    const gateway = new FakeGateway(providerId, async () => models);
    this.gateways.set(providerId, gateway);
    return gateway;
  }

  async clientFor(providerId: ProviderId): Promise<ProviderClient | undefined> {
    const gateway = this.gateways.get(providerId);
    return gateway && { gateway, credential: this.credential };
  }

  async configured(): Promise<readonly ProviderId[]> {
    return providerIds.filter((providerId) => this.gateways.has(providerId));
  }

  async events(): Promise<readonly StoredEvent[]> {
    const all: StoredEvent[] = [];
    for await (const { events } of this.store.readAll({ after: 0 })) all.push(...events);
    return all;
  }

  readonly context = { userId: '', correlationId: 'test' };
}
