import { type Config, isLoopback } from '../config.ts';
import type { Advertiser } from '../gateways/mdns/advertiser.ts';
import type { HealthRegistry } from '../interfaces/healthRegistry.ts';
import type { Logger } from '../logger.ts';

interface AnnouncementOptions {
  readonly config: Config;
  readonly version: string;
  readonly log: Logger;
  readonly health: HealthRegistry;
  readonly serviceId: () => Promise<string>;
}

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
const NOTES = {
  starting: 'Not announced yet',
  advertised: 'Announced on the local network',
  failed: 'Not announced: it failed three times',
  stopped: 'Not announced any more',
} as const;

/** Tells the local network of the service, where that is wanted and others could reach it. */
export class Announcement {
  readonly #options: AnnouncementOptions;
  #advertiser: Advertiser | undefined;
  #isStopped = false;

  constructor(options: AnnouncementOptions) {
    this.#options = options;
    const { config, health } = options;
    if (!config.SERVICE_MDNS_ENABLED) return;
    health.register('mdns', () =>
      this.#isReachable
        ? NOTES[this.#advertiser?.state ?? 'starting']
        : { status: 'off', note: 'hark listens on loopback alone' },
    );
  }

  /** `port` is where the REST API listens. */
  async start(port: number): Promise<void> {
    const { config, version, log, serviceId } = this.#options;
    if (!config.SERVICE_MDNS_ENABLED || !this.#isReachable) return;
    const { Advertiser } = await import('../gateways/mdns/advertiser.ts');
    const id = await serviceId();
    const { SERVICE_HOST: host, SERVICE_TLS_CERT: certificate } = config;
    const tls = certificate === undefined ? '0' : '1';
    const advertisement = {
      name: `hark ${id.slice(0, 4)}`,
      port,
      txt: { id, version, path: '/api', tls },
      ...(EVERYWHERE.has(host) ? {} : { interfaces: [host] }),
    };
    const onFailure = (failures: number) => log.warn({ failures }, 'not announced on the local network');
    if (this.#isStopped) return;
    this.#advertiser = new Advertiser({ advertisement, onFailure });
    this.#advertiser.start();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#advertiser?.stop();
  }

  get #isReachable(): boolean {
    return !isLoopback(this.#options.config.SERVICE_HOST);
  }
}
