import type { WorkflowDefinition } from '../events/workflowDefinition.ts';
import { type Doing, RestingThread, ThreadLost } from '../restingThread.ts';
import type { Problem } from '../schemas/jsonSchema.ts';
import type { Json } from '../schemas/messages.ts';
import type { Job, JobResult, Variables } from './messages.ts';

const IDLE_MS = 60_000;
/** Far more than any honest expression takes, also where the machine has much else to do. */
const LIMIT_MS = 2_000;
const STARTING_MS = 10_000;
const HEAP_MIB = 128;
const TOO_LONG = 'Takes too long to work out';

interface DefinitionsOptions {
  /** How long one job may take before the thread is given up. */
  readonly limitMs?: number;
  /** How long the thread stays when there is nothing to do. */
  readonly idleMs?: number;
}

/**
 * Reads workflow files and works out what they say, in a thread: what takes too long, or too much memory, is answered
 * with a problem. Nothing ever rejects.
 */
export class Definitions {
  readonly #thread: RestingThread<Job, JobResult>;

  constructor({ limitMs = LIMIT_MS, idleMs = IDLE_MS }: DefinitionsOptions = {}) {
    this.#thread = new RestingThread({
      script: new URL('./thread.ts', import.meta.url),
      limits: { maxOldGenerationSizeMb: HEAP_MIB },
      idleMs,
      limitMs,
      startingMs: STARTING_MS,
      tries: 1,
    });
  }

  async read(file: string, text: string): Promise<{ readonly definition: WorkflowDefinition } | Problem> {
    const answer = await this.#ask({ kind: 'read', file, text });
    return 'value' in answer ? { problem: TOO_LONG } : answer;
  }

  holds(
    expression: string,
    variables: Variables,
    doing?: Doing,
  ): Promise<{ readonly value: unknown } | Problem> {
    return this.#askForValue({ kind: 'holds', expression, variables }, doing);
  }

  fill(
    template: unknown,
    variables: Variables,
    doing?: Doing,
  ): Promise<{ readonly value: unknown } | Problem> {
    return this.#askForValue({ kind: 'fill', template, variables }, doing);
  }

  check(schema: Json, value: unknown, doing?: Doing): Promise<{ readonly value: unknown } | Problem> {
    return this.#askForValue({ kind: 'check', schema, value }, doing);
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }

  async #askForValue(job: Job, doing?: Doing): Promise<{ readonly value: unknown } | Problem> {
    const answer = await this.#ask(job, doing);
    return 'definition' in answer ? { problem: TOO_LONG } : answer;
  }

  async #ask(job: Job, doing?: Doing): Promise<JobResult> {
    try {
      return await this.#thread.do(job, doing);
    } catch (error) {
      const isStopped = error instanceof ThreadLost && error.reason === 'stopped';
      return { problem: isStopped ? 'The service stops' : TOO_LONG };
    }
  }
}
