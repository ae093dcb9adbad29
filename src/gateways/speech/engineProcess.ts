import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type EngineFrame, FrameReader, frameOf, fromEngine, jsonBody, jsonOf, toEngine } from './frames.ts';
import { Outage } from './outage.ts';
import { residentMegabytes } from './residentMegabytes.ts';
import { startProgram } from './startProgram.ts';

/** What the process says of itself once it is ready. */
interface EngineFacts {
  readonly voices: readonly string[];
  readonly isStreaming: boolean;
}

/**
 * It ends with its input, unless it hangs: then it would outlive a service that is killed. Linux kills it with the one that
 * started it, where it is told to.
 */
const SETPRIV = '/usr/bin/setpriv';
const STARTER: readonly [string, ...string[]] = existsSync(SETPRIV)
  ? [SETPRIV, '--pdeathsig', 'KILL', process.execPath]
  : [process.execPath];

/** Why there is no answer. The words are of this module, or of a library that has not seen anything of the user yet. */
export class EngineLost extends Error {
  override readonly name = 'EngineLost';
}

export interface EngineProcessOptions {
  /** A file beside this one, that calls `serve`. */
  readonly script: URL;
  /** What it is to open; told once, and never an argument that others on the machine could read. */
  readonly spec: unknown;
  readonly mostMegabytes: number;
  readonly startingMs?: number;
  /** How long it may stay silent when it is asked whether it is there. */
  readonly silenceMs?: number;
  /** Without work for this long it ends, and its memory is free. */
  readonly idleMs?: number;
}

/** Takes what the engine says about one job. */
export interface JobListener {
  take(kind: number, body: Buffer): void;
  lost(error: EngineLost): void;
}

export interface EngineJob {
  send(kind: number, body?: Uint8Array): void;
  /** Nothing more is wanted of it. */
  close(): void;
  /** The engine answers, but not to this: it is ended, and all that it works on is lost. */
  giveUp(why: string): void;
}

interface Running {
  readonly child: ChildProcess;
  readonly stdin: Writable;
  readonly facts: EngineFacts;
}

const STARTING_MS = 60_000;
const SILENCE_MS = 10_000;
const IDLE_MS = 10 * 60_000;
const LOOK_MS = 1_000;
/** Some minutes of speech: what takes in less than comes hangs. */
const MOST_WAITING_BYTES = 8 * 1_024 * 1_024;
const LONGEST_REASON = 200;
const NOT_STARTED = 'it could not be started';

/**
 * A process that hears or speaks, watched: it starts with the first job or before it, ends when it is idle, and is ended when it
 * does not answer, says what is none, or takes too much memory. After a failure it is only tried again once a pause is over
 * that grows with each. Its work is lost then, and those who gave it are told.
 */
export class EngineProcess {
  readonly #options: EngineProcessOptions;
  readonly #jobs = new Map<number, JobListener>();
  #lastJob = 0;
  #running: Promise<Running> | undefined;
  #child: ChildProcess | undefined;
  readonly #outage = new Outage();
  #idle: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** When it last said anything. */
  #heardAt = 0;

  constructor(options: EngineProcessOptions) {
    this.#options = options;
  }

  get outage(): Pick<Outage, 'broken' | 'lastFailure'> {
    return this.#outage;
  }

  /** For tests and for what measures it. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** It waits for work for as long as after its last. */
  async prepare(): Promise<void> {
    await this.#ready();
    this.#rest();
  }

  /** Rejects with `EngineLost` where the engine cannot be had. */
  async open(listener: JobListener): Promise<EngineJob> {
    const { child, stdin } = await this.#ready();
    if (this.#child !== child) throw new EngineLost(this.#outage.lastFailure ?? 'it ended');
    const id = ++this.#lastJob;
    if (this.#jobs.size === 0) this.#heardAt = performance.now();
    this.#jobs.set(id, listener);
    clearTimeout(this.#idle);
    return {
      send: (kind, body) => {
        if (this.#child !== child || !this.#jobs.has(id)) return;
        this.#write(child, kind, id, body);
        if (stdin.writableLength > MOST_WAITING_BYTES) this.#fail(child, 'it does not take what it is given');
      },
      close: () => {
        if (this.#jobs.delete(id)) this.#rest();
      },
      giveUp: (why) => {
        if (this.#jobs.has(id)) this.#fail(child, why);
      },
    };
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#end('it is stopped');
  }

  #ready(): Promise<Running> {
    if (this.#isStopped) return Promise.reject(new EngineLost('it is stopped'));
    const why = this.#outage.broken;
    if (why !== undefined) return Promise.reject(new EngineLost(why));
    if (this.#running) return this.#running;
    const starting = this.#start();
    this.#running = starting;
    // One that failed before it had begun is no less tried again.
    starting.catch(() => {
      if (this.#running === starting) this.#running = undefined;
    });
    return starting;
  }

  async #start(): Promise<Running> {
    const { script, spec, startingMs = STARTING_MS } = this.#options;
    const [program, ...before] = STARTER;
    const args = [...before, '--disable-warning=ExperimentalWarning', fileURLToPath(script)];
    const child = startProgram(program, args, {
      // With nothing of what the service keeps secret.
      env: { PATH: process.env.PATH ?? '' },
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    });
    const { stdin, stderr } = child ?? {};
    const out = child?.stdio[3];
    if (!child || !stdin || !stderr || !(out instanceof Socket)) {
      this.#outage.begin(NOT_STARTED);
      throw new EngineLost(NOT_STARTED);
    }
    this.#child = child;
    const said = new LastLine(stderr);
    const { promise, resolve, reject } = Promise.withResolvers<EngineFacts>();
    const late = setTimeout(() => this.#fail(child, 'it took too long to start'), startingMs);
    const watch = setInterval(() => void this.#look(child), LOOK_MS);
    watch.unref();
    let isReady = false;
    const reader = new FrameReader();
    out.on('data', (piece: Buffer) => {
      try {
        for (const frame of reader.take(piece)) {
          this.#heardAt = performance.now();
          if (frame.kind !== fromEngine.ready) this.#take(frame);
          else {
            isReady = true;
            resolve(factsOf(jsonOf(frame.body)));
          }
        }
      } catch {
        this.#fail(child, 'it answered with something else than frames');
      }
    });
    const ended = (why: string) => {
      clearTimeout(late);
      clearInterval(watch);
      if (this.#child === child) this.#fail(child, why);
      reject(new EngineLost(this.#outage.lastFailure ?? why));
    };
    out.on('error', () => undefined);
    stdin.on('error', () => undefined);
    child.once('error', () => ended(NOT_STARTED));
    child.once('exit', (code, signal) => {
      const how = `it ended with ${signal ?? `code ${code}`}`;
      // Once it is ready it has heard things of the user, and may print them.
      ended(isReady || said.line === '' ? how : `${how}: ${said.line}`);
    });
    this.#heardAt = performance.now();
    this.#write(child, toEngine.open, 0, jsonBody(spec));
    const facts = await promise.finally(() => clearTimeout(late));
    this.#rest();
    return { child, stdin, facts };
  }

  #take({ kind, job, body }: EngineFrame): void {
    if (kind === fromEngine.pong) return;
    const listener = this.#jobs.get(job);
    if (!listener) return;
    if (kind === fromEngine.heard || kind === fromEngine.spoken || kind === fromEngine.detected)
      this.#outage.end();
    listener.take(kind, body);
  }

  /** Whether it is there, and how large it is. */
  async #look(child: ChildProcess): Promise<void> {
    const { mostMegabytes, silenceMs = SILENCE_MS } = this.#options;
    const megabytes = await residentMegabytes(child.pid);
    if (this.#child !== child) return;
    if (megabytes > mostMegabytes) return this.#fail(child, `it took more than ${mostMegabytes} MB`);
    if (this.#jobs.size === 0) return;
    if (performance.now() - this.#heardAt > silenceMs + LOOK_MS)
      return this.#fail(child, 'it does not answer');
    this.#write(child, toEngine.ping, 0);
  }

  #write(child: ChildProcess, kind: number, job: number, body?: Uint8Array): void {
    const { stdin } = child;
    if (!stdin?.writable) return;
    stdin.cork();
    for (const piece of frameOf(kind, job, body)) stdin.write(piece);
    stdin.uncork();
  }

  #fail(child: ChildProcess, why: string): void {
    if (this.#child !== child) return;
    this.#outage.begin(why);
    void this.#end(why);
  }

  #rest(): void {
    if (this.#jobs.size > 0) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#end('it was idle'), this.#options.idleMs ?? IDLE_MS);
    this.#idle.unref();
  }

  async #end(why: string): Promise<void> {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = undefined;
    this.#running = undefined;
    const lost = [...this.#jobs.values()];
    this.#jobs.clear();
    for (const listener of lost) listener.lost(new EngineLost(why));
    if (!child || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    // It keeps nothing that an orderly end would save.
    child.kill('SIGKILL');
    await gone;
  }
}

function factsOf(told: unknown): EngineFacts {
  const { voices, isStreaming } =
    typeof told === 'object' && told !== null ? { voices: [], isStreaming: false, ...told } : none;
  const named = Array.isArray(voices) ? voices.filter((voice) => typeof voice === 'string') : [];
  return { voices: named, isStreaming: isStreaming === true };
}

const none = { voices: [], isStreaming: false };

/** What a process printed last, shortened; what it prints is read on, so that it never waits for it. */
class LastLine {
  #text = '';

  constructor(stream: Readable) {
    stream.setEncoding('utf8');
    stream.on('data', (piece: string) => {
      this.#text = (this.#text + piece).slice(-4_096);
    });
    stream.on('error', () => undefined);
  }

  /** Without the folders of what it names. */
  get line(): string {
    const lines = this.#text.split('\n').map((line) => line.trim());
    const last = lines.findLast((line) => line !== '') ?? '';
    return last.replaceAll(/(?:\/[\w.@-]+)*\/(?=[\w.@-])/g, '').slice(0, LONGEST_REASON);
  }
}
