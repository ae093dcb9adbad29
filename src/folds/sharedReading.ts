import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { EventBatch, EventReader } from '../store/port.ts';

interface Wanted {
  /** All that the log has of the user. */
  readonly types: Set<string>;
  /** Where nobody asks for more than these, they alone are read. */
  readonly streams: Set<string>;
}

/**
 * One user's part of the log, read once for all who begin to in the same turn of the loop: what is remembered of a
 * user who was not there, its words and its vectors lie in the same pages. An event is opened once for all of them.
 */
export class SharedReading {
  readonly #store: Pick<EventReader, 'readAll' | 'readStream'>;
  readonly #beginning = new Map<string, Pages>();

  constructor(store: Pick<EventReader, 'readAll' | 'readStream'>) {
    this.#store = store;
  }

  /** What there is of these types, and what others asked for. */
  async *of(userId: string, types: ReadonlySet<string>): AsyncGenerator<EventBatch> {
    yield* this.#beginningOf(userId).read({ types });
  }

  /** A stream of the user's from its beginning, and what others asked for. */
  async *ofStream(userId: string, stream: string): AsyncGenerator<EventBatch> {
    yield* this.#beginningOf(userId).read({ streams: [stream] });
  }

  #beginningOf(userId: string): Pages {
    const begun = this.#beginning.get(userId);
    if (begun) return begun;
    const pages = new Pages((wanted) => this.#read(userId, wanted));
    this.#beginning.set(userId, pages);
    return pages;
  }

  async *#read(userId: string, { types, streams }: Wanted): AsyncGenerator<EventBatch> {
    await turnOfLoop();
    this.#beginning.delete(userId);
    if (types.size > 0) {
      const filter = streams.size > 0 ? {} : { types };
      yield* this.#store.readAll({ after: 0, userId, ...filter });
      return;
    }
    for (const stream of streams)
      for await (const events of this.#store.readStream(stream))
        yield { events, position: events.at(-1)?.position ?? 0 };
  }
}

/** The next page is read when all have done with the one before. */
class Pages {
  readonly #wanted: Wanted = { types: new Set(), streams: new Set() };
  readonly #pages: AsyncGenerator<EventBatch, void>;
  readonly #waiting: ((page: Promise<EventBatch | undefined>) => void)[] = [];
  #readers = 0;
  #isReading = false;

  constructor(read: (wanted: Wanted) => AsyncGenerator<EventBatch, void>) {
    this.#pages = read(this.#wanted);
  }

  /** Joins at once, and not only when the first page is asked for. */
  read({ types = [], streams = [] }: { types?: Iterable<string>; streams?: Iterable<string> }) {
    this.#readers++;
    for (const type of types) this.#wanted.types.add(type);
    for (const stream of streams) this.#wanted.streams.add(stream);
    return this.#each();
  }

  async *#each(): AsyncGenerator<EventBatch> {
    try {
      for (let page = await this.#next(); page; page = await this.#next()) yield page;
    } finally {
      await this.#leave();
    }
  }

  async #leave(): Promise<void> {
    this.#readers--;
    if (this.#readers === 0) await this.#pages.return();
    else this.#goOn();
  }

  #next(): Promise<EventBatch | undefined> {
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
