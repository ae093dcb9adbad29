import type { Clock, Wake } from './clock.ts';
import type { Kvstore } from './interfaces/kvstore.ts';
import type { AnyOperation } from './interfaces/operation.ts';
import { conclusionOperations } from './interfaces/operations/conclusions.ts';
import { memoryOperations } from './interfaces/operations/memory.ts';
import { preferenceOperations } from './interfaces/operations/preferences.ts';
import { Retention } from './sagas/memory/retention.ts';

interface MemoryOptions {
  readonly kvstore: Kvstore;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** The wiring of everything about what is remembered. */
export class Memory {
  readonly #kvstore: Kvstore;
  readonly #retention: Retention;

  constructor({ kvstore, clock, wake, onFailure }: MemoryOptions) {
    this.#kvstore = kvstore;
    this.#retention = new Retention({ backing: () => kvstore.current, clock, wake, onFailure });
  }

  operations(): readonly AnyOperation[] {
    return [
      ...memoryOperations(this.#kvstore),
      ...conclusionOperations(this.#kvstore),
      ...preferenceOperations(this.#kvstore),
    ];
  }

  start(): void {
    this.#retention.start();
  }

  async stop(): Promise<void> {
    await this.#retention.stop();
  }
}
