import type { ToolRegistry } from '../application/chat/toolRegistry.ts';
import { Grace } from '../application/timeout.ts';
import { OpenVoiceSessions } from '../application/voice/openSessions.ts';
import { type Clock, SettableClock, systemClock, systemWake } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Credentials } from '../gateways/credentials/credentials.ts';
import { type CreateGateway, ProviderClients } from '../gateways/models/clients.ts';
import type { AnyOperation } from '../interfaces/operation.ts';
import type { Ports } from '../interfaces/operations/system.ts';
import type { EventStreamOptions } from '../interfaces/rest/eventStream.ts';
import { RuntimeSettings } from '../interfaces/runtimeSettings.ts';
import { SetupTokens } from '../interfaces/setupTokens.ts';
import type { VoiceSocketsOptions } from '../interfaces/voice/sockets.ts';
import type { Logger } from '../logger.ts';
import { Metrics } from '../metrics.ts';
import { lookForOnnxruntime } from '../onnxruntime.ts';
import type { StoreAdapter } from '../store/adapter.ts';
import { openAdapter } from '../store/open.ts';
import { readVersion } from '../version.ts';
import { VoiceStatistics } from '../voiceStatistics.ts';
import { Areas } from './areas.ts';
import { Backbone } from './backbone.ts';
import type { Base } from './base.ts';
import { Carriers } from './carriers.ts';
import { namedNliModel } from './contradictions.ts';
import { openCredentials } from './credentials.ts';
import { countNews, tellOperator } from './news.ts';
import { namedModels } from './speechModels.ts';
import { System } from './system.ts';
import { Topics } from './topics.ts';

export interface Service {
  readonly ports: Readonly<Ports>;
  readonly operations: readonly AnyOperation[];
  /** Where a browser goes on with the setup, and may; undefined where none is needed. */
  setupAddress(): Promise<string | undefined>;
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
  readonly voiceRooms?: VoiceSocketsOptions['rooms'];
  readonly patienceMs?: number;
}

/** Wires what all areas share, the areas, and what carries their operations. */
export async function startService(config: Config, log: Logger, tuning: Tuning = {}): Promise<Service> {
  const settable =
    config.SERVICE_TEST_NOW === undefined ? undefined : new SettableClock(config.SERVICE_TEST_NOW);
  lookForOnnxruntime(config.SERVICE_DATA_DIR);
  const topics = new Topics((topic, error) => log.error({ topic, err: error }, 'listener failed'));
  const credentials = openCredentials(config, topics, log);
  const kvstore = new Backbone({
    url: config.SERVICE_KVSTORE_URL,
    open: opensFirst(tuning.opening, () => openAdapter(config.SERVICE_KVSTORE_URL, config.SERVICE_DATA_DIR)),
    version: readVersion(),
    clock: settable?.read ?? systemClock,
    wake: settable?.wake ?? systemWake,
    topics,
    onFailure: (what, error, correlationId) =>
      log.warn({ what, correlationId, err: error }, 'failed; trying again'),
    onReturn: () => log.info('the key-value store is back'),
    sagas: () => areas.sagas(),
  });
  const base = await baseOf({ config, log, kvstore, topics, credentials, settable, tuning });
  tellOperator(topics, log);
  countNews(base);
  const areas = new Areas(base);
  const { tools, devices } = areas;
  const system = new System({ ...base, credentials, settable, lookAround: () => areas.lookAround() });
  areas.registerChecks(system.health);
  const operations = [...(await system.operations()), ...areas.operations(system.ports)];
  areas.offerTools(operations);
  tuning.onTools?.(tools.registry);
  const voice = {
    rooms: tuning.voiceRooms ?? (() => areas.voice.rooms()),
    capturing: {
      ...{ intake: areas.intake, waveOf, clock: base.clock },
      onGap: () => {
        base.voiceStatistics.gaps++;
      },
    },
  };
  const carriers = new Carriers({
    ...{ ...base, system, tools, devices, operations, voice },
    streams: tuning.streams,
    wyoming: (port, mayAsk) => areas.listenToWyoming(port, mayAsk),
  });
  await startAll(kvstore, system, areas, carriers);
  return {
    ports: system.ports,
    operations,
    setupAddress: () => areas.setupAddress(system.ports.health ?? config.HEALTH_PORT),
    stop: () => stopAll(kvstore, system, areas, carriers),
  };
}

async function waveOf(samples: Int16Array, rate: number): Promise<Uint8Array> {
  const { writeWave } = await import('../gateways/speech/wave.ts');
  return writeWave(samples, rate);
}

interface BaseParts extends Pick<Base, 'config' | 'log' | 'kvstore' | 'topics'> {
  readonly credentials: Credentials;
  readonly settable: SettableClock | undefined;
  readonly tuning: Tuning;
}

async function baseOf({ credentials, settable, tuning, ...base }: BaseParts): Promise<Base> {
  const { config } = base;
  const clock = settable?.read ?? systemClock;
  const own = await ownState(base, clock);
  const clients = new ProviderClients({
    config,
    storedKeys: () => credentials.keys(),
    gateways: async () => tuning.createGateway ?? (await loadGateways()),
  });
  const metrics = new Metrics();
  return {
    ...base,
    version: readVersion(),
    own,
    settings: new RuntimeSettings(config, own),
    clients,
    voiceSessions: new OpenVoiceSessions(clock),
    voiceStatistics: new VoiceStatistics(clock, (stage, ms) =>
      metrics.voiceStage.observe({ stage }, ms / 1_000),
    ),
    nliModel: await namedNliModel(config),
    namedModels: await namedModels(config),
    metrics,
    clock,
    wake: settable?.wake ?? systemWake,
    setupTokens: new SetupTokens(clock),
    patienceMs: tuning.patienceMs,
  };
}

/** In the store, unless there is to be none. */
async function ownState(
  { config, kvstore, topics }: Pick<Base, 'config' | 'kvstore' | 'topics'>,
  clock: Clock,
) {
  if (config.SERVICE_KVSTORE_URL !== 'none') return kvstore;
  const { StateInMemory } = await import('../application/providers/stateInMemory.ts');
  const { openLogInMemory } = await import('../store/memory/log.ts');
  return StateInMemory.start({
    clock,
    openLog: openLogInMemory,
    publish: (events) => topics.publish(events),
  });
}

async function startAll(kvstore: Backbone, system: System, areas: Areas, carriers: Carriers): Promise<void> {
  await kvstore.start();
  await areas.prepare();
  try {
    await carriers.start();
    kvstore.startSagas();
    areas.start();
    system.start();
  } catch (error) {
    await carriers.stop();
    await kvstore.stop();
    throw error;
  }
}

async function stopAll(kvstore: Backbone, system: System, areas: Areas, carriers: Carriers): Promise<void> {
  const grace = new Grace();
  const stopWork = async () => {
    // First what begins turns, and then those.
    await Promise.all([kvstore.stopSagas(), areas.stopActing(grace)]);
    await areas.stopTurns(grace);
  };
  // What is waited for over HTTP ends with it; all of it still asks memory, models and tools.
  await Promise.all([stopWork(), system.stop(), carriers.stop()]);
  await areas.stop();
  await kvstore.stop();
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

async function loadGateways(): Promise<CreateGateway> {
  return (await import('../gateways/models/createGateway.ts')).createGateway;
}
