import type { ChildProcess } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { EngineListening, HeardWords, HearingEngine, ListenOptions } from './engine.ts';
import { EngineLost } from './engineProcess.ts';
import { samplesBody } from './frames.ts';
import { Outage } from './outage.ts';
import { residentMegabytes } from './residentMegabytes.ts';
import { startProgram } from './startProgram.ts';
import type { WordTime } from './wordTimes.ts';

const PROGRAM = 'pocketsphinx_continuous';
const MODEL = '/usr/share/pocketsphinx/model/en-us/en-us';
const MOST_AT_ONCE = 4;
const MOST_MEGABYTES = 1_000;
const MOST_WAITING_BYTES = 16 * 1_024 * 1_024;
const ANSWER_MS = 30_000;
const LOOK_MS = 1_000;
const IDLE_MS = 5 * 60_000;
const NOT_STARTED = 'it could not be started';

interface PocketsphinxOptions {
  /** The program; where it is found by itself, see `findPocketsphinx`. */
  readonly program: string;
  /** A file of what may be said (JSGF). Without it anything may, and is understood worse. */
  readonly grammar?: string | undefined;
}

/** Where it is installed, with the model that comes with it. */
export async function findPocketsphinx(path = process.env.PATH ?? ''): Promise<string | undefined> {
  const places = path.split(delimiter).filter((folder) => folder !== '');
  for (const program of places.map((folder) => join(folder, PROGRAM)))
    if (await isThere(program, constants.X_OK))
      return (await isThere(MODEL, constants.R_OK)) ? program : undefined;
  return undefined;
}

function isThere(path: string, how: number): Promise<boolean> {
  return access(path, how).then(
    () => true,
    () => false,
  );
}

/**
 * The program of CMU, one process an utterance: it hears by its standard input, understands while it hears, and ends when
 * that ends. One waits with its model loaded, so that an utterance need not wait for that.
 */
export class Pocketsphinx implements HearingEngine {
  readonly id = 'pocketsphinx';
  readonly engine = 'pocketsphinx';
  readonly languages = ['en'];
  readonly #options: PocketsphinxOptions;
  readonly #utterances = new Set<Utterance>();
  #waiting: Utterance | undefined;
  #idle: NodeJS.Timeout | undefined;
  readonly #outage = new Outage();
  #isStopped = false;

  constructor(options: PocketsphinxOptions) {
    this.#options = options;
  }

  get broken(): string | undefined {
    return this.#outage.broken;
  }

  get lastFailure(): string | undefined {
    return this.#outage.lastFailure;
  }

  /** For tests and for what measures them. */
  get pids(): readonly number[] {
    return [...this.#utterances].flatMap(({ pid }) => pid ?? []);
  }

  async listen({ onWords, onLost }: ListenOptions): Promise<EngineListening> {
    const why = this.#isStopped ? 'it is stopped' : this.broken;
    if (why !== undefined) throw new EngineLost(why);
    if (this.#utterances.size - (this.#waiting ? 1 : 0) >= MOST_AT_ONCE)
      throw new EngineLost('too many speak at once');
    const utterance = this.#take();
    utterance.onWords = onWords;
    let isWanted = true;
    const heard = utterance.gone.then((how): HeardWords => {
      if (how === undefined) {
        this.#outage.end();
        return utterance.heard();
      }
      if (isWanted) this.#lost(how);
      throw new EngineLost(how);
    });
    heard.catch(() => isWanted && onLost());
    return {
      hear: (samples) => utterance.hear(samples),
      end: () => {
        utterance.end();
        return heard;
      },
      cancel: () => {
        isWanted = false;
        utterance.kill();
      },
    };
  }

  async prepare(): Promise<void> {
    if (this.#isStopped || this.broken !== undefined) return;
    this.#waiting ??= this.#spawn();
    this.#restLater();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#idle);
    for (const utterance of this.#utterances) utterance.kill();
    await Promise.all(Array.from(this.#utterances, ({ gone }) => gone));
  }

  /** What ended one may have ended the one that waits too: the next is a new one. */
  #lost(how: string): void {
    this.#outage.begin(how);
    this.#waiting?.kill();
    this.#waiting = undefined;
  }

  /** The one that waits, or a new one; and the next begins to load. */
  #take(): Utterance {
    const utterance = this.#waiting ?? this.#spawn();
    this.#waiting = this.#spawn();
    this.#restLater();
    return utterance;
  }

  #restLater(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#waiting?.kill(), IDLE_MS);
    this.#idle.unref();
  }

  #spawn(): Utterance {
    const { program, grammar } = this.#options;
    const utterance = new Utterance(program, grammar);
    this.#utterances.add(utterance);
    void utterance.gone.then(() => {
      this.#utterances.delete(utterance);
      if (this.#waiting === utterance) this.#waiting = undefined;
    });
    return utterance;
  }
}

/**
 * Its processes. It wants a pipe to read from, and what Node has for one is a socket: `cat` stands in between. The shell
 * says which process it became.
 */
const SHELL = `cat | sh -c 'echo $$; exec nice -n 5 "$@"' sh "$@"`;

class Utterance {
  /** Undefined where it could not be started. */
  readonly #child: ChildProcess | undefined;
  readonly #words = new SaidWords();
  #late: NodeJS.Timeout | undefined;
  #ended: string | undefined;
  /** Resolves with how it ended, where that was not in order. */
  readonly gone: Promise<string | undefined>;
  onWords: (text: string) => void = () => undefined;

  constructor(program: string, grammar: string | undefined) {
    const args = ['-infile', '/dev/stdin', '-time', 'yes', '-logfn', '/dev/null'];
    const given = grammar === undefined ? args : [...args, '-jsgf', grammar];
    const child = startProgram('sh', ['-c', SHELL, 'sh', program, ...given], {
      env: { PATH: process.env.PATH ?? '' },
      stdio: ['pipe', 'pipe', 'ignore'],
      // A group of their own, to be ended together. Their input ends with the service.
      detached: true,
    });
    this.#child = child;
    this.gone = child ? this.#watched(child) : Promise.resolve(NOT_STARTED);
  }

  get pid(): number | undefined {
    return this.#words.pid;
  }

  hear(samples: Int16Array): void {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) return;
    stdin.write(samplesBody(samples));
    if (stdin.writableLength > MOST_WAITING_BYTES) this.kill('it does not take what it is given');
  }

  end(): void {
    if (!this.#child) return;
    this.#child.stdin?.end();
    this.#late = setTimeout(() => this.kill('it did not answer in time'), ANSWER_MS);
  }

  heard(): HeardWords {
    return this.#words.heard();
  }

  kill(why = 'it is stopped'): void {
    if (!this.#child) return;
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    this.#ended ??= why;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // They have ended already.
    }
  }

  #watched(child: ChildProcess): Promise<string | undefined> {
    const { stdin, stdout } = child;
    stdin?.on('error', () => undefined);
    stdout?.setEncoding('utf8');
    stdout?.on('data', (piece: string) => {
      if (this.#words.take(piece)) this.onWords(this.#words.text);
    });
    const watch = setInterval(() => void this.#look(), LOOK_MS);
    watch.unref();
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const over = (how: string | undefined) => {
      clearInterval(watch);
      clearTimeout(this.#late);
      resolve(this.#ended ?? how);
    };
    child.once('error', () => over(NOT_STARTED));
    child.once('close', (code, signal) =>
      over(code === 0 ? undefined : `it ended with ${signal ?? `code ${code}`}`),
    );
    return promise;
  }

  async #look(): Promise<void> {
    if ((await residentMegabytes(this.pid)) > MOST_MEGABYTES)
      this.kill(`it took more than ${MOST_MEGABYTES} MB`);
  }
}

/** The words that it prints with their times, one a line, among lines of what it understood. */
class SaidWords {
  readonly #words: WordTime[] = [];
  #rest = '';
  /** The first line. */
  pid: number | undefined;

  get text(): string {
    return this.#words.map(({ word }) => word).join(' ');
  }

  /** Whether there are more now. */
  take(piece: string): boolean {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop() ?? '';
    const before = this.#words.length;
    for (const line of lines) {
      this.pid ??= Number(line);
      const [, word = '', start, end, confidence] = /^(\S+) ([\d.]+) ([\d.]+) ([\d.]+)$/.exec(line) ?? [];
      // Silence, noise and the ends of a sentence are no words. `(2)` is another way to say it.
      if (word === '' || /^[<[+]/.test(word)) continue;
      const said = word.replace(/\(\d+\)$/, '');
      this.#words.push({
        word: said,
        start: Number(start),
        end: Number(end),
        confidence: Math.min(1, Number(confidence)),
      });
    }
    return this.#words.length > before;
  }

  heard(): HeardWords {
    return { text: this.text, words: this.#words };
  }
}
