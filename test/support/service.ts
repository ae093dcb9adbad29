import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { AnyOperation } from '../../src/interfaces/operation.ts';
import type { Ports } from '../../src/interfaces/operations/system.ts';
import { createLogger } from '../../src/logger.ts';
import { startService } from '../../src/wiring/service.ts';

type Environment = Readonly<Record<string, string>>;

/** The moment at which the clock of a started service stands until a test moves it. */
export const TEST_NOW = 1_700_000_000_000;

/**
 * How long an answer of a started service waits for a model that adds to it: in the field some tenths of a second, after
 * which it goes without. Here a busy machine would decide by that what is found.
 */
const PATIENCE_MS = 60_000;

/** What a test started and, because it failed, did not stop: it would keep the test's process alive. */
const running = new Set<{ stop(): Promise<unknown> }>();
afterAll(() => Promise.all(Array.from(running, (left) => left.stop())));

interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

/** What a test sends: a method and path, and the rest where it matters. */
interface Sent {
  readonly headers?: Record<string, string>;
  /** Sent as JSON, unless it is text already. */
  readonly body?: unknown;
}

/** What a 429 says of its limit: how much, what is left of it, and when there is more. */
export function limitIn(headers: Headers): readonly (string | null)[] {
  return ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
}

/** A started service, over its real socket. */
export class ServiceUnderTest {
  readonly port: number;
  readonly url: string;

  constructor(port: number) {
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
  }

  async ask<Body = Record<string, unknown>>(
    method: string,
    path: string,
    sent: Sent = {},
  ): Promise<Answer<Body>> {
    const { headers = {}, body } = sent;
    const answer = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') && text !== '';
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  }

  get<Body = Record<string, unknown>>(path: string, headers: Record<string, string> = {}) {
    return this.ask<Body>('GET', path, { headers });
  }

  put(path: string, body: unknown, headers: Record<string, string> = {}) {
    return this.ask('PUT', path, { body, headers });
  }

  /** Sends bytes as they are, and resolves with all that came back until the connection was closed. */
  raw(bytes: string | Buffer): Promise<string> {
    return new Promise((resolve) => {
      const received: Buffer[] = [];
      const socket = connect(this.port, '127.0.0.1', () => socket.write(bytes));
      socket.on('data', (chunk) => received.push(chunk));
      // A reset is one of the ways in which a connection is closed.
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(Buffer.concat(received).toString('latin1')));
    });
  }
}

/** In this process, so that its log can be read; everything else as it is in the field. */
export class InProcessService extends ServiceUnderTest {
  readonly operations: readonly AnyOperation[];
  readonly #lines: string[];
  readonly #log: EventEmitter;
  readonly #stop: () => Promise<void>;

  readonly mcpUrl: string;
  readonly voicePort: number;
  /** Where it is on. */
  readonly wyomingPort: number | undefined;

  private constructor(
    { health, mcp, voice, wyoming }: Readonly<Ports>,
    operations: readonly AnyOperation[],
    lines: string[],
    log: EventEmitter,
    stop: () => Promise<void>,
  ) {
    assert(health !== null && mcp !== null && voice !== null);
    super(health);
    this.mcpUrl = `http://127.0.0.1:${mcp}/mcp`;
    this.voicePort = voice;
    this.wyomingPort = wyoming;
    this.operations = operations;
    this.#lines = lines;
    this.#log = log;
    this.#stop = stop;
  }

  static async start(
    environment: Environment = {},
    tuning: Parameters<typeof startService>[2] = {},
  ): Promise<InProcessService> {
    const directory = mkdtempSync(join(tmpdir(), 'hark-service-'));
    const lines: string[] = [];
    const config = readConfig({ ...defaults(directory), LOG_LEVEL: 'trace', ...environment });
    const written = new EventEmitter();
    const write = (line: string) => {
      lines.push(line);
      written.emit('line');
    };
    const log = createLogger(config.LOG_LEVEL, { write });
    const remove = () => rmSync(directory, { recursive: true, force: true });
    const service = await startService(config, log, { patienceMs: PATIENCE_MS, ...tuning }).catch((error) => {
      remove();
      throw error;
    });
    const started = new InProcessService(service.ports, service.operations, lines, written, async () => {
      await service.stop();
      remove();
    });
    running.add(started);
    return started;
  }

  get logged(): string {
    return this.#lines.join('');
  }

  /** Resolves when as many lines as are asked for have been logged that match. */
  async logs(pattern: RegExp, times = 1): Promise<void> {
    while (this.#lines.filter((line) => pattern.test(line)).length < times) await once(this.#log, 'line');
  }

  advance(ms: number) {
    return this.ask('POST', '/api/test/clock', { body: { advanceMs: ms } });
  }

  async stop(): Promise<void> {
    if (running.delete(this)) await this.#stop();
  }
}

/** A process of its own, as `hark start` runs it. */
export class ServiceProcess {
  readonly directory = mkdtempSync(join(tmpdir(), 'hark-process-'));
  readonly child: ChildProcess;
  readonly lines: string[] = [];
  stderr = '';
  readonly #exited: Promise<number | null>;

  constructor(environment: Environment = {}) {
    const main = join(import.meta.dirname, '../../src/main.ts');
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, ...defaults(this.directory), ...environment };
    this.child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child.stderr?.on('data', (chunk) => {
      this.stderr += chunk;
    });
    if (this.child.stdout) createInterface(this.child.stdout).on('line', (line) => this.lines.push(line));
    this.#exited = once(this.child, 'close').then(([code]) => {
      running.delete(this);
      rmSync(this.directory, { recursive: true, force: true });
      return code;
    });
    running.add(this);
  }

  /** Resolves when it listens. */
  async ready(): Promise<ServiceUnderTest> {
    assert(this.child.stdout);
    await Promise.race([once(this.child.stdout, 'data'), this.#exited]);
    assert(this.lines[0], `It did not start: ${this.stderr}`);
    return new ServiceUnderTest(JSON.parse(this.lines[0]).ports.health);
  }

  exitCode(): Promise<number | null> {
    return this.#exited;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.#exited;
  }
}

function defaults(directory: string): Environment {
  return {
    NODE_ENV: 'test',
    HEALTH_PORT: '0',
    MCP_PORT: '0',
    AUDIO_PORT: '0',
    SERVICE_DATA_DIR: directory,
    SERVICE_KVSTORE_URL: 'memory',
    SERVICE_TEST_NOW: String(TEST_NOW),
    // Else what is done in the background would wait for as long as this machine is busy with tests.
    SERVICE_BACKGROUND_WORK_POLICY: 'always',
    // No test fetches a model from the network.
    SERVICE_NLI_ENABLED: 'false',
  };
}

/** The parts of a stream of server-sent events, as they come. */
export class EventReader {
  /** What the stream began with. */
  readonly headers: Headers;
  readonly #reader: ReadableStreamDefaultReader<string>;
  readonly #abort: AbortController;
  #text = '';

  private constructor(headers: Headers, reader: ReadableStreamDefaultReader<string>, abort: AbortController) {
    this.headers = headers;
    this.#reader = reader;
    this.#abort = abort;
  }

  /** With a body it is posted, as JSON. */
  static async open(url: string, headers: Record<string, string> = {}, body?: unknown): Promise<EventReader> {
    const abort = new AbortController();
    const answer = await fetch(url, {
      signal: abort.signal,
      ...(body === undefined
        ? { headers }
        : {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify(body),
          }),
    });
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/);
    assert(answer.body);
    return new EventReader(
      answer.headers,
      answer.body.pipeThrough(new TextDecoderStream()).getReader(),
      abort,
    );
  }

  /** The next message; undefined when the stream ended. A slow test may hear comments in between. */
  async next(): Promise<Record<string, string> | undefined> {
    for (;;) {
      const part = await this.nextOrComment();
      if (!part || 'data' in part) return part;
    }
  }

  async nextOrComment(): Promise<Record<string, string> | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end !== -1) {
        const part = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return Object.fromEntries(part.split('\n').map(splitField));
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += value;
    }
  }

  close(): void {
    this.#abort.abort();
  }
}

function splitField(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
}
