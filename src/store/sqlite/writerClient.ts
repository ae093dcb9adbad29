import { Worker } from 'node:worker_threads';
import { type ErrorCode, HarkError } from '../../errors.ts';
import type { AppendResult, RawAppend } from '../adapter.ts';
import type { Reply, Request, WriterCalls } from './messages.ts';
import { packAppends, unpackResults } from './packing.ts';

/** One group on its way to the disk, one being gathered and decoded: the writer never waits for work. */
const GROUPS_IN_FLIGHT = 2;
const LARGEST_GROUP = 512;

interface Waiting<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** The main thread's end of the writer: gathers what is appended in one turn of the loop into one commit. */
export class WriterClient {
  readonly #worker: Worker;
  readonly #answers = new Map<number, Waiting<unknown>>();
  readonly #groups = new Map<number, readonly Waiting<AppendResult>[]>();
  /** As far as the writer said last. */
  indexedUntil = 0;
  #queued: RawAppend[] = [];
  #waiting: Waiting<AppendResult>[] = [];
  #inFlight = 0;
  #flushing = false;
  #lastId = 0;
  /** Set once the thread has ended, by itself or because it was closed: it answers nothing any more. */
  #gone: HarkError | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (message: Reply) => this.#receive(message));
    worker.on('error', (cause) => this.#failAll(new HarkError('KVSTORE_UNAVAILABLE', { cause })));
  }

  static async open(file: string): Promise<WriterClient> {
    const worker = new Worker(new URL('./writer.ts', import.meta.url), { workerData: { file } });
    await new Promise<void>((resolve, reject) => {
      worker.once('error', reject);
      worker.once('message', (message: Reply) => {
        worker.off('error', reject);
        if (message.kind === 'opened') resolve();
        else if (message.kind === 'failed') reject(toError(message.code, message.message));
      });
    });
    return new WriterClient(worker);
  }

  get isGone(): boolean {
    return this.#gone !== undefined;
  }

  append(append: RawAppend): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      if (this.#gone) return reject(this.#gone);
      this.#queued.push(append);
      this.#waiting.push({ resolve, reject });
      this.#flushSoon();
    });
  }

  async call<Name extends keyof WriterCalls>(
    name: Name,
    ...args: Parameters<WriterCalls[Name]>
  ): Promise<ReturnType<WriterCalls[Name]>> {
    // What was appended before must be written before.
    this.#flush(Number.POSITIVE_INFINITY);
    return (await this.#send({ kind: 'call', id: ++this.#lastId, name, args })) as ReturnType<
      WriterCalls[Name]
    >;
  }

  async close(): Promise<void> {
    this.#flush(Number.POSITIVE_INFINITY);
    try {
      if (!this.#gone) await this.#send({ kind: 'close', id: ++this.#lastId });
    } finally {
      this.#gone ??= new HarkError('KVSTORE_UNAVAILABLE');
      await this.#worker.terminate();
    }
  }

  #send(request: Exclude<Request, { kind: 'appends' }>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#gone) return reject(this.#gone);
      this.#answers.set(request.id, { resolve, reject });
      this.#worker.postMessage(request);
    });
  }

  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flushing = false;
      this.#flush(GROUPS_IN_FLIGHT);
    });
  }

  #flush(mostInFlight: number): void {
    if (this.#queued.length === 0 || this.#groups.size >= mostInFlight) return;
    const id = ++this.#lastId;
    // An even share of all that is under way: of a large and a small group, the writer would idle after the small.
    const share = Math.ceil((this.#queued.length + this.#inFlight) / GROUPS_IN_FLIGHT);
    const size = Math.min(share, LARGEST_GROUP);
    const appends = this.#queued.splice(0, size);
    this.#groups.set(id, this.#waiting.splice(0, size));
    this.#inFlight += appends.length;
    this.#worker.postMessage({ kind: 'appends', id, appends: packAppends(appends) } satisfies Request);
    if (this.#queued.length > 0) this.#flush(mostInFlight);
  }

  #receive(message: Reply): void {
    switch (message.kind) {
      case 'opened':
        return;
      case 'appended': {
        const results = unpackResults(message.results);
        this.indexedUntil = message.indexedUntil;
        this.#settleGroup(message.id, (waiting, index) => {
          const result = results[index];
          if (result) waiting.resolve(result);
        });
        return;
      }
      case 'answered':
        this.#answers.get(message.id)?.resolve(message.value);
        this.#answers.delete(message.id);
        return;
      case 'failed': {
        const error = toError(message.code, message.message);
        this.#answers.get(message.id)?.reject(error);
        this.#answers.delete(message.id);
        this.#settleGroup(message.id, (waiting) => waiting.reject(error));
      }
    }
  }

  #settleGroup(id: number, settle: (waiting: Waiting<AppendResult>, index: number) => void): void {
    const group = this.#groups.get(id);
    this.#groups.delete(id);
    this.#inFlight -= group?.length ?? 0;
    group?.forEach(settle);
    if (this.#queued.length > 0) this.#flushSoon();
  }

  #failAll(error: HarkError): void {
    this.#gone = error;
    for (const { reject } of this.#answers.values()) reject(error);
    for (const group of this.#groups.values()) for (const { reject } of group) reject(error);
    for (const { reject } of this.#waiting) reject(error);
    this.#answers.clear();
    this.#groups.clear();
    this.#queued = [];
    this.#waiting = [];
  }
}

function toError(code: string, message: string): Error {
  return code === 'INTERNAL'
    ? new Error(message)
    : new HarkError(code as ErrorCode, message ? { message } : {});
}
