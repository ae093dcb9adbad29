import { Worker } from 'node:worker_threads';
import type { WorkflowDefinition } from '../events/workflowDefinition.ts';
import type { Answer, FromThread, Job, Json, Problem, Request, Variables } from './messages.ts';

const IDLE_MS = 60_000;
/** Far more than any honest expression takes, also where the machine has much else to do. */
const LIMIT_MS = 2_000;
const STARTING_MS = 10_000;
const HEAP_MIB = 128;
const TOO_LONG = 'Takes too long to work out';

interface Waiting {
  readonly job: Job;
  readonly resolve: (answer: Answer) => void;
}

interface DefinitionsOptions {
  /** How long one job may take before the thread is given up. */
  readonly limitMs?: number;
  /** How long the thread stays when there is nothing to do. */
  readonly idleMs?: number;
}

/**
 * Reads workflow files and works out what they say, in a thread that is started when it is first needed and ends when
 * it has been idle. One job is done after the other; one that takes too long, or too much memory, ends with the
 * thread and is answered with a problem. Nothing ever rejects.
 */
export class Definitions {
  readonly #limitMs: number;
  readonly #idleMs: number;
  readonly #queue: Waiting[] = [];
  #worker: Worker | undefined;
  #current: Waiting | undefined;
  #limit: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #isStopped = false;

  constructor({ limitMs = LIMIT_MS, idleMs = IDLE_MS }: DefinitionsOptions = {}) {
    this.#limitMs = limitMs;
    this.#idleMs = idleMs;
  }

  async read(file: string, text: string): Promise<{ readonly definition: WorkflowDefinition } | Problem> {
    const answer = await this.#ask({ kind: 'read', file, text });
    return 'value' in answer ? { problem: TOO_LONG } : answer;
  }

  holds(expression: string, variables: Variables): Promise<{ readonly value: unknown } | Problem> {
    return this.#askForValue({ kind: 'holds', expression, variables });
  }

  fill(template: unknown, variables: Variables): Promise<{ readonly value: unknown } | Problem> {
    return this.#askForValue({ kind: 'fill', template, variables });
  }

  check(schema: Json, value: unknown): Promise<{ readonly value: unknown } | Problem> {
    return this.#askForValue({ kind: 'check', schema, value });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const open = [...(this.#current ? [this.#current] : []), ...this.#queue.splice(0)];
    this.#current = undefined;
    for (const { resolve } of open) resolve({ problem: 'The service stops' });
    await this.#end();
  }

  async #askForValue(job: Job): Promise<{ readonly value: unknown } | Problem> {
    const answer = await this.#ask(job);
    return 'definition' in answer ? { problem: TOO_LONG } : answer;
  }

  #ask(job: Job): Promise<Answer> {
    if (this.#isStopped) return Promise.resolve({ problem: 'The service stops' });
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#queue.push({ job, resolve });
    this.#next();
    return promise;
  }

  #next(): void {
    if (this.#current) return;
    this.#current = this.#queue.shift();
    if (!this.#current) {
      this.#rest();
      return;
    }
    clearTimeout(this.#idle);
    const isNew = this.#worker === undefined;
    const worker = this.#worker ?? this.#start();
    worker.ref();
    this.#giveAtMost(isNew ? STARTING_MS : this.#limitMs, worker);
    worker.postMessage({ id: ++this.#lastId, job: this.#current.job } satisfies Request);
  }

  #giveAtMost(ms: number, worker: Worker): void {
    clearTimeout(this.#limit);
    this.#limit = setTimeout(() => this.#lose(worker), ms);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    });
    worker.on('message', (message: FromThread) => {
      if (worker !== this.#worker) return;
      if (message === 'ready') this.#giveAtMost(this.#limitMs, worker);
      else if (message.id === this.#lastId) this.#settle(message.answer);
    });
    worker.on('error', () => this.#lose(worker));
    worker.on('exit', () => this.#lose(worker));
    this.#worker = worker;
    return worker;
  }

  #settle(answer: Answer): void {
    clearTimeout(this.#limit);
    const current = this.#current;
    this.#current = undefined;
    current?.resolve(answer);
    this.#next();
  }

  #lose(worker: Worker): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    void worker.terminate();
    if (this.#current) this.#settle({ problem: TOO_LONG });
  }

  #rest(): void {
    this.#worker?.unref();
    clearTimeout(this.#idle);
    if (this.#worker) this.#idle = setTimeout(() => void this.#end(), this.#idleMs).unref();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    clearTimeout(this.#limit);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}
