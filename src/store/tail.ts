import type { Position } from './port.ts';
import type { StoredEvent } from './storedEvent.ts';

/** Twice as many are kept at times, so that the older half goes at once. */
const MOST_KEPT: Room = { events: 1_024, bytes: 8 * 2 ** 20 };
/** What a follower gets at once, and may hold for as long as its reader is slow. */
const MOST_AT_ONCE: Room = { events: 256, bytes: 2 ** 20 };

interface Room {
  readonly events: number;
  readonly bytes: number;
}

type Listener = (events: readonly StoredEvent[]) => void;
interface Watch {
  next(): Promise<void>;
  end(): void;
}
type Read = (after: Position, until: Position) => Promise<readonly StoredEvent[]>;

/**
 * The newest events, handed to listeners once each and in order of position. Events appended by this process
 * arrive decoded; a gap before them (another process was quicker, a connection was down) is read from the log
 * first. What lies at the end is kept, so that followers who keep up never read.
 */
export class Tail {
  readonly #read: Read;
  readonly #listeners = new Set<Listener>();
  readonly #waiting = new Set<(events?: readonly StoredEvent[]) => void>();
  readonly #held = new Set<readonly StoredEvent[]>();
  #recent: StoredEvent[] = [];
  #recentBytes = 0;
  #delivered: Position;
  #wanted: Position;
  #filling: Promise<void> | undefined;
  #restarts = 0;

  constructor(head: Position, read: Read) {
    this.#delivered = head;
    this.#wanted = head;
    this.#read = read;
  }

  /** Everything up to here has been handed out. */
  get position(): Position {
    return this.#delivered;
  }

  /** Changes when another log has taken the place of this one: what was read before is of the old. */
  get restarts(): number {
    return this.#restarts;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async offer(events: readonly StoredEvent[]): Promise<void> {
    const first = events[0];
    const last = events.at(-1);
    if (!first || !last) return;
    if (first.position === this.#delivered + 1 && !this.#filling) this.#deliver(events);
    else await this.reach(last.position);
  }

  /** Resolves when everything up to `position` has been handed out. */
  async reach(position: Position): Promise<void> {
    this.#wanted = Math.max(this.#wanted, position);
    const restarts = this.#restarts;
    while (this.#delivered < position && restarts === this.#restarts) {
      this.#filling ??= this.#fill().finally(() => {
        this.#filling = undefined;
      });
      await this.#filling;
    }
  }

  /** The next events after `position`, none when there are no more, or undefined when they are no longer kept. */
  since(position: Position): readonly StoredEvent[] | undefined {
    if (position >= this.#delivered) return [];
    const oldest = this.#recent[0];
    if (!oldest || position < oldest.position - 1) return undefined;
    const first = position - oldest.position + 1;
    return this.#recent.slice(first, first + portion(this.#recent, first));
  }

  /** All events after `after` and up to `until`, or undefined when they are no longer kept, or not here yet. */
  between(after: Position, until: Position): readonly StoredEvent[] | undefined {
    const oldest = this.#recent[0];
    if (!oldest || until > this.#delivered || after < oldest.position - 1) return undefined;
    const before = oldest.position - 1;
    return this.#recent.slice(after - before, Math.max(after, until) - before);
  }

  /**
   * For one follower, to be ended when it ends. What it waits for is an event that it wants, a restart or the signal,
   * or that much has gone by: a dozen followers need not look at an event that is for one of them.
   * It listens once for its whole life: a thousand followers hear of every event.
   */
  watch(signal: AbortSignal, wants: (event: StoredEvent) => boolean): Watch {
    let wake: (() => void) | undefined;
    let passed = 0;
    const onMove = (events?: readonly StoredEvent[]) => {
      passed += events?.length ?? 0;
      if (!events) wake?.();
      else if (wake && (passed >= MOST_AT_ONCE.events || events.some(wants))) {
        // In the next turn of the loop: whoever appended goes on first, and answers who asked for it.
        setImmediate(wake);
        wake = undefined;
      }
    };
    const onAbort = () => onMove();
    this.#waiting.add(onMove);
    signal.addEventListener('abort', onAbort, { once: true });
    return {
      next: () =>
        new Promise((resolve) => {
          passed = 0;
          wake = resolve;
          if (signal.aborted) resolve();
        }),
      end: () => {
        this.#waiting.delete(onMove);
        signal.removeEventListener('abort', onAbort);
      },
    };
  }

  /**
   * For a follower whose reader may take its time: what is forgotten while it has these events, or was forgotten since
   * this position, while they were read, is erased in them too. Returns how to let go of them.
   */
  hold(events: readonly StoredEvent[], since: Position): () => void {
    for (const event of this.between(since, this.#delivered) ?? []) eraseForgotten(event, [events]);
    this.#held.add(events);
    return () => this.#held.delete(events);
  }

  /** Another log stands at the same address: forget what the old one held and start at the head of the new. */
  restart(head: Position): void {
    this.#restarts++;
    this.#recent = [];
    this.#recentBytes = 0;
    this.#delivered = head;
    this.#wanted = head;
    for (const wake of this.#waiting) wake();
  }

  async #fill(): Promise<void> {
    const restarts = this.#restarts;
    while (this.#delivered < this.#wanted) {
      const events = await this.#read(this.#delivered, this.#wanted);
      if (restarts !== this.#restarts) return;
      if (events.length === 0) throw new Error(`The log ends before position ${this.#wanted}`);
      this.#deliver(events);
    }
  }

  #deliver(events: readonly StoredEvent[]): void {
    this.#keep(events);
    this.#delivered = events.at(-1)?.position ?? this.#delivered;
    this.#wanted = Math.max(this.#wanted, this.#delivered);
    this.#eraseForgotten(events);
    for (const listener of this.#listeners) this.#tell(listener, events);
    for (const wake of this.#waiting) wake(events);
  }

  #keep(events: readonly StoredEvent[]): void {
    for (const event of events) {
      this.#recent.push(event);
      this.#recentBytes += event.bytes;
    }
    if (this.#recent.length <= 2 * MOST_KEPT.events && this.#recentBytes <= 2 * MOST_KEPT.bytes) return;
    this.#recentBytes = 0;
    let first = this.#recent.length;
    while (this.#recent.length - first < MOST_KEPT.events) {
      const bytes = this.#recent[first - 1]?.bytes ?? Number.POSITIVE_INFINITY;
      if (this.#recentBytes + bytes > MOST_KEPT.bytes) break;
      this.#recentBytes += bytes;
      first--;
    }
    this.#recent = this.#recent.slice(first);
  }

  /** A listener that fails is one fault; that the others are not told would be another. */
  #tell(listener: Listener, events: readonly StoredEvent[]): void {
    try {
      listener(events);
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  }

  /** What is forgotten must not go on being readable here. */
  #eraseForgotten(events: readonly StoredEvent[]): void {
    const lists = [this.#recent, ...this.#held];
    for (const forgetting of events) eraseForgotten(forgetting, lists);
  }
}

function eraseForgotten(forgetting: StoredEvent, lists: readonly (readonly StoredEvent[])[]): void {
  for (const subject of forgetting.forgets) {
    for (const event of lists.flat()) {
      // What came after the forget was written under a new key.
      const isEarlier = event.position < forgetting.position && event.userId === forgetting.userId;
      if (isEarlier && (subject === '*' || event.subject === subject)) event.erase();
    }
  }
}

/** How many events from `first` on fit into what is handed out at once; one does, however large it is. */
function portion(events: readonly StoredEvent[], first: number): number {
  let bytes = 0;
  let count = 0;
  while (count < MOST_AT_ONCE.events) {
    const event = events[first + count];
    if (!event) break;
    bytes += event.bytes;
    if (count > 0 && bytes > MOST_AT_ONCE.bytes) break;
    count++;
  }
  return count;
}
