import type { Clock } from '../../src/clock.ts';
import { HarkError } from '../../src/errors.ts';
import type { StoreAdapter } from '../../src/store/adapter.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';
import type { Position } from '../../src/store/port.ts';

type Hearer = (head: Position) => void;

/** One log in memory that several processes hold, each of which hears what the others append, as on a Redis. */
export class SharedStore {
  readonly #memory: MemoryAdapter;
  readonly #holds = new Set<Hold>();
  readonly #spread: (tell: () => void) => void;

  /** How the news of an append comes to the others: at once, if nothing else is said. By the clock leases end. */
  constructor(spread: (tell: () => void) => void = (tell) => tell(), clock?: Clock) {
    this.#memory = new MemoryAdapter(clock);
    this.#spread = spread;
  }

  hold(): Hold {
    const hold: Hold = new Hold(this.#memory, (head) => {
      hold.hear(head);
      for (const each of this.#holds) if (each !== hold) this.#spread(() => each.hear(head));
    });
    this.#holds.add(hold);
    return hold;
  }
}

/** What one process has of it. Killed, it asks nothing any more and hears no answer. */
export class Hold {
  readonly adapter: StoreAdapter;
  #state: 'here' | 'away' | 'dead' = 'here';
  #hearer: Hearer = () => {};
  readonly #memory: MemoryAdapter;

  constructor(memory: MemoryAdapter, tellAll: Hearer) {
    this.#memory = memory;
    this.adapter = new Proxy<StoreAdapter>(memory, {
      get: (_memory, name) => {
        if (name === 'onHeadMoved') return (hearer: Hearer) => this.#hearBy(hearer);
        const value: unknown = Reflect.get(memory, name);
        if (typeof value !== 'function' || name === 'onReplaced') return value;
        return async (...args: readonly unknown[]) => {
          await this.#ready();
          const answer: unknown = await value.apply(memory, args);
          // Who is refused learns of nothing by that.
          if (name === 'append' && Object(answer).kind === 'appended') tellAll(await memory.head());
          await this.#ready();
          return answer;
        };
      },
    });
  }

  hear(head: Position): void {
    if (this.#state === 'here') this.#hearer(head);
  }

  kill(): void {
    this.#state = 'dead';
  }

  /** The store cannot be reached, as when a Redis went away. What was on its way may have arrived. */
  goAway(): void {
    if (this.#state === 'here') this.#state = 'away';
  }

  async comeBack(): Promise<void> {
    if (this.#state === 'away') this.#state = 'here';
    this.hear(await this.#memory.head());
  }

  #hearBy(hearer: Hearer): void {
    this.#hearer = hearer;
  }

  #ready(): Promise<void> {
    if (this.#state === 'dead') return new Promise<never>(() => {});
    return this.#state === 'away' ? Promise.reject(new HarkError('KVSTORE_UNAVAILABLE')) : Promise.resolve();
  }
}
