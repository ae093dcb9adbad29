import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { RawAppend } from '../adapter.ts';
import type { Position } from '../port.ts';
import * as keys from './keys.ts';
import { type Entry, rowOf, rowWithoutVersion } from './rows.ts';

/**
 * Whether the log at this address is still the one that this process knows. It is another when its id is, when
 * it is shorter than it was, or when what stood at a known position reads differently: a Redis that came back
 * with older files goes on from an earlier head, and other events may by now stand where the lost ones stood.
 */
export class LogIdentity {
  #logId = '';
  #head: Position = 0;
  #newest: { readonly position: Position; readonly row: () => Buffer } | undefined;
  #isReplaced = false;

  get logId(): string {
    return this.#logId;
  }
  get head(): Position {
    return this.#head;
  }
  /** Found to be another, and not all have been told yet. */
  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  noteHead(head: Position): void {
    this.#head = Math.max(this.#head, head);
  }

  noteEntry([id, fields]: Entry): void {
    const position = Number.parseInt(id.toString('latin1'), 10);
    if (position <= (this.#newest?.position ?? 0)) return;
    // A copy: the row is a piece of everything that was read with it.
    const row = Buffer.from(rowOf(fields));
    this.#newest = { position, row: () => row };
  }

  noteAppended({ stream, events }: RawAppend, first: Position, version: number): void {
    const event = events.at(-1);
    const position = first + events.length - 1;
    this.noteHead(position);
    if (event && position > (this.#newest?.position ?? 0))
      this.#newest = { position, row: () => Buffer.from(`[${version}${rowWithoutVersion(stream, event)}`) };
  }

  adopt(logId: string): void {
    this.#logId = logId;
  }

  acceptReplaced(): void {
    this.#isReplaced = false;
  }

  async look(redis: Redis): Promise<void> {
    // Another process may append meanwhile; only what was known before may be asked of what is found.
    const known = this.#head;
    const [id, length] = await introduce(redis);
    if (this.#logId === '') this.#become(id, length);
    else if (id !== this.#logId) this.#replaceBy(id, length);
    else if (length < known || !(await this.#stillHolds(redis))) {
      const renamed = await rename(redis, id);
      // Emptied while it was looked at, it has no name that could be changed.
      if (renamed === undefined) return this.look(redis);
      this.#replaceBy(renamed, length);
    } else this.noteHead(length);
  }

  #become(logId: string, head: Position): void {
    this.#logId = logId;
    this.#head = head;
    this.#newest = undefined;
  }

  #replaceBy(logId: string, head: Position): void {
    this.#become(logId, head);
    this.#isReplaced = true;
  }

  async #stillHolds(redis: Redis): Promise<boolean> {
    if (!this.#newest) return true;
    const { position, row } = this.#newest;
    const [entry] = await redis.xrangeBuffer(keys.LOG, `${position}-0`, `${position}-0`);
    return entry !== undefined && rowOf(entry[1]).equals(row());
  }
}

async function introduce(redis: Redis): Promise<[id: string, head: Position]> {
  const found = await redis.fcall('hark_introduce', 3, keys.LOG, keys.META, keys.HEAD, randomUUID());
  const [id, head] = Array.isArray(found) ? found : [];
  return [String(id), Number(head)];
}

/** So that every process learns that the log is no longer what it was, also one that saw nothing of it. */
async function rename(redis: Redis, from: string): Promise<string | undefined> {
  const renamed = await redis.fcall('hark_rename', 1, keys.META, from, randomUUID());
  return typeof renamed === 'string' ? renamed : undefined;
}
