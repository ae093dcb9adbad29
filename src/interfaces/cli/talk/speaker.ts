import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { SoundProgram } from './soundPrograms.ts';

/** Where the speech of a reply goes. */
export interface Speaker {
  /** A reply begins. */
  begin(): void;
  play(samples: Int16Array): void;
  /** How much of the reply has been heard by now, in milliseconds. */
  heardMs(): number;
  /** What has not been heard will not be. */
  cut(): void;
  /** Resolves when all of the reply has been heard. */
  finish(): Promise<void>;
}

/** Between the pipe and the ear. */
const LATENCY_MS = 120;

/** A program that plays, begun anew for each reply: ending it is the only way to take back what it was given. */
export class ProgramSpeaker implements Speaker {
  readonly #program: SoundProgram;
  readonly #rate: number;
  readonly #now: () => number;
  #child: ChildProcess | undefined;
  #startedAt: number | undefined;
  #given = 0;

  constructor(program: SoundProgram, rate: number, now = () => performance.now()) {
    this.#program = program;
    this.#rate = rate;
    this.#now = now;
  }

  begin(): void {
    this.cut();
    const { command, args } = this.#program;
    const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'ignore'] });
    // It may be gone before what it was given: that is told by how it ends.
    child.stdin?.on('error', () => undefined);
    child.on('error', () => undefined);
    this.#child = child;
    this.#startedAt = undefined;
    this.#given = 0;
  }

  play(samples: Int16Array): void {
    this.#startedAt ??= this.#now();
    this.#given += samples.length;
    this.#child?.stdin?.write(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
  }

  heardMs(): number {
    if (this.#startedAt === undefined) return 0;
    const given = (this.#given / this.#rate) * 1_000;
    return Math.round(Math.max(0, Math.min(given, this.#now() - this.#startedAt - LATENCY_MS)));
  }

  cut(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  async finish(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.stdin?.end();
    await once(child, 'close').catch(() => undefined);
  }
}

/** Keeps what is said, for a file: it is heard as soon as it comes. */
export class Recording implements Speaker {
  readonly #rate: number;
  readonly #parts: Int16Array[] = [];
  #given = 0;

  constructor(rate: number) {
    this.#rate = rate;
  }

  get samples(): Int16Array {
    const all = new Int16Array(this.#parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  begin(): void {
    this.#given = 0;
  }

  play(samples: Int16Array): void {
    this.#parts.push(samples);
    this.#given += samples.length;
  }

  heardMs(): number {
    return Math.round((this.#given / this.#rate) * 1_000);
  }

  cut(): void {}

  async finish(): Promise<void> {}
}
