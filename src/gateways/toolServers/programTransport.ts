import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Intake } from './intake.ts';

type Program = ChildProcessByStdio<Writable, Readable, null>;

interface ProgramSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly maxResponseBytes: number;
}

/** How long a program may take to end by itself, and then when it is told to. */
const LONGEST_END_MS = 1_500;
/** A program that does not read what it is told must not fill the memory with it. */
const MOST_UNREAD_BYTES = 16_777_216;

/**
 * A tool server that is a program. The SDK's own transport reads as fast as a program writes, so that one that never
 * stops takes the main thread; this one reads no faster than the intake has it.
 */
export class ProgramTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** By this and its `pid` the SDK knows a program: one that is asked what it does not know may end, or say nothing. */
  readonly stderr = null;
  readonly #spec: ProgramSpec;
  readonly #intake: Intake;
  #program: Program | undefined;
  #ended = Promise.resolve();

  constructor(spec: ProgramSpec, intake: Intake) {
    this.#spec = spec;
    this.#intake = intake;
  }

  get pid(): number | null {
    return this.#program?.pid ?? null;
  }

  async start(): Promise<void> {
    const { command, args, env } = this.#spec;
    const program = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    const tell = (error: Error) => this.onerror?.(error);
    // Before its pipes are touched: where the service has no handles left, it is without them, and an error comes.
    await once(program, 'spawn');
    this.#program = program;
    program.stdin.on('error', tell);
    program.on('error', tell).on('close', () => void this.close());
    this.#read(program.stdout).catch(tell);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#program?.stdin;
    if (!stdin?.writable) throw new Error('The program has ended');
    if (stdin.writableLength > MOST_UNREAD_BYTES) this.#intake.cutOff('It does not read its input');
    stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Resolves when it has ended, for everybody who asks: a program must not outlive the service. */
  close(): Promise<void> {
    const program = this.#program;
    if (!program) return this.#ended;
    this.#program = undefined;
    this.#ended = end(program);
    this.#intake.close();
    this.onclose?.();
    return this.#ended;
  }

  async #read(stdout: Readable): Promise<void> {
    const { deserializeMessage } = await import('@modelcontextprotocol/client');
    const { maxResponseBytes } = this.#spec;
    const lines = new Lines(maxResponseBytes, () =>
      this.#intake.cutOff(`It sent a message of more than ${maxResponseBytes} bytes`),
    );
    for await (const chunk of stdout) {
      for (const line of lines.endedBy(chunk)) {
        await this.#intake.take(line.length);
        this.#hear(line.toString(), deserializeMessage);
      }
    }
  }

  /** What is no message is not for us: programs print all sorts of things. */
  #hear(line: string, read: (line: string) => JSONRPCMessage): void {
    try {
      this.onmessage?.(read(line));
    } catch (error) {
      if (!(error instanceof SyntaxError)) this.onerror?.(Object(error));
    }
  }
}

async function end(program: Program): Promise<void> {
  program.stdout.destroy();
  program.stdin.end();
  if (program.exitCode !== null || program.signalCode !== null) return;
  const ended = once(program, 'exit').then(() => true);
  const inTime = () => Promise.race([ended, wait(LONGEST_END_MS, false, { ref: false })]);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (await inTime()) return;
    program.kill(signal);
  }
  await inTime();
}

const LINE_END = 10;

/** Puts the lines of a program together again from the pieces in which they came. */
export class Lines {
  readonly #most: number;
  readonly #onTooLong: () => never;
  #pieces: Buffer[] = [];
  #size = 0;

  constructor(most: number, onTooLong: () => never) {
    this.#most = most;
    this.#onTooLong = onTooLong;
  }

  *endedBy(chunk: Buffer): Generator<Buffer> {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
      this.#keep(chunk.subarray(from, end));
      const line = Buffer.concat(this.#pieces, this.#size);
      this.#pieces = [];
      this.#size = 0;
      from = end + 1;
      yield line;
    }
    this.#keep(chunk.subarray(from));
  }

  #keep(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size > this.#most) this.#onTooLong();
    this.#pieces.push(piece);
  }
}
