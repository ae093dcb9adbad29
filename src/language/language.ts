import type { Worker } from 'node:worker_threads';
import { type Doing, RestingThread, ThreadLost } from '../restingThread.ts';
import type { ConversationReading, ReadAnswer, SpokenConversation } from './conversation.ts';

const IDLE_MS = 60_000;
/**
 * Far more than any conversation takes. The first one compiles what it is read by: more than a second, which was more
 * than twenty on a machine with ten other things to do.
 */
const LIMIT_MS = 60_000;
const STARTING_MS = 60_000;
const HEAP_MIB = 256;
const said: Readonly<Record<ThreadLost['reason'], string>> = {
  slow: 'Reading a conversation took too long',
  died: 'The thread that reads conversations died',
  stopped: 'Nothing is read any more',
  full: 'Too many conversations wait to be read',
};

interface LanguageOptions {
  /** How long the thread stays when there is nothing to read. */
  readonly idleMs?: number;
  /** How long one conversation may take before the thread is given up. */
  readonly limitMs?: number;
}

/** Reads conversations, in a thread. What that was reading when it died is tried once more in a new one. */
export class Language {
  readonly #thread: RestingThread<SpokenConversation, ReadAnswer>;

  constructor({ idleMs = IDLE_MS, limitMs = LIMIT_MS }: LanguageOptions = {}) {
    this.#thread = new RestingThread({
      script: new URL('./languageThread.ts', import.meta.url),
      limits: { maxOldGenerationSizeMb: HEAP_MIB },
      idleMs,
      limitMs,
      startingMs: STARTING_MS,
      tries: 2,
    });
  }

  /** The thread that is there at the moment, for tests and for what measures it. */
  get thread(): Worker | undefined {
    return this.#thread.worker;
  }

  async readConversation(conversation: SpokenConversation, doing: Doing = {}): Promise<ConversationReading> {
    const answer = await this.#ask(conversation, doing);
    if ('reading' in answer) return answer.reading;
    throw new Error(`A conversation could not be read: ${answer.failed}`);
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }

  async #ask(conversation: SpokenConversation, doing: Doing): Promise<ReadAnswer> {
    try {
      return await this.#thread.do(conversation, doing);
    } catch (error) {
      throw error instanceof ThreadLost ? new Error(said[error.reason]) : error;
    }
  }
}
