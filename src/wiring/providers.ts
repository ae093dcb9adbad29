import { randomUUID } from 'node:crypto';
import { IntentRouter } from '../application/chat/intentRouter.ts';
import { SlotIntents } from '../application/chat/slotIntents.ts';
import { Availability } from '../application/providers/availability.ts';
import { Accounts, BillingStatus } from '../application/providers/billingStatus.ts';
import { actOnRefresh, Catalogs } from '../application/providers/catalogs.ts';
import { ModelRouter } from '../application/providers/modelRouter.ts';
import { Probes } from '../application/providers/probes.ts';
import { SlotBook } from '../application/providers/slotBook.ts';
import type { TopicActor } from '../application/topicActors.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { HarkError } from '../errors.ts';
import { BuiltInIntents } from '../gateways/intent/builtInIntents.ts';
import type { ProviderClients } from '../gateways/models/clients.ts';
import { LocalRunner } from '../gateways/runner/localRunner.ts';
import type { HealthRegistry } from '../interfaces/healthRegistry.ts';
import type { Kvstore, OwnState } from '../interfaces/kvstore.ts';
import type { AnyOperation } from '../interfaces/operation.ts';
import { billingOperations } from '../interfaces/operations/billing.ts';
import { providerOperations } from '../interfaces/operations/providers.ts';
import { runnerOperations } from '../interfaces/operations/runner.ts';
import { slotRoutingOperations } from '../interfaces/operations/slotRouting.ts';
import { slotOperations } from '../interfaces/operations/slots.ts';
import { spendOperations } from '../interfaces/operations/spend.ts';
import type { RuntimeSettings } from '../interfaces/runtimeSettings.ts';
import type { Metrics } from '../metrics.ts';
import { billing } from '../projections/providers/billing.ts';
import { catalogs as storedCatalogs } from '../projections/providers/catalogs.ts';
import type { AnySaga, TimedSaga } from '../sagas/saga.ts';
import { providerIds, slotNames } from '../vocabulary.ts';

interface ProvidersOptions {
  readonly config: Config;
  readonly clients: ProviderClients;
  readonly own: OwnState;
  readonly kvstore: Kvstore;
  readonly settings: RuntimeSettings;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** What could not be recorded, by the name of the command. */
  readonly onFailure: (what: string, error: unknown) => void;
  readonly patienceMs: number | undefined;
}

/** The wiring of everything about providers: what is known of them, and who asks it. */
export class Providers {
  readonly #options: ProvidersOptions;
  readonly #catalogs: Catalogs;
  readonly #slotIntents: SlotIntents;
  /** Felt after a restart, so it is read once. */
  #refreshes: boolean | undefined;
  readonly slots: SlotBook;
  readonly availability: Availability;
  /** Asks the models of a slot. */
  readonly router: ModelRouter;
  readonly localRunner: LocalRunner;
  /** Tells which slot a text is for. */
  readonly intents: IntentRouter;

  constructor(options: ProvidersOptions) {
    this.#options = options;
    const { config, clients, own: context, settings, clock, metrics, onFailure, patienceMs } = options;
    const instanceId = randomUUID();
    const shared = { clients, context, clock };
    const ttlMs = () => settings.number('providerCatalogCacheTtlSeconds') * 1_000;
    this.#catalogs = new Catalogs({ ...shared, metrics, ttlMs, instanceId });
    this.slots = new SlotBook({ ...shared, catalogs: this.#catalogs, legacy: config, instanceId });
    this.availability = new Availability({ ...shared, slots: this.slots });
    this.router = new ModelRouter({ ...shared, slots: this.slots, instanceId, onFailure });
    this.#slotIntents = new SlotIntents({ models: this.router, clock, limitMs: patienceMs });
    this.intents = new IntentRouter({
      builtIn: new BuiltInIntents(),
      bySlot: this.#slotIntents,
      slots: this.slots,
      availability: this.availability,
    });
    this.localRunner = new LocalRunner({ url: config.OLLAMA_HOST });
  }

  /** For the process that holds their leases. */
  async sagas(): Promise<readonly AnySaga[]> {
    const { refreshCatalogs } = await import('../sagas/providers/catalogs.ts');
    return [refreshCatalogs(this.#catalogs, this.slots), await this.#probeBilling()];
  }

  /** Where there is to be no store, credit is a matter of the process. */
  async processSagas(): Promise<readonly TimedSaga[]> {
    const { clients, config, settings } = this.#options;
    const { keepCatalogs } = await import('../sagas/providers/catalogs.ts');
    const refreshes = () => (this.#refreshes ??= settings.value('providerCatalogAutoRefresh') === true);
    const kept = keepCatalogs({ clients, catalogs: this.#catalogs, slots: this.slots, refreshes });
    return config.SERVICE_KVSTORE_URL === 'none' ? [kept, await this.#probeBilling()] : [kept];
  }

  async #probeBilling(): Promise<TimedSaga> {
    const { clients, own } = this.#options;
    const { probeBilling } = await import('../sagas/providers/billing.ts');
    return probeBilling({
      billing: () => own.connected().views.view(billing),
      clients,
      slots: this.slots,
      models: this.router,
    });
  }

  actors(): readonly TopicActor[] {
    return [actOnRefresh(() => this.#options.own.connected().runner)];
  }

  operations(): readonly AnyOperation[] {
    const { clients, own: context, kvstore, clock } = this.#options;
    const accounts = new Accounts(clients, clock);
    const { slots, availability } = this;
    const status = new BillingStatus({ clients, context, accounts, availability });
    const shown = { book: slots, availability, slotIntents: this.#slotIntents, kvstore };
    const onPulled = () => void this.#catalogs.of('local-runner', { refresh: true });
    return [
      ...slotOperations(shown),
      ...slotRoutingOperations({ book: slots, intents: this.intents }),
      ...providerOperations({ catalogs: this.#catalogs, accounts, kvstore }),
      ...billingOperations({ status, slots: shown }),
      ...spendOperations({ own: context, kvstore, clock }),
      ...runnerOperations({ runner: this.localRunner, onPulled }),
    ];
  }

  registerChecks(health: HealthRegistry): void {
    const { clients, own: context, clock } = this.#options;
    const needsLocalRunner = () => this.needsLocalRunner();
    const probes = new Probes({ clients, context, clock, needsLocalRunner });
    for (const providerId of providerIds)
      health.register(`provider-${providerId}`, () => probes.check(providerId));
    health.register('intents', () => {
      const set = this.slots.view().slots.classification;
      if (set && this.#slotIntents.isTooSlow(set))
        return `${set.model} is too slow for 50 ms: the built-in classifier decides, and it is asked again later`;
      return undefined;
    });
    health.register('local-runner', async () => {
      const isRunning = await this.localRunner.version().then(
        () => true,
        () => false,
      );
      if (isRunning) return undefined;
      if (await this.needsLocalRunner()) throw new HarkError('RUNNER_UNAVAILABLE');
      return { status: 'off', note: 'Not running' };
    });
  }

  /** To be called when the log is there, if it is to be; nobody has to wait for what follows. */
  start(): void {
    const { own, metrics } = this.#options;
    const known = own.current?.views.view(storedCatalogs).byProvider ?? {};
    for (const [provider, { models }] of Object.entries(known))
      metrics.catalogModels.set({ provider }, models.length);
  }

  /** Told where it is, or asked by a slot: then it is missed when it is not there. */
  async needsLocalRunner(): Promise<boolean> {
    if (this.#options.config.fromEnvironment.has('OLLAMA_HOST')) return true;
    for (const name of slotNames) {
      const { chain, backups } = this.slots.candidates(name);
      const models = [...chain, ...(await backups())];
      if (models.some(({ provider }) => provider === 'local-runner')) return true;
    }
    return false;
  }
}
