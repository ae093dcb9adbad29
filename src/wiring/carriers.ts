import { eventCatalog } from '../events/catalog.ts';
import type { McpOptions, McpServer } from '../interfaces/mcp/server.ts';
import type { AnyOperation } from '../interfaces/operation.ts';
import { Authentication } from '../interfaces/rest/authentication.ts';
import { readCertificate } from '../interfaces/rest/certificate.ts';
import type { Client } from '../interfaces/rest/client.ts';
import type { EventStreamOptions } from '../interfaces/rest/eventStream.ts';
import type { Listener, ListenerOptions } from '../interfaces/rest/listener.ts';
import { RateLimits } from '../interfaces/rest/rateLimits.ts';
import type { RestServer } from '../interfaces/rest/server.ts';
import { VoiceSockets, type VoiceSocketsOptions } from '../interfaces/voice/sockets.ts';
import { Buckets } from '../store/buckets.ts';
import { Announcement } from './announcement.ts';
import type { Base } from './base.ts';
import type { Devices } from './devices.ts';
import type { System } from './system.ts';
import type { Tools } from './tools.ts';

interface CarriersOptions extends Base {
  readonly system: System;
  readonly tools: Tools;
  readonly devices: Pick<Devices, 'known' | 'live' | 'serviceId'>;
  readonly operations: readonly AnyOperation[];
  readonly streams: EventStreamOptions | undefined;
  readonly voice: Pick<VoiceSocketsOptions, 'rooms' | 'capturing'>;
  /** Listens there for Home Assistant. */
  readonly wyoming: (port: number, mayAsk: (client: Client) => Promise<boolean>) => Promise<Listening>;
}

interface Listening {
  readonly port: number;
  stop(): Promise<void>;
}

/** What brings the operations to whoever asks: the REST API, the tool server, and the WebSockets of voice. */
export class Carriers {
  readonly #options: CarriersOptions;
  readonly #tls: ListenerOptions['tls'];
  readonly #announcement: Announcement;
  readonly #voiceSockets: VoiceSockets;
  /** From the first moment on, while the store starts. */
  readonly #loading = loadServers();
  #mcp: McpServer | undefined;
  #rest: RestServer | undefined;
  #voice: Listener | undefined;
  #wyoming: Listening | undefined;

  constructor(options: CarriersOptions) {
    this.#options = options;
    this.#tls = readCertificate(options.config);
    const { system, devices } = options;
    const { health } = system;
    this.#voiceSockets = new VoiceSockets({ ...options.voice, log: options.log, liveDevices: devices.live });
    this.#announcement = new Announcement({ ...options, health, serviceId: () => devices.serviceId() });
  }

  async start(): Promise<void> {
    const { config, log, operations, version, system } = this.#options;
    const { Listener, McpServer, startRest } = await this.#loading;
    const listening = this.#listening();
    this.#mcp = new McpServer(this.#mcpOptions(listening));
    system.health.register('mcp-server', () => {
      this.#mcp?.check();
      return undefined;
    });
    const speaking = { ...listening, upgrades: this.#voiceSockets };
    this.#voice = new Listener(speaking);
    this.#voice.refuseTheRest();
    const ports = [this.#mcp.listen(config.MCP_PORT), this.#voice.listen(config.AUDIO_PORT)] as const;
    // One that is stopped while it begins to listen would listen all the same, and the process never end.
    await Promise.allSettled(ports);
    [system.ports.mcp, system.ports.voice] = await Promise.all(ports);
    await this.#listenToWyoming(listening);
    this.#rest = await startRest({ ...speaking, operations, version });
    system.ports.health = this.#rest.port;
    const onFailure = (error: unknown) => log.warn({ err: error }, 'not announced on the local network');
    void this.#announcement.start(this.#rest.port).catch(onFailure);
  }

  async stop(): Promise<void> {
    const listeners = [this.#rest, this.#mcp, this.#voice];
    await Promise.all(
      [this.#announcement, this.#voiceSockets, this.#wyoming, ...listeners].map((one) => one?.stop()),
    );
  }

  /** Its turns count as those of chat by the same address do. */
  async #listenToWyoming({ limits }: ListenerOptions): Promise<void> {
    const { config, system, wyoming } = this.#options;
    if (config.WYOMING_PORT === undefined) return;
    const mayAsk = async (client: Client) => (await limits.take('chat', client, true)).allowed;
    this.#wyoming = await wyoming(config.WYOMING_PORT, mayAsk);
    system.ports.wyoming = this.#wyoming.port;
  }

  #mcpOptions(listening: ListenerOptions): McpOptions {
    const { log, tools, kvstore } = this.#options;
    return {
      ...listening,
      registry: tools.registry,
      calls: tools.callsOfClients,
      kvstore,
      eventTypes: eventCatalog.map(({ type }) => type),
      onFailure: (what, error) => log.warn({ what, err: error }, 'failed in the tool server'),
    };
  }

  #listening(): ListenerOptions {
    const { config, log, metrics, system, settings, clock, kvstore, streams } = this.#options;
    const buckets = { api: new Buckets(clock), chat: new Buckets(clock), v1: new Buckets(clock) };
    const isShared = /^rediss?:/.test(config.SERVICE_KVSTORE_URL);
    const limits = new RateLimits({ settings, clock, buckets, shared: isShared ? kvstore : undefined });
    const authentication = new Authentication(config.SERVICE_API_KEY, clock);
    const { statistics } = system;
    const { known, live } = this.#options.devices;
    const asked = { authentication, limits, devices: known, liveDevices: live };
    const shared = { config, log, clock, metrics, statistics, ...asked, tls: this.#tls };
    return { ...shared, ...(streams ? { streams } : {}) };
  }
}

async function loadServers() {
  const [{ McpServer }, { startRest }, { Listener }] = await Promise.all([
    import('../interfaces/mcp/server.ts'),
    import('../interfaces/rest/server.ts'),
    import('../interfaces/rest/listener.ts'),
  ]);
  return { Listener, McpServer, startRest };
}
