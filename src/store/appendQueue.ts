import type { AppendResult, RawAppend } from './adapter.ts';

/** One group on its way to the disk, one being gathered and decoded: whoever writes never waits for work. */
const GROUPS_IN_FLIGHT = 2;

/** Writes a group as one, and judges each append by itself: as many results as appends, in their order. */
type Write = (appends: readonly RawAppend[]) => Promise<readonly AppendResult[]>;

interface Waiting {
  readonly append: RawAppend;
  resolve(result: AppendResult): void;
  reject(error: unknown): void;
}

/** Gathers what is appended in one turn of the loop into groups that are written as one. */
export class AppendQueue {
  readonly #write: Write;
  readonly #largestGroup: number;
  #queued: Waiting[] = [];
  #groupsInFlight = 0;
  #appendsInFlight = 0;
  #flushing = false;

  constructor(write: Write, largestGroup: number) {
    this.#write = write;
    this.#largestGroup = largestGroup;
  }

  append(append: RawAppend): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      this.#queued.push({ append, resolve, reject });
      this.#flushSoon();
    });
  }

  /** Hands on all that was gathered, so that it is written before what is sent next. */
  flush(mostGroups = Number.POSITIVE_INFINITY): void {
    while (this.#queued.length > 0 && this.#groupsInFlight < mostGroups) {
      // An even share of all that is under way: of a large and a small group, the writer would idle after the small.
      const share = Math.ceil((this.#queued.length + this.#appendsInFlight) / GROUPS_IN_FLIGHT);
      void this.#send(this.#queued.splice(0, Math.min(share, this.#largestGroup)));
    }
  }

  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flushing = false;
      this.flush(GROUPS_IN_FLIGHT);
    });
  }

  async #send(group: readonly Waiting[]): Promise<void> {
    this.#groupsInFlight++;
    this.#appendsInFlight += group.length;
    try {
      const results = await this.#write(group.map(({ append }) => append));
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = results[index];
        if (result) resolve(result);
        else reject(new TypeError('Fewer results than appends'));
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      this.#groupsInFlight--;
      this.#appendsInFlight -= group.length;
      if (this.#queued.length > 0) this.#flushSoon();
    }
  }
}
