import type { Routed } from '../models.ts';

/** An answer of which the first part has come, or which has none. */
export interface Opened<Part> {
  readonly routed: Routed;
  readonly first: IteratorResult<Part, unknown>;
  readonly rest: AsyncIterator<Part, unknown>;
  /** It has ended well. */
  readonly onEnd: () => Promise<void>;
  /** It broke off: what is thrown in the place of why. */
  readonly onFailure: (error: unknown) => Promise<unknown>;
}

const OVER = { done: true, value: undefined } as const;

/**
 * Who answers, and then what they say. What comes passes through here part by part, for hundreds of streams at the same
 * time: a generator in each place where it passes would cost more than all that is done with it.
 */
export class RoutedAnswer<Part> implements AsyncIterableIterator<Routed | Part, undefined> {
  readonly #open: () => Promise<Opened<Part>>;
  #opened: Opened<Part> | undefined;
  #isFirstDue = false;
  #isOver = false;

  constructor(open: () => Promise<Opened<Part>>) {
    this.#open = open;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Routed | Part, undefined>> {
    if (this.#isOver) return Promise.resolve(OVER);
    if (!this.#opened) return this.#begin();
    if (!this.#isFirstDue) return this.#opened.rest.next().then(this.#heard, this.#failed);
    this.#isFirstDue = false;
    return Promise.resolve(this.#heard(this.#opened.first));
  }

  async return(): Promise<IteratorResult<Routed | Part, undefined>> {
    this.#isOver = true;
    await this.#opened?.rest.return?.();
    return OVER;
  }

  async #begin(): Promise<IteratorResult<Routed | Part, undefined>> {
    try {
      this.#opened = await this.#open();
    } catch (error) {
      this.#isOver = true;
      throw error;
    }
    const { first, routed } = this.#opened;
    if (first.done) return this.#end();
    this.#isFirstDue = true;
    return { done: false, value: routed };
  }

  readonly #heard = (
    result: IteratorResult<Part, unknown>,
  ): IteratorResult<Part, undefined> | Promise<typeof OVER> => (result.done ? this.#end() : result);

  async #end(): Promise<typeof OVER> {
    this.#isOver = true;
    await this.#opened?.onEnd();
    return OVER;
  }

  readonly #failed = async (error: unknown): Promise<never> => {
    this.#isOver = true;
    throw (await this.#opened?.onFailure(error)) ?? error;
  };
}
