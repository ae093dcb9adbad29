import { type Clock, SettableClock, systemClock, systemWake } from '../clock.ts';
import type { Config } from '../config.ts';
import { HarkError } from '../errors.ts';
import { eventCatalog } from '../events/catalog.ts';
import { providerCredentialsUpdated } from '../events/credentials.ts';
import { consolidationDeferred } from '../events/memory.ts';
import { billingExhausted } from '../events/providers.ts';
import { taskAlerted } from '../events/scheduler.ts';
import { configChanged } from '../events/settings.ts';
import { instanceLost, workAbandoned } from '../events/system.ts';
import { Credentials } from '../gateways/credentials/credentials.ts';
import { type CreateGateway, ProviderClients } from '../gateways/models/clients.ts';
import { tryKey } from '../gateways/models/keyTrial.ts';
import { HealthRegistry } from '../interfaces/healthRegistry.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { McpServer } from '../interfaces/mcp/server.ts';
import type { AnyOperation } from '../interfaces/operation.ts';
import { credentialOperations } from '../interfaces/operations/credentials.ts';
import { eventOperations } from '../interfaces/operations/events.ts';
import { healthOperations } from '../interfaces/operations/health.ts';
import { settingsOperations } from '../interfaces/operations/settings.ts';
import { type Ports, systemOperations } from '../interfaces/operations/system.ts';
import { Authentication } from '../interfaces/rest/authentication.ts';
import type { EventStreamOptions } from '../interfaces/rest/eventStream.ts';
import { RateLimits } from '../interfaces/rest/rateLimits.ts';
import { RuntimeSettings } from '../interfaces/runtimeSettings.ts';
import { SetupTokens } from '../interfaces/setupTokens.ts';
import { noVoiceSessions } from '../interfaces/voiceSessions.ts';
import type { Logger } from '../logger.ts';
import { Metrics } from '../metrics.ts';
import { RequestStatistics } from '../requestStatistics.ts';
import type { ToolRegistry } from '../sagas/chat/toolRegistry.ts';
import type { StoreAdapter } from '../store/adapter.ts';
import { Buckets } from '../store/buckets.ts';
import { openAdapter } from '../store/open.ts';
import { readVersion } from '../version.ts';
import { Areas } from './areas.ts';
import { Backbone } from './backbone.ts';
import { namedNliModel } from './contradictions.ts';
import { Topics } from './topics.ts';

export interface Service {
  readonly ports: Readonly<Ports>;
  readonly operations: readonly AnyOperation[];
  /** Answers what was asked, then takes everything down. What was acknowledged is on disk. */
  stop(): Promise<void>;
}

interface Tuning {
  /** The store that is being opened already, so that its thread works while the rest is loaded. */
  readonly opening?: Promise<StoreAdapter>;
  readonly streams?: EventStreamOptions;
  readonly createGateway?: CreateGateway;
  /** May register tools beside those of the service. */
  readonly onTools?: (registry: ToolRegistry) => void;
}

/** The one place that wires: store, projections and sagas (the backbone), operations, and what carries them. */
export async function startService(config: Config, log: Logger, tuning: Tuning = {}): Promise<Service> {
  const settable =
    config.SERVICE_TEST_NOW === undefined ? undefined : new SettableClock(config.SERVICE_TEST_NOW);
  const clock: Clock = settable?.read ?? systemClock;
  const version = readVersion();
  const topics = new Topics((topic, error) => log.error({ topic, err: error }, 'listener failed'));
  tellOperator(topics, log);
  const credentials = openCredentials(config, topics, log);
  const clients = new ProviderClients({
    config,
    storedKeys: () => credentials.keys(),
    gateways: async () => tuning.createGateway ?? (await loadGateways()),
  });
  const kvstore = new Backbone({
    url: config.SERVICE_KVSTORE_URL,
    open: opensFirst(tuning.opening, () => openAdapter(config.SERVICE_KVSTORE_URL, config.SERVICE_DATA_DIR)),
    version,
    clock,
    topics,
    onFailure: (what, error) => log.warn({ what, err: error }, 'failed; tried again'),
    onReturn: () => log.info('the key-value store is back'),
    sagas: () => areas.sagas(),
  });
  const settings = new RuntimeSettings(config, kvstore);
  const metrics = new Metrics();
  const areas = new Areas({
    config,
    version,
    log,
    kvstore,
    topics,
    settings,
    clients,
    voiceSessions: noVoiceSessions,
    nliModel: await namedNliModel(config),
    metrics,
    clock,
    wake: settable?.wake ?? systemWake,
  });
  countExhaustions(topics, metrics);
  topics.on(consolidationDeferred, ({ reason }) => metrics.consolidationDeferred.with({ reason }).inc());
  const [{ startRest }, { McpServer }] = await Promise.all([
    import('../interfaces/rest/server.ts'),
    import('../interfaces/mcp/server.ts'),
    kvstore.start(),
  ]);
  await areas.prepare();
  let mcp: McpServer | undefined;
  try {
    const statistics = new RequestStatistics(clock);
    const ports: Ports = { voice: null, mcp: null, health: null };
    const health = registerChecks(kvstore);
    health.register('credentials', () => credentials.check());
    areas.registerChecks(health);
    const eventTypes = eventCatalog.map(({ type }) => type);
    const operations = [
      ...healthOperations({
        health,
        statistics,
        exposition: async () => {
          await areas.background.look();
          return metrics.render();
        },
        clock,
        version,
        voiceSessions: noVoiceSessions,
      }),
      ...systemOperations({ kvstore, clock, ports, probeMachine: () => probe(config) }),
      ...settingsOperations({ kvstore, settings }),
      ...areas.operations(),
      ...credentialOperations({
        config,
        kvstore,
        credentials,
        setupTokens: new SetupTokens(clock),
        tryKey: (scope, apiKey, signal) => tryKey(clients, scope, apiKey, signal),
        onUnrecorded: (error) => log.warn({ err: error }, 'a provider key changed without an event'),
      }),
      ...eventOperations(kvstore, eventTypes),
      ...(settable ? (await import('../interfaces/operations/test.ts')).testOperations(settable) : []),
    ];
    areas.offerTools(operations);
    tuning.onTools?.(areas.tools.registry);
    const buckets = { api: new Buckets(clock), chat: new Buckets(clock) };
    const isShared = /^rediss?:/.test(config.SERVICE_KVSTORE_URL);
    const limits = new RateLimits({ settings, clock, buckets, shared: isShared ? kvstore : undefined });
    const authentication = new Authentication(config.SERVICE_API_KEY, clock);
    const streams = tuning.streams ? { streams: tuning.streams } : {};
    const listening = { config, log, metrics, statistics, authentication, limits, ...streams };
    mcp = new McpServer({
      ...listening,
      registry: areas.tools.registry,
      calls: areas.tools.callsOfClients,
      kvstore,
      eventTypes,
      onFailure: (what, error) => log.warn({ what, err: error }, 'failed in the tool server'),
    });
    health.register('mcp-server', () => mcp?.check());
    ports.mcp = await mcp.listen(config.MCP_PORT);
    const rest = await startRest({ ...listening, operations, version });
    ports.health = rest.port;
    areas.start();
    return {
      ports,
      operations,
      async stop() {
        await Promise.all([kvstore.stopSagas(), areas.stopActing()]);
        // What is waited for over HTTP ends with the turns; all of them still ask memory, models and tools.
        await Promise.all([areas.stopTurns(), rest.stop(), mcp?.stop()]);
        await areas.stop();
        await kvstore.stop();
      },
    };
  } catch (error) {
    await mcp?.stop();
    await kvstore.stop();
    throw error;
  }
}

function opensFirst(
  opening: Promise<StoreAdapter> | undefined,
  again: () => Promise<StoreAdapter>,
): () => Promise<StoreAdapter> {
  let first = opening;
  return () => {
    const adapter = first ?? again();
    first = undefined;
    return adapter;
  };
}

/** Another process on the same data directory may change the stored keys; it says so through the log. */
function openCredentials(config: Config, topics: Topics, log: Logger): Credentials {
  const credentials = new Credentials({
    directory: config.SERVICE_DATA_DIR,
    secret: config.SERVICE_CREDENTIAL_SECRET,
    salt: config.SERVICE_CREDENTIAL_SALT,
    enforceSalt: config.NODE_ENV === 'production',
  });
  const complain = (error: Error) =>
    log.warn({ reason: error.message }, 'stored provider keys are not in use');
  credentials.check().catch(complain);
  topics.on(providerCredentialsUpdated, () => void credentials.check().catch(complain));
  return credentials;
}

/** What whoever runs the service should hear of, although no request failed. */
function tellOperator(topics: Topics, log: Logger): void {
  topics.on(configChanged, ({ changes }) => log.info({ settings: Object.keys(changes) }, 'settings changed'));
  topics.on(instanceLost, (lost) => log.warn(lost, 'a process ended without a word'));
  topics.on(taskAlerted, (alert) => log.warn(alert, 'a scheduled task fails again and again'));
  topics.on(workAbandoned, (work) => log.error(work, 'given up after the last try'));
}

async function loadGateways(): Promise<CreateGateway> {
  return (await import('../gateways/models/createGateway.ts')).createGateway;
}

function countExhaustions(topics: Topics, { billingExhaustion }: Metrics): void {
  topics.on(billingExhausted, ({ providerId, probed }) => {
    if (!probed) billingExhaustion.with({ provider: providerId }).inc();
  });
}

async function probe({ OLLAMA_HOST }: Config) {
  const { probeMachine } = await import('../gateways/machine/probes.ts');
  return probeMachine(OLLAMA_HOST);
}

function registerChecks(kvstore: Kvstore): HealthRegistry {
  const health = new HealthRegistry();
  health.register('kvstore', async () => {
    const { connected, error } = await kvstore.status();
    if (!connected) throw new HarkError('KVSTORE_UNAVAILABLE', error === undefined ? {} : { message: error });
  });
  health.register('event-log', async () => {
    const { store } = kvstore.connected();
    await store.head();
    const { refusals } = await store.status();
    if (refusals?.last) throw refusals.last;
  });
  health.register('projections', async () => {
    const { store, views } = kvstore.connected();
    const head = await store.head();
    if (views.position < head)
      throw new HarkError('CHECK_FAILED', { message: `${head - views.position} events behind the log` });
  });
  return health;
}
