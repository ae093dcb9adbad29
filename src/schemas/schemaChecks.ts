import { type Doing, RestingThread } from '../restingThread.ts';
import type { Json, SchemaAnswer, SchemaJob } from './messages.ts';

const IDLE_MS = 60_000;
/** Far more than any honest schema takes, also where the machine has much else to do. */
const LIMIT_MS = 2_000;
const STARTING_MS = 10_000;
const HEAP_MIB = 128;

/**
 * Holds what somebody else wrote against a schema that somebody else wrote, in a thread: both the reading of a schema
 * and a pattern in it may take time without end, and are given up then.
 */
class SchemaChecks {
  readonly #thread = new RestingThread<SchemaJob, SchemaAnswer>({
    script: new URL('./thread.ts', import.meta.url),
    limits: { maxOldGenerationSizeMb: HEAP_MIB },
    idleMs: IDLE_MS,
    limitMs: LIMIT_MS,
    startingMs: STARTING_MS,
    tries: 1,
  });

  /** Rejects with `ThreadLost` where the schema takes too long to read. */
  async canBeRead(schema: Json, doing?: Doing): Promise<boolean> {
    const { unreadable } = await this.#thread.do({ schema }, doing);
    return unreadable === undefined;
  }

  /** What is wrong with a text of JSON. Rejects with `ThreadLost` where that takes too long to find out. */
  check(schema: Json, text: string, doing?: Doing): Promise<SchemaAnswer> {
    return this.#thread.do({ schema, text }, doing);
  }
}

/** One thread for the whole process; when idle it keeps nobody from ending. */
export const schemaChecks = new SchemaChecks();
