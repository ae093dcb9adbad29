import { Worker } from 'node:worker_threads';
import { type ErrorCode, HarkError } from '../../errors.ts';
import type { AppendResult, RawAppend } from '../adapter.ts';
import { AppendQueue } from '../appendQueue.ts';
import type { Reply, Request, WriterCalls, WriterData } from './messages.ts';
import { packAppends, unpackResults } from './packing.ts';

const LARGEST_GROUP = 512;

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: unknown): void;
}

type Unsent<Sent = Request> = Sent extends Request ? Omit<Sent, 'id'> : never;

/** The main thread's end of one writer. */
export class WriterClient {
  readonly #worker: Worker;
  readonly #onEnded: () => void;
  readonly #answers = new Map<number, Waiting>();
  readonly #queue = new AppendQueue((appends) => this.#write(appends), LARGEST_GROUP);
  /** As far as the writer said last. */
  indexedUntil = 0;
  #lastId = 0;
  /** Set once the thread has ended, by itself or because it was closed: it answers nothing any more. */
  #gone: HarkError | undefined;

  private constructor(worker: Worker, onEnded: () => void) {
    this.#worker = worker;
    this.#onEnded = onEnded;
    worker.on('message', (message: Reply) => this.#receive(message));
    worker.on('messageerror', (cause) => this.#end(cause));
    worker.on('error', (cause) => this.#end(cause));
    worker.on('exit', (code) => this.#end(new Error(`The thread ended with ${code}`)));
  }

  /** `onEnded` is called when the thread ends unasked, after all that waited for it was refused. */
  static async open(data: WriterData, onEnded = () => {}): Promise<WriterClient> {
    const worker = new Worker(new URL('./writer.ts', import.meta.url), { workerData: data });
    await new Promise<void>((resolve, reject) => {
      worker.once('error', reject);
      worker.once('exit', (code) => reject(ended(new Error(`The thread ended with ${code}`))));
      worker.once('message', (message: Reply) => {
        if (message.kind === 'opened') resolve();
        else if (message.kind === 'failed') reject(toError(message.code, message.message));
      });
    });
    return new WriterClient(worker, onEnded);
  }

  append(append: RawAppend): Promise<AppendResult> {
    return this.#queue.append(append);
  }

  async call<Name extends keyof WriterCalls>(
    name: Name,
    ...args: Parameters<WriterCalls[Name]>
  ): Promise<ReturnType<WriterCalls[Name]>> {
    // What was appended before must be written before.
    this.#queue.flush();
    const reply = await this.#send({ kind: 'call', name, args });
    return (reply.kind === 'answered' ? reply.value : undefined) as ReturnType<WriterCalls[Name]>;
  }

  async close(): Promise<void> {
    this.#queue.flush();
    try {
      if (!this.#gone) await this.#send({ kind: 'close' });
    } finally {
      this.#gone ??= ended();
      await this.#worker.terminate();
    }
  }

  async #write(appends: readonly RawAppend[]): Promise<readonly AppendResult[]> {
    const reply = await this.#send({ kind: 'appends', appends: packAppends(appends) });
    if (reply.kind !== 'appended') return [];
    this.indexedUntil = reply.indexedUntil;
    return unpackResults(reply.results);
  }

  #send(request: Unsent): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.#gone) return reject(this.#gone);
      const id = ++this.#lastId;
      this.#answers.set(id, { resolve, reject });
      this.#worker.postMessage({ ...request, id } satisfies Request);
    });
  }

  #receive(reply: Reply): void {
    if (reply.kind === 'opened') return;
    const waiting = this.#answers.get(reply.id);
    this.#answers.delete(reply.id);
    if (reply.kind === 'failed') waiting?.reject(toError(reply.code, reply.message));
    else waiting?.resolve(reply);
  }

  #end(cause: unknown): void {
    if (this.#gone) return;
    this.#gone = ended(cause);
    for (const { reject } of this.#answers.values()) reject(this.#gone);
    this.#answers.clear();
    void this.#worker.terminate();
    this.#onEnded();
  }
}

function ended(cause?: unknown): HarkError {
  return new HarkError('KVSTORE_UNAVAILABLE', {
    message: 'The writer of the log ended and is restarted',
    cause,
  });
}

function toError(code: string, message: string): Error {
  return code === 'INTERNAL'
    ? new Error(message)
    : new HarkError(code as ErrorCode, message ? { message } : {});
}
