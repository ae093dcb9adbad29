import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { recordFailure } from '../../commands/providers/billing.ts';
import { initializeProvider, refreshCatalog, requestRefresh } from '../../commands/providers/catalog.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { type CatalogModel, catalogModel, catalogRefreshRequested } from '../../events/providers.ts';
import type { ProviderClient } from '../../gateways/models/clients.ts';
import type { ModelGateway } from '../../gateways/models/gateway.ts';
import type { Metrics } from '../../metrics.ts';
import { catalogs, type StoredCatalog } from '../../projections/providers/catalogs.ts';
import { condition, isRefutedByCatalog } from '../../projections/providers/condition.ts';
import { type ProviderId, providerIds } from '../../vocabulary.ts';
import { defineActor, type TopicActor } from '../topicActors.ts';
import {
  type ConfiguredProviders,
  type CurrentContext,
  faultOf,
  type ProviderFault,
  WrongCatalog,
} from './ports.ts';

const LONGEST_FETCH_MS = 10_000;
/** A provider that has just failed is not asked again for so long, unless somebody insists. */
const REST_AFTER_FAILURE_MS = 30_000;

interface Catalog extends StoredCatalog {
  readonly providerId: ProviderId;
  /** False when it is older than it should be, because a newer one could not be had. */
  readonly isCurrent: boolean;
}

interface CatalogsOptions {
  readonly clients: ConfiguredProviders;
  readonly context: CurrentContext;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'catalogFetches' | 'catalogModels'>;
  /** How long a catalog counts as new. */
  readonly ttlMs: () => number;
  readonly instanceId: string;
  readonly longestFetchMs?: number;
}

/** With which key. What came of another key says nothing of this one. */
interface Flight {
  readonly credential: string;
  readonly landed: Promise<void>;
}

interface Failed {
  readonly credential: string;
  readonly at: number;
}

/**
 * What models each configured provider has. The last good catalog is kept in the log, or in this process while
 * there is none; a fetch that fails, hangs or brings nonsense changes nothing. One fetch at a time a provider,
 * and none waits for or fails with another.
 */
export class Catalogs {
  readonly #options: CatalogsOptions;
  readonly #flights = new Map<ProviderId, Flight>();
  readonly #failed = new Map<ProviderId, Failed>();
  readonly #unlogged = new Map<ProviderId, StoredCatalog>();

  constructor(options: CatalogsOptions) {
    this.#options = options;
  }

  /** Those of all configured providers that ever answered, new or as new as can be had. */
  async all({ refresh }: { refresh: boolean }): Promise<readonly Catalog[]> {
    const found = await Promise.all(providerIds.map((providerId) => this.of(providerId, { refresh })));
    return found.filter((catalog) => catalog !== undefined);
  }

  async of(providerId: ProviderId, { refresh }: { refresh: boolean }): Promise<Catalog | undefined> {
    const client = await this.#options.clients.clientFor(providerId);
    if (!client) return undefined;
    if (refresh || this.#isDue(providerId, client)) await this.#fetchOnce(providerId, client);
    return this.lastGood(providerId);
  }

  /** Without asking anybody. */
  lastGood(providerId: ProviderId): Catalog | undefined {
    const logged = this.#options.context.current?.views.view(catalogs).byProvider[providerId];
    const unlogged = this.#unlogged.get(providerId);
    const newest = unlogged && unlogged.fetchedAt > (logged?.fetchedAt ?? 0) ? unlogged : logged;
    if (!newest) return undefined;
    return { ...newest, providerId, isCurrent: this.#isFresh(newest) };
  }

  #isDue(providerId: ProviderId, { credential }: ProviderClient): boolean {
    if (this.lastGood(providerId)?.isCurrent) return false;
    const failed = this.#failed.get(providerId);
    if (failed?.credential !== credential) return true;
    return this.#options.clock() - failed.at >= REST_AFTER_FAILURE_MS;
  }

  #isFresh({ fetchedAt }: StoredCatalog): boolean {
    return this.#options.clock() - fetchedAt < this.#options.ttlMs();
  }

  #fetchOnce(providerId: ProviderId, client: ProviderClient): Promise<void> {
    const { credential } = client;
    const running = this.#flights.get(providerId);
    if (running?.credential === credential) return running.landed;
    const landed = this.#fetch(providerId, client).finally(() => {
      if (this.#flights.get(providerId)?.landed === landed) this.#flights.delete(providerId);
    });
    this.#flights.set(providerId, { credential, landed });
    return landed;
  }

  async #fetch(providerId: ProviderId, { gateway, credential }: ProviderClient): Promise<void> {
    const { clock, metrics } = this.#options;
    const startedAt = performance.now();
    try {
      const models = await this.#list(gateway);
      const latencyMs = Math.round(performance.now() - startedAt);
      await this.#keep(providerId, models, latencyMs);
      this.#failed.delete(providerId);
      metrics.catalogFetches.inc({ provider: providerId, status: 'success' });
      metrics.catalogModels.set({ provider: providerId }, models.length);
    } catch (error) {
      const fault = faultOf(error);
      this.#failed.set(providerId, { credential, at: clock() });
      metrics.catalogFetches.inc({ provider: providerId, status: 'failure' });
      // A key that was exchanged meanwhile is nobody's trouble any more.
      const { credential: current } = (await this.#options.clients.clientFor(providerId)) ?? {};
      if (fault && current === credential) await this.#tell(providerId, fault);
    }
  }

  /** Whatever the client does with the signal: the wait has an end. */
  async #list(client: ModelGateway): Promise<readonly CatalogModel[]> {
    const signal = AbortSignal.timeout(this.#options.longestFetchMs ?? LONGEST_FETCH_MS);
    const overdue = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    const listed = await Promise.race([client.listModels(signal), overdue]).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : error;
    });
    const models = checkedModels(client.providerId, listed);
    if (!models) throw new WrongCatalog();
    return models;
  }

  async #keep(providerId: ProviderId, models: readonly CatalogModel[], latencyMs: number): Promise<void> {
    const { clock, instanceId } = this.#options;
    const { current } = this.#options.context;
    this.#unlogged.set(providerId, { models, latencyMs, fetchedAt: clock() });
    if (!current) return;
    const { runner, views } = current;
    const context = contextOf(providerId, instanceId);
    const failure = views.view(condition).byProvider[providerId]?.failure;
    try {
      if (!failure || isRefutedByCatalog(failure))
        await runner.run(initializeProvider, { providerId, instanceId }, context);
      await runner.run(refreshCatalog, { providerId, models, latencyMs }, context);
      this.#unlogged.delete(providerId);
    } catch {
      // The log is away: it has the catalog after the next fetch, and until then this process does.
    }
  }

  /** A local runner that nobody ever saw is not missing. */
  async #tell(providerId: ProviderId, fault: ProviderFault): Promise<void> {
    const { instanceId } = this.#options;
    const { current } = this.#options.context;
    if (!current) return;
    const wasSeen =
      this.lastGood(providerId) !== undefined ||
      current.views.view(condition).byProvider[providerId] !== undefined;
    if (providerId === 'local-runner' && !wasSeen) return;
    const told = current.runner.run(
      recordFailure,
      { providerId, ...fault },
      contextOf(providerId, instanceId),
    );
    await told.catch(() => undefined);
  }
}

function contextOf(providerId: ProviderId, instanceId: string) {
  return { userId: '', correlationId: `catalog-${providerId}-${instanceId}` };
}

/** More than any provider offers: whoever sends more sends nonsense, and nonsense must not fill the log. */
const MOST_MODELS = 5_000;
const LONGEST_ID = 200;
const LONGEST_NAME = 300;

/** A catalog that may be kept, in an order of its own; undefined for one that is empty, huge or wrong. */
export function checkedModels(
  providerId: ProviderId,
  listed: readonly unknown[],
): readonly CatalogModel[] | undefined {
  if (!Array.isArray(listed) || listed.length > MOST_MODELS) return undefined;
  const byId = new Map<string, CatalogModel>();
  for (const entry of listed) {
    const { data } = catalogModel().safeParse(entry);
    if (data && isSane(data)) byId.set(data.id, data);
  }
  // A local runner without any model is nothing wrong; a hosted provider without any is.
  const mayBeEmpty = providerId === 'local-runner' && listed.length === 0;
  if (byId.size === 0 && !mayBeEmpty) return undefined;
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function isSane({ id, name }: CatalogModel): boolean {
  return id.length > 0 && id.length <= LONGEST_ID && name.length <= LONGEST_NAME;
}

/** Asks for a fetch of the catalogs, or of one; a fetch that fails is tried again by those who fetch. */
export function actOnRefresh(runner: () => CommandRunner): TopicActor {
  return defineActor({
    topic: catalogRefreshRequested.type,
    payload: z.object({ providerId: z.enum(providerIds).optional() }),
    async act({ providerId }, { userId, id: commandId, correlationId }) {
      await runner().run(requestRefresh, { providerId }, { userId, correlationId, commandId });
    },
  });
}
