import type { FoundKeys, KeyBytes, KeyUse, StoreAdapter } from './adapter.ts';
import type { Position } from './port.ts';
import { isSealedWith, keyId, newKey } from './sealing.ts';

/** More than one user's memory takes: what is read again in the same order would otherwise find each key just dropped. */
const MOST_CACHED = 25_000;

interface HeldKey {
  readonly bytes: KeyBytes;
  /** As in `KeyUse`; `null` once an append that carried the key went through, because then the store has it. */
  madeAfter: Position | null;
  /** When it was found or made, the user's newest forget stood here. */
  readonly forgotAt: Position;
}

interface Asked {
  readonly subjects: string[];
  readonly found: Promise<FoundKeys>;
}

/** What is to be opened, and whose it is. */
export interface SealedBytes {
  readonly userId: string;
  readonly subject: string;
  readonly sealed: Uint8Array;
}

export type SealingKey = HeldKey & { readonly subject: string };

/**
 * The keys in use, by user and subject. A key that the store does not hold yet travels with every append that
 * is sealed with it until one of them went through, so that no event is ever written without its key.
 */
export class Keyring {
  readonly #adapter: StoreAdapter;
  readonly #held = new Map<string, HeldKey>();
  /** Ids of keys that sealed what lies in the log and are not in the store: they never come back. */
  readonly #destroyed = new Set<string>();
  /** By user, where their newest forget stood when it was last read. */
  readonly #forgotAt = new Map<string, Position>();
  /** By user, what is about to be read. */
  readonly #asked = new Map<string, Asked>();
  #drops = 0;

  constructor(adapter: StoreAdapter) {
    this.#adapter = adapter;
  }

  /**
   * With `isNew`, the store is not asked for the key of a subject that has none as far as the caller knows. Where that is
   * wrong, or the user had something forgotten elsewhere, the store refuses the append, and it is asked after all.
   */
  async forSealing(userId: string, subject: string, isNew = false): Promise<SealingKey> {
    let held = this.#held.get(nameOf(userId, subject));
    const forgotAt = isNew && !held ? this.#forgotAt.get(userId) : undefined;
    if (forgotAt !== undefined)
      held = this.#hold(userId, subject, { bytes: newKey(), madeAfter: forgotAt, forgotAt });
    if (!held) {
      const { bytes: found, forgotAt } = await this.#read(userId, [subject]);
      const [bytes] = found;
      // Another caller may have made or found the key while this one waited: all of them must use the same.
      held =
        this.#held.get(nameOf(userId, subject)) ??
        this.#hold(userId, subject, {
          bytes: bytes ?? newKey(),
          madeAfter: bytes ? null : forgotAt,
          forgotAt,
        });
    }
    return { subject, ...held };
  }

  /** A key held here may be older than what is to be opened, when another process forgot and wrote anew. */
  heldFor({ userId, subject, sealed }: SealedBytes): KeyBytes | undefined {
    const bytes = this.#held.get(nameOf(userId, subject))?.bytes;
    return bytes && isSealedWith(bytes, sealed) ? bytes : undefined;
  }

  /** From the store, unless they are held here: what opens each of these, all of this one user. */
  async forOpening(userId: string, all: readonly SealedBytes[]): Promise<readonly (KeyBytes | undefined)[]> {
    const isAsked = (one: SealedBytes) => !this.heldFor(one) && !this.#destroyed.has(keyId(one.sealed));
    const subjects = [...new Set(all.filter(isAsked).map(({ subject }) => subject))];
    if (subjects.length === 0) return all.map((one) => this.heldFor(one));
    const { bytes, forgotAt } = await this.#read(userId, subjects);
    const found = new Map(subjects.map((subject, index) => [subject, bytes[index]]));
    return all.map((one) => this.heldFor(one) ?? this.#holdIfRight(one, found.get(one.subject), forgotAt));
  }

  #holdIfRight(
    { userId, subject, sealed }: SealedBytes,
    bytes: KeyBytes | undefined,
    forgotAt: Position,
  ): KeyBytes | undefined {
    if (bytes && isSealedWith(bytes, sealed))
      return this.#hold(userId, subject, { bytes, madeAfter: null, forgotAt }).bytes;
    this.#noteDestroyed(keyId(sealed));
    return undefined;
  }

  confirm(userId: string, { subject, bytes }: KeyUse): void {
    const held = this.#held.get(nameOf(userId, subject));
    if (held?.bytes === bytes) held.madeAfter = null;
  }

  drop(userId: string, subject: string): void {
    this.#drops++;
    this.#forgotAt.delete(userId);
    if (subject !== '*') this.#held.delete(nameOf(userId, subject));
    else for (const name of this.#held.keys()) if (name.startsWith(`${userId}/`)) this.#held.delete(name);
  }

  clear(): void {
    this.#drops++;
    this.#held.clear();
    this.#forgotAt.clear();
    this.#destroyed.clear();
  }

  /** Keys that were read before a forget and arrive after it must not be held: then they are read again. */
  async #read(userId: string, subjects: readonly string[]): Promise<FoundKeys> {
    for (;;) {
      const before = this.#drops;
      const found = await this.#readTogether(userId, subjects);
      if (before !== this.#drops) continue;
      this.#noteForget(userId, found.forgotAt);
      return found;
    }
  }

  /** With whatever else is asked for in the same moment: of a page of a list, that is one read for many streams. */
  async #readTogether(userId: string, subjects: readonly string[]): Promise<FoundKeys> {
    const asked = this.#asked.get(userId) ?? this.#beginAsking(userId);
    const from = asked.subjects.length;
    asked.subjects.push(...subjects);
    const { bytes, forgotAt } = await asked.found;
    return { bytes: bytes.slice(from, from + subjects.length), forgotAt };
  }

  #beginAsking(userId: string): Asked {
    const subjects: string[] = [];
    const found = Promise.resolve().then(() => {
      this.#asked.delete(userId);
      return this.#adapter.readKeys(userId, subjects);
    });
    const asked = { subjects, found };
    this.#asked.set(userId, asked);
    return asked;
  }

  #hold(userId: string, subject: string, held: HeldKey): HeldKey {
    this.#held.set(nameOf(userId, subject), held);
    for (const [name, oldest] of this.#held) {
      if (this.#held.size <= MOST_CACHED) break;
      if (oldest.madeAfter === null) this.#held.delete(name);
    }
    return held;
  }

  #noteForget(userId: string, forgotAt: Position): void {
    if (this.#forgotAt.size >= MOST_CACHED) this.#forgotAt.clear();
    this.#forgotAt.set(userId, forgotAt);
  }

  #noteDestroyed(id: string): void {
    if (this.#destroyed.size >= MOST_CACHED) this.#destroyed.clear();
    this.#destroyed.add(id);
  }
}

function nameOf(userId: string, subject: string): string {
  return `${userId}/${subject}`;
}
