import { unwatchFile, watchFile } from 'node:fs';
import { join } from 'node:path';
import type { ToolRegistry } from '../application/chat/toolRegistry.ts';
import { ToolServer } from '../application/chat/toolServer.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { configChanged } from '../events/settings.ts';
import { NotOurOwn, readOwnFile } from '../gateways/ownFile.ts';
import type { AnyOperation } from '../interfaces/operation.ts';
import { toolServerOperations } from '../interfaces/operations/toolServers.ts';
import type { RuntimeSettings } from '../interfaces/runtimeSettings.ts';
import {
  BadToolServerFile,
  readToolServerFile,
  readToolServerSetting,
  type ToolServerSpec,
} from '../toolServerSpec.ts';
import type { Topics } from './topics.ts';

const FILE = 'tool-servers.json';
const LOOK_AT_FILE_MS = 2_000;

interface ToolServersOptions {
  readonly config: Config;
  readonly settings: Pick<RuntimeSettings, 'value'>;
  readonly registry: ToolRegistry;
  readonly topics: Topics;
  readonly clock: Clock;
  readonly version: string;
  readonly onFailure: (what: string, reason: string) => void;
  readonly onBadFile: (problem: string) => void;
}

/** The wiring of the tool servers of others: those in the file, and those that settings name. */
export class ToolServers {
  readonly #options: ToolServersOptions;
  readonly #path: string;
  /** By what describes them: one that is described otherwise is another. */
  #servers = new Map<string, ToolServer>();
  #ofFile: readonly ToolServerSpec[] = [];
  /** Why the file as it is now cannot be used. */
  #problem: string | undefined;
  #reading: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: ToolServersOptions) {
    this.#options = options;
    this.#path = join(options.config.SERVICE_DATA_DIR, FILE);
  }

  operations(): readonly AnyOperation[] {
    return toolServerOperations({
      list: () => this.#all().map(({ status }) => status),
      problem: () => this.#problem,
      probe: async (name) => {
        const server = this.#all().find(({ status }) => status.name === name);
        const startedAt = performance.now();
        await server?.refresh();
        return server && { server: server.status, ms: Math.round(performance.now() - startedAt) };
      },
    });
  }

  start(): void {
    this.#options.topics.on(configChanged, ({ changes }) => {
      if ('toolServers' in changes) this.#arrange();
    });
    watchFile(this.#path, { interval: LOOK_AT_FILE_MS, persistent: false }, () => this.#read());
    this.#read();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    unwatchFile(this.#path);
    await this.#reading;
    await Promise.all(this.#all().map((server) => server.stop()));
  }

  #all(): readonly ToolServer[] {
    return [...this.#servers.values()];
  }

  /** A file that cannot be read leaves the servers as they were. */
  #read(): void {
    this.#reading = this.#reading
      .then(async () => {
        const text = await readOwnFile(this.#path).catch(notThere);
        this.#ofFile = text === undefined ? [] : readToolServerFile(text);
        this.#problem = undefined;
      })
      .catch((error) => this.#refuseFile(error))
      .then(() => this.#arrange());
  }

  #refuseFile(error: unknown): void {
    const isTold = error instanceof BadToolServerFile || error instanceof NotOurOwn;
    const why = isTold ? error.message : `cannot be read (${Object(error).code})`;
    this.#problem = `${FILE} cannot be used: ${why}`;
    this.#options.onBadFile(this.#problem);
  }

  /** Those of the file come first: settings cannot take a name or a prefix from them. */
  #arrange(): void {
    if (this.#isStopped) return;
    const wanted = new Map<string, ToolServerSpec>();
    const taken = new Set<string>();
    for (const spec of [...this.#ofFile, ...this.#ofSettings()]) {
      const words = [`name ${spec.name}`, `prefix ${spec.prefix}`];
      if (words.some((word) => taken.has(word))) continue;
      for (const word of words) taken.add(word);
      wanted.set(JSON.stringify(spec), spec);
    }
    for (const [key, server] of this.#servers) {
      if (wanted.has(key)) continue;
      this.#servers.delete(key);
      void server.stop();
    }
    for (const [key, spec] of wanted) if (!this.#servers.has(key)) this.#servers.set(key, this.#begin(spec));
  }

  #ofSettings(): readonly ToolServerSpec[] {
    return readToolServerSetting(String(this.#options.settings.value('toolServers')));
  }

  #begin(spec: ToolServerSpec): ToolServer {
    const { registry, clock, version, onFailure } = this.#options;
    const server = new ToolServer({
      spec,
      connect: async (to, events) => {
        const { connectToolServer } = await import('../gateways/toolServers/connection.ts');
        return connectToolServer(to, version, events);
      },
      registry,
      clock,
      onFailure,
    });
    server.start();
    return server;
  }
}

function notThere(error: unknown): undefined {
  if (Object(error).code !== 'ENOENT') throw error;
}
