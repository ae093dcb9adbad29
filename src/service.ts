import { Backbone } from './backbone.ts';
import { type Clock, SettableClock, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { HarkError } from './errors.ts';
import { eventCatalog } from './events/catalog.ts';
import { configChanged } from './events/settings.ts';
import { instanceLost, workAbandoned } from './events/system.ts';
import { HealthRegistry } from './interfaces/healthRegistry.ts';
import type { Kvstore } from './interfaces/kvstore.ts';
import type { AnyOperation } from './interfaces/operation.ts';
import { eventOperations } from './interfaces/operations/events.ts';
import { healthOperations } from './interfaces/operations/health.ts';
import { settingsOperations } from './interfaces/operations/settings.ts';
import { type Ports, systemOperations } from './interfaces/operations/system.ts';
import type { EventStreamOptions } from './interfaces/rest/eventStream.ts';
import { RateLimits } from './interfaces/rest/rateLimits.ts';
import { RuntimeSettings } from './interfaces/runtimeSettings.ts';
import type { Logger } from './logger.ts';
import { Metrics } from './metrics.ts';
import { RequestStatistics } from './requestStatistics.ts';
import type { StoreAdapter } from './store/adapter.ts';
import { Buckets } from './store/buckets.ts';
import { openAdapter } from './store/open.ts';
import { Topics } from './topics.ts';
import { readVersion } from './version.ts';

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
}

/** The one place that wires: store, projections and sagas (the backbone), operations, and what carries them. */
export async function startService(config: Config, log: Logger, tuning: Tuning = {}): Promise<Service> {
  const settable =
    config.SERVICE_TEST_NOW === undefined ? undefined : new SettableClock(config.SERVICE_TEST_NOW);
  const clock: Clock = settable?.read ?? systemClock;
  const version = readVersion();
  const topics = new Topics((topic, error) => log.error({ topic, err: error }, 'listener failed'));
  tellOperator(topics, log);
  const kvstore = new Backbone({
    url: config.SERVICE_KVSTORE_URL,
    open: opensFirst(tuning.opening, () => openAdapter(config.SERVICE_KVSTORE_URL, config.SERVICE_DATA_DIR)),
    version,
    clock,
    topics,
    onFailure: (what, error) => log.warn({ what, err: error }, 'failed; tried again'),
  });
  const [{ startRest }] = await Promise.all([import('./interfaces/rest/server.ts'), kvstore.start()]);
  try {
    const settings = new RuntimeSettings(config, kvstore);
    const metrics = new Metrics();
    const statistics = new RequestStatistics(clock);
    const ports: Ports = { voice: null, mcp: null, health: null };
    const operations = [
      ...healthOperations({ health: registerChecks(kvstore), statistics, metrics, clock, version }),
      ...systemOperations({ kvstore, clock, ports, probeMachine: () => probe(config) }),
      ...settingsOperations({ kvstore, settings }),
      ...eventOperations(
        kvstore,
        eventCatalog.map(({ type }) => type),
      ),
      ...(settable ? (await import('./interfaces/operations/test.ts')).testOperations(settable) : []),
    ];
    const buckets = { api: new Buckets(clock), chat: new Buckets(clock) };
    const isShared = /^rediss?:/.test(config.SERVICE_KVSTORE_URL);
    const limits = new RateLimits({ settings, clock, buckets, shared: isShared ? kvstore : undefined });
    const carried = { config, log, clock, metrics, statistics, limits, operations, version };
    const rest = await startRest({ ...carried, ...(tuning.streams ? { streams: tuning.streams } : {}) });
    ports.health = rest.port;
    return {
      ports,
      operations,
      async stop() {
        await rest.stop();
        await kvstore.stop();
      },
    };
  } catch (error) {
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

/** What whoever runs the service should hear of, although no request failed. */
function tellOperator(topics: Topics, log: Logger): void {
  topics.on(configChanged, ({ changes }) => log.info({ settings: Object.keys(changes) }, 'settings changed'));
  topics.on(instanceLost, (lost) => log.warn(lost, 'a process ended without a word'));
  topics.on(workAbandoned, (work) => log.error(work, 'given up after the last try'));
}

async function probe({ OLLAMA_HOST }: Config) {
  const { probeMachine } = await import('./gateways/machine/probes.ts');
  return probeMachine(OLLAMA_HOST);
}

function registerChecks(kvstore: Kvstore): HealthRegistry {
  const health = new HealthRegistry();
  health.register('kvstore', async () => {
    const { connected, error } = await kvstore.status();
    if (!connected) throw new HarkError('KVSTORE_UNAVAILABLE', error === undefined ? {} : { message: error });
  });
  health.register('event-log', async () => {
    await kvstore.connected().store.head();
  });
  health.register('projections', async () => {
    const { store, views } = kvstore.connected();
    const head = await store.head();
    if (views.position < head)
      throw new HarkError('CHECK_FAILED', { message: `${head - views.position} events behind the log` });
  });
  return health;
}
