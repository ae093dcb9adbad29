import type { SettableClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { eventCatalog } from '../events/catalog.ts';
import { FiguresOverTime } from '../figuresOverTime.ts';
import type { Credentials } from '../gateways/credentials/credentials.ts';
import { tryKey } from '../gateways/models/keyTrial.ts';
import { HealthRegistry, registerStoreChecks } from '../interfaces/healthRegistry.ts';
import type { AnyOperation } from '../interfaces/operation.ts';
import { backupOperations } from '../interfaces/operations/backups.ts';
import { credentialOperations } from '../interfaces/operations/credentials.ts';
import { eventOperations } from '../interfaces/operations/events.ts';
import { figuresOperations } from '../interfaces/operations/figures.ts';
import { healthOperations } from '../interfaces/operations/health.ts';
import { settingsOperations } from '../interfaces/operations/settings.ts';
import { type Ports, systemOperations } from '../interfaces/operations/system.ts';
import { RequestStatistics } from '../requestStatistics.ts';
import { BackupFolder } from '../store/backupFolder.ts';
import type { Base } from './base.ts';

interface SystemOptions extends Base {
  readonly credentials: Credentials;
  readonly settable: SettableClock | undefined;
  /** To be called before the metrics are read. */
  readonly lookAround: () => Promise<unknown>;
}

/** The wiring of what is about the service itself: its health, settings, keys and events. */
export class System {
  readonly health = new HealthRegistry();
  readonly statistics: RequestStatistics;
  /** Filled in as they are opened. */
  readonly ports: Ports = { voice: null, mcp: null, health: null };
  readonly #options: SystemOptions;
  readonly #backups: BackupFolder;
  readonly #figures: FiguresOverTime;

  constructor(options: SystemOptions) {
    this.#options = options;
    const { config, clock } = options;
    this.#backups = new BackupFolder({
      url: config.SERVICE_KVSTORE_URL,
      dataDirectory: config.SERVICE_DATA_DIR,
      clock,
    });
    this.statistics = new RequestStatistics(options.clock);
    this.#figures = new FiguresOverTime({ ...options, statistics: this.statistics });
    registerStoreChecks(this.health, options.kvstore);
    this.health.register('credentials', async () => {
      await options.credentials.check();
      return undefined;
    });
  }

  async operations(): Promise<readonly AnyOperation[]> {
    const { config, kvstore, log, own, clock, settings, settable } = this.#options;
    const eventTypes = eventCatalog.map(({ type }) => type);
    return [
      ...this.#healthOperations(),
      ...figuresOperations(this.#figures),
      ...systemOperations({
        kvstore,
        clock,
        ports: this.ports,
        notice: config.SERVICE_NOTICE,
        probeMachine: () => probe(config),
      }),
      ...backupOperations({
        backups: this.#backups,
        kvstore,
        onUnrecorded: (error) => log.warn({ err: error }, 'a backup was made or removed without an event'),
      }),
      ...settingsOperations({ own, kvstore, settings }),
      ...this.#credentialOperations(),
      ...eventOperations(kvstore, eventTypes),
      ...(settable ? (await import('../interfaces/operations/test.ts')).testOperations(settable) : []),
    ];
  }

  /** What an earlier process left of a backup goes, though nobody waits for it. */
  start(): void {
    const { log } = this.#options;
    this.#figures.start();
    this.#backups.clear().catch((err) => log.warn({ err }, 'what is left of a backup could not be removed'));
  }

  /** A backup that is being made is given up. */
  stop(): Promise<void> {
    this.#figures.stop();
    return this.#backups.stop();
  }

  #healthOperations(): readonly AnyOperation[] {
    const { clock, version, voiceSessions, metrics, lookAround, config } = this.#options;
    const notice = config.SERVICE_NOTICE;
    const exposition = async () => {
      await lookAround();
      return metrics.render();
    };
    const { health, statistics } = this;
    return healthOperations({ health, statistics, exposition, clock, version, notice, voiceSessions });
  }

  #credentialOperations(): readonly AnyOperation[] {
    const { config, log, kvstore, credentials, clients, setupTokens } = this.#options;
    return credentialOperations({
      config,
      kvstore,
      credentials,
      setupTokens,
      tryKey: (scope, apiKey, signal) => tryKey(clients, scope, apiKey, signal),
      onUnrecorded: (error) => log.warn({ err: error }, 'a provider key changed without an event'),
    });
  }
}

async function probe({ OLLAMA_HOST }: Config) {
  const { probeMachine } = await import('../gateways/machine/probes.ts');
  return probeMachine(OLLAMA_HOST);
}
