import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { EventBatch, EventReader } from '../../store/port.ts';

/**
 * One user's part of the log, read once for all who begin to in the same turn of the loop: the words and the vectors
 * of a user who was not there lie in the same pages. Each is handed what any of them asks for.
 */
export class SharedReading {
  readonly #store: Pick<EventReader, 'readAll'>;
  readonly #beginning = new Map<string, Pages>();

  constructor(store: Pick<EventReader, 'readAll'>) {
    this.#store = store;
  }

  async *of(userId: string, types: ReadonlySet<string>): AsyncGenerator<EventBatch> {
    const pages = this.#beginning.get(userId) ?? this.#begin(userId);
    pages.join(types);
    try {
      for (let page = await pages.next(); page; page = await pages.next()) yield page;
    } finally {
      await pages.leave();
    }
  }

  #begin(userId: string): Pages {
    const pages = new Pages((types) => this.#read(userId, types));
    this.#beginning.set(userId, pages);
    return pages;
  }

  async *#read(userId: string, types: ReadonlySet<string>): AsyncGenerator<EventBatch> {
    await turnOfLoop();
    this.#beginning.delete(userId);
    yield* this.#store.readAll({ after: 0, userId, types });
  }
}

/** The next page is read when all have done with the one before. */
class Pages {
  readonly #types = new Set<string>();
  readonly #pages: AsyncGenerator<EventBatch, void>;
  readonly #waiting: ((page: Promise<EventBatch | undefined>) => void)[] = [];
  #readers = 0;
  #isReading = false;

  constructor(read: (types: ReadonlySet<string>) => AsyncGenerator<EventBatch, void>) {
    this.#pages = read(this.#types);
  }

  join(types: ReadonlySet<string>): void {
    this.#readers++;
    for (const type of types) this.#types.add(type);
  }

  async leave(): Promise<void> {
    this.#readers--;
    if (this.#readers === 0) await this.#pages.return();
    else this.#goOn();
  }

  next(): Promise<EventBatch | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#goOn();
    });
  }

  #goOn(): void {
    if (this.#isReading || this.#waiting.length < this.#readers) return;
    this.#isReading = true;
    const page = this.#pages.next().then(({ value }) => value ?? undefined);
    const tell = () => {
      this.#isReading = false;
      // Those too who joined while the first was read.
      for (const resolve of this.#waiting.splice(0)) resolve(page);
    };
    page.then(tell, tell);
  }
}
