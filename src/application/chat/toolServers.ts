import type { ToolServerFile } from '../../gateways/toolServers/serverFile.ts';
import type { ToolServerSpec } from '../../toolServerSpec.ts';
import { ToolServer, type ToolServerOptions, type ToolServerStatus } from './toolServer.ts';
import type { ToolServerJournal } from './toolServerJournal.ts';

interface ToolServersOptions extends Omit<ToolServerOptions, 'spec' | 'onLooked'> {
  readonly journal: Pick<ToolServerJournal, 'note' | 'keep' | 'stop'>;
  readonly file: Pick<ToolServerFile, 'read' | 'watch'>;
  readonly settings: {
    servers(): readonly ToolServerSpec[];
    watch(onChange: () => void): void;
  };
  readonly onBadFile: (problem: string) => void;
}

export interface ProbedServer {
  readonly server: ToolServerStatus;
  readonly ms: number;
  /** By the names by which models call them. */
  readonly tools: readonly string[];
}

/** The tool servers of others: those in the file, and those that settings name. */
export class ToolServers {
  readonly #options: ToolServersOptions;
  /** By what describes them: one that is described otherwise is another. */
  readonly #servers = new Map<string, ToolServer>();
  #ofFile: readonly ToolServerSpec[] = [];
  #problem: string | undefined;
  #reading: Promise<void> = Promise.resolve();
  #unwatch: (() => void) | undefined;
  #isStopped = false;

  constructor(options: ToolServersOptions) {
    this.#options = options;
  }

  list(): readonly ToolServerStatus[] {
    return this.#all().map(({ status }) => status);
  }

  /** Why the file as it is now cannot be used. */
  problem(): string | undefined {
    return this.#problem;
  }

  /** Asks one of them for its tools, after connecting where it is not connected; undefined where there is none. */
  async probe(name: string): Promise<ProbedServer | undefined> {
    const server = this.#all().find(({ status }) => status.name === name);
    const startedAt = performance.now();
    await server?.refresh();
    const ms = Math.round(performance.now() - startedAt);
    return server && { server: server.status, ms, tools: server.toolNames };
  }

  start(): void {
    const { file, settings } = this.#options;
    settings.watch(() => this.#arrange());
    this.#unwatch = file.watch(() => this.#read());
    this.#read();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#options.journal.stop();
    this.#unwatch?.();
    await this.#reading;
    await Promise.all(this.#all().map((server) => server.stop()));
  }

  #all(): readonly ToolServer[] {
    return [...this.#servers.values()];
  }

  /** A file that cannot be used leaves the servers as they were. */
  #read(): void {
    this.#reading = this.#reading.then(async () => {
      const { file, onBadFile } = this.#options;
      const read = await file.read();
      this.#problem = 'problem' in read ? read.problem : undefined;
      if ('servers' in read) this.#ofFile = read.servers;
      else onBadFile(read.problem);
      this.#arrange();
    });
  }

  /** Those of the file come first: settings cannot take a name or a prefix from them. */
  #arrange(): void {
    if (this.#isStopped) return;
    const wanted = new Map<string, ToolServerSpec>();
    const taken = new Set<string>();
    for (const spec of [...this.#ofFile, ...this.#options.settings.servers()]) {
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
    this.#options.journal.keep(Array.from(wanted.values(), ({ name }) => name));
    for (const [key, spec] of wanted) if (!this.#servers.has(key)) this.#servers.set(key, this.#begin(spec));
  }

  #begin(spec: ToolServerSpec): ToolServer {
    const { journal } = this.#options;
    const server = new ToolServer({ ...this.#options, spec, onLooked: (found) => journal.note(found) });
    server.start();
    return server;
  }
}
