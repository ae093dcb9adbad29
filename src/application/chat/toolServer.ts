import type { FoundToolServer } from '../../commands/tools/toolServers.ts';
import type {
  ConnectionEvents,
  ForeignTool,
  ToolServerConnection,
} from '../../gateways/toolServers/connection.ts';
import type { ToolServerSpec } from '../../toolServerSpec.ts';
import { foreignTool } from './foreignTool.ts';
import { type Tool, ToolFailure } from './tool.ts';
import type { ToolRegistry } from './toolRegistry.ts';

/** A server that has nothing to tell is asked for its tools now and then: so it is noticed that it is gone. */
const LOOK_EVERY_MS = 30_000;
/** However often it says that its tools changed. */
const LOOK_AGAIN_MS = 1_000;
/** So many names of tools are told when a server was looked at. */
const MOST_NAMES = 64;

const SYSTEM_CODE = /^(ADDRESS_REFUSED|E[A-Z0-9]+|EAI_[A-Z]+|ERR_TLS_\w+|(CERT|DEPTH|SELF|UNABLE)_\w+)$/;

type Connect = (spec: ToolServerSpec, events: ConnectionEvents) => Promise<ToolServerConnection>;

export interface ToolServerStatus {
  readonly name: string;
  readonly prefix: string;
  readonly state: 'connecting' | 'connected' | 'disconnected';
  readonly version?: string;
  readonly tools: number;
  /** Tools that cannot be offered: nameless, without a schema that can be read, or too many. */
  readonly refused: number;
  readonly connectedAt?: number;
  readonly error?: string;
}

export interface ToolServerOptions {
  readonly spec: ToolServerSpec;
  readonly connect: Connect;
  readonly registry: Pick<ToolRegistry, 'ownerOf' | 'replace' | 'unregister'>;
  readonly clock: () => number;
  readonly onFailure: (what: string, reason: string) => void;
  /** Told how it is whenever somebody looked at it. */
  readonly onLooked: (found: FoundToolServer) => void;
}

/**
 * One tool server of somebody else: connected to, asked what it has, and connected to again. Its tools are registered
 * for as long as it is there; what it does wrong ends in its own tools.
 */
export class ToolServer {
  readonly #options: ToolServerOptions;
  readonly #source: string;
  #connection: ToolServerConnection | undefined;
  #connecting: Promise<void> | undefined;
  #status: Omit<ToolServerStatus, 'name' | 'prefix'> = { state: 'disconnected', tools: 0, refused: 0 };
  /** As models call them. */
  #toolNames: readonly string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #lookedAt = 0;
  #hasNews = false;
  #calls = 0;
  readonly #stopping = new AbortController();

  constructor(options: ToolServerOptions) {
    this.#options = options;
    this.#source = `the tool server ${options.spec.name}`;
  }

  get status(): ToolServerStatus {
    const { name, prefix } = this.#options.spec;
    return { name, prefix, ...this.#status };
  }

  get toolNames(): readonly string[] {
    return this.#toolNames;
  }

  start(): void {
    void this.refresh();
  }

  /** Connects where it is not connected, and asks for the tools. Never throws: the status tells. */
  refresh(): Promise<void> {
    this.#connecting ??= this.#refresh().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    this.#options.registry.unregister(this.#source);
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close().catch(() => undefined);
    await this.#connecting;
  }

  async #refresh(): Promise<void> {
    clearTimeout(this.#timer);
    this.#lookedAt = performance.now();
    this.#hasNews = false;
    try {
      const connection = this.#connection ?? (await this.#connect());
      this.#offer(connection, await connection.list());
      this.#later(this.#hasNews ? LOOK_AGAIN_MS : LOOK_EVERY_MS);
    } catch (error) {
      await this.#lost(error);
    }
  }

  /** Its tools changed: it is asked for them once for all that it says meanwhile, also while it is being asked. */
  #hearNews(): void {
    if (this.#hasNews) return;
    this.#hasNews = true;
    if (!this.#connecting) this.#later(Math.max(0, this.#lookedAt + LOOK_AGAIN_MS - performance.now()));
  }

  async #connect(): Promise<ToolServerConnection> {
    const { spec, connect } = this.#options;
    this.#status = { ...this.#status, state: 'connecting' };
    let cutOff: ToolFailure | undefined;
    const connection = await connect(spec, {
      signal: this.#stopping.signal,
      onToolsChanged: () => this.#hearNews(),
      onCutOff: (why) => {
        cutOff ??= new ToolFailure(why);
      },
      onClose: () => {
        if (this.#connection === connection)
          void this.#lost(cutOff ?? new ToolFailure('The connection was closed'));
      },
    }).catch((error) => {
      throw cutOff ?? error;
    });
    if (this.#stopping.signal.aborted) {
      await connection.close();
      throw new ToolFailure('No longer wanted');
    }
    this.#connection = connection;
    return connection;
  }

  #offer({ version }: ToolServerConnection, listed: readonly ForeignTool[]): void {
    const { spec, registry, clock } = this.#options;
    const tools = new Map<string, Tool>();
    const run: Parameters<typeof foreignTool>[0]['run'] = (work) => this.#run(work);
    for (const foreign of listed.slice(0, spec.maxTools)) {
      const tool = foreignTool({ spec, run }, foreign);
      const owner = tool && registry.ownerOf(tool.name);
      if (tool && !tools.has(tool.name) && (owner === undefined || owner === this.#source))
        tools.set(tool.name, tool);
    }
    if (this.#stopping.signal.aborted) return;
    registry.replace(this.#source, [...tools.values()]);
    this.#toolNames = [...tools.keys()];
    const connectedAt = this.#status.connectedAt ?? clock();
    this.#status = {
      state: 'connected',
      ...(version === undefined ? {} : { version }),
      tools: tools.size,
      refused: listed.length - tools.size,
      connectedAt,
    };
    this.#tellOffer();
  }

  /** Tools are named in the order of the alphabet: a server may list them in another one each time. */
  #tellOffer(): void {
    const { spec, onLooked } = this.#options;
    const { version, tools, refused } = this.#status;
    const names = this.#toolNames.toSorted().slice(0, MOST_NAMES);
    const { name, prefix } = spec;
    onLooked({ name, prefix, ...(version === undefined ? {} : { version }), tools, names, refused });
  }

  async #run<Result>(work: (connection: ToolServerConnection) => Promise<Result>): Promise<Result> {
    const { name, maxCalls } = this.#options.spec;
    const connection = this.#connection;
    if (!connection) throw new ToolFailure(`The tool server ${name} is not connected`);
    if (this.#calls >= maxCalls) throw new ToolFailure(`The tool server ${name} is busy; try again`);
    this.#calls++;
    try {
      return await work(connection);
    } catch (error) {
      if (error instanceof ToolFailure) throw error;
      // Whether it is gone shows when it is asked for its tools.
      void this.refresh();
      throw new ToolFailure(`The tool server ${name} sent an invalid answer`, { cause: error });
    } finally {
      this.#calls--;
    }
  }

  async #lost(error: unknown): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const { spec, registry, onFailure, onLooked } = this.#options;
    const connection = this.#connection;
    this.#connection = undefined;
    const reason = reasonOf(error);
    if (this.#status.error !== reason) onFailure(this.#source, reason);
    this.#status = { state: 'disconnected', tools: 0, refused: 0, error: reason };
    this.#toolNames = [];
    onLooked({ name: spec.name, prefix: spec.prefix, error: reason });
    registry.unregister(this.#source);
    await connection?.close().catch(() => undefined);
    if (spec.autoReconnect) this.#later(spec.reconnectInterval);
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#stopping.signal.aborted) this.#timer = setTimeout(() => void this.refresh(), ms).unref();
  }
}

/**
 * What it said is its own, and may hold anything; that goes nowhere. Neither does its status: whoever may set addresses
 * could else find out what answers where.
 */
function reasonOf(error: unknown): string {
  if (error instanceof ToolFailure) return error.message;
  const code = systemCodeOf(error);
  if (code === 'ADDRESS_REFUSED') return 'A tool server must not be at a link-local or metadata address';
  return code === undefined ? 'No tool server answers at this address' : `It cannot be reached (${code})`;
}

/** What the operating system, or a certificate, has against it. */
function systemCodeOf(error: unknown): string | undefined {
  const { code, cause } = Object(error);
  const isOfSystem = typeof code === 'string' && SYSTEM_CODE.test(code);
  return isOfSystem ? code : cause === undefined ? undefined : systemCodeOf(cause);
}
