import { EMPTY, map, of, race, type SchedulerLike, Subject, throwError, timer } from 'rxjs';
import { HarkError } from '../../src/errors.ts';
import { aborted } from '../../src/sagas/aborted.ts';
import type { SagaLeases } from '../../src/sagas/lease.ts';
import type { SagaLog } from '../../src/sagas/work.ts';
import type { Cursor, Lease, LogRange, Position } from '../../src/store/port.ts';
import { StoredEvent } from '../../src/store/storedEvent.ts';
import { counted } from '../store/sampleEvents.ts';

/** A store that several processes share in virtual time: a log that is told beforehand, cursors, and leases. */
export class VirtualStore implements SagaLog, SagaLeases {
  readonly #time: SchedulerLike;
  readonly #events: readonly StoredEvent[];
  readonly #leases = new Map<string, Lease>();
  readonly #replacements = new Subject<void>();
  #cursor: Cursor = { position: 0, token: 1 };
  #fences = 0;
  isAway = false;

  /** Events by the moment at which they are appended; a letter is the stream of one. */
  constructor(time: SchedulerLike, log: Readonly<Record<number, string>>) {
    this.#time = time;
    let position = 0;
    this.#events = Object.entries(log).flatMap(([at, letters]) =>
      Array.from(letters, (letter) => virtualEvent(letter, ++position, Number(at))),
    );
  }

  get position(): Position {
    return this.#cursor.position;
  }

  readCursor() {
    return of(this.#cursor);
  }

  moveCursor(_name: string, { token }: Cursor, position: Position) {
    if (token !== this.#cursor.token) return of(undefined);
    this.#cursor = { position, token: token + 1 };
    return of(this.#cursor);
  }

  /** As one who does not work here. */
  moveAside(position: Position): void {
    this.#cursor = { position, token: this.#cursor.token + 1 };
  }

  head() {
    return of(0);
  }

  follow({ after }: LogRange, signal: AbortSignal) {
    let position = after ?? 0;
    const next = () => {
      const event = this.#events.find((one) => one.position > position);
      const over = aborted(signal).pipe(map(() => ({ done: true as const, value: undefined })));
      if (!event) return over;
      position = event.position;
      const value = { events: [event], position };
      const come = timer(Math.max(0, event.at - this.#time.now()), this.#time).pipe(map(() => ({ value })));
      return race(over, come);
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }

  acquireLease(name: string, holder: string, leaseMs: number) {
    if (this.isAway) return throwError(() => new HarkError('KVSTORE_UNAVAILABLE'));
    return of(this.#acquire(name, holder, leaseMs));
  }

  releaseLease({ name, fence }: Lease) {
    if (this.#leases.get(name)?.fence === fence) this.#leases.delete(name);
    return EMPTY;
  }

  /** Takes it from whoever holds it. */
  steal(name: string, holder: string, leaseMs: number): Lease | undefined {
    this.#leases.delete(name);
    return this.#acquire(name, holder, leaseMs);
  }

  onReplaced(listener: () => void): () => void {
    const listening = this.#replacements.subscribe(listener);
    return () => listening.unsubscribe();
  }

  /** Another log takes the place of this one. */
  replace(): void {
    this.#replacements.next();
  }

  #acquire(name: string, holder: string, leaseMs: number): Lease | undefined {
    const now = this.#time.now();
    const known = this.#leases.get(name);
    const isHeld = known !== undefined && known.expiresAt > now;
    if (isHeld && known.holder !== holder) return undefined;
    const fence = isHeld ? known.fence : ++this.#fences;
    const lease = { name, holder, fence, expiresAt: now + leaseMs };
    this.#leases.set(name, lease);
    return lease;
  }
}

export function virtualEvent(stream: string, position: Position, at = 0): StoredEvent {
  const envelope = { userId: 'ann', correlationId: 'cause', causationId: null, subject: null, sealed: null };
  const place = { position, stream, version: position, type: counted.type, schema: 1, at };
  return new StoredEvent({ ...envelope, ...place, data: '{"n":1}' }, counted);
}
