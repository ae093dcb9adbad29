import type { KeyBytes, KeyUse, StoreAdapter } from './adapter.ts';
import { keyId, newKey } from './sealing.ts';

const MOST_CACHED = 10_000;

interface HeldKey {
  readonly bytes: KeyBytes;
  /** An append that carried the key went through, so the store has it. */
  kept: boolean;
}

/**
 * The keys in use, by user and subject. A key that the store does not hold yet travels with every append that
 * is sealed with it until one of them went through, so that no event is ever written without its key.
 */
export class Keyring {
  readonly #adapter: StoreAdapter;
  readonly #held = new Map<string, HeldKey>();
  #drops = 0;

  constructor(adapter: StoreAdapter) {
    this.#adapter = adapter;
  }

  async forSealing(userId: string, subject: string): Promise<KeyUse> {
    let held = this.#held.get(nameOf(userId, subject));
    if (!held) {
      const bytes = await this.#read(userId, subject);
      // Another caller may have made or found the key while this one waited: all of them must use the same.
      held =
        this.#held.get(nameOf(userId, subject)) ??
        this.#hold(userId, subject, bytes ?? newKey(), bytes !== undefined);
    }
    return { subject, bytes: held.bytes, create: !held.kept };
  }

  async forOpening(userId: string, subject: string, sealed: Uint8Array): Promise<KeyBytes | undefined> {
    let held = this.#held.get(nameOf(userId, subject));
    if (!held) {
      const bytes = await this.#read(userId, subject);
      if (!bytes) return undefined;
      held = this.#held.get(nameOf(userId, subject)) ?? this.#hold(userId, subject, bytes, true);
    }
    return keyId(held.bytes) === keyId(sealed) ? held.bytes : undefined;
  }

  confirm(userId: string, { subject, bytes }: KeyUse): void {
    const held = this.#held.get(nameOf(userId, subject));
    if (held?.bytes === bytes) held.kept = true;
  }

  drop(userId: string, subject: string): void {
    this.#drops++;
    if (subject !== '*') this.#held.delete(nameOf(userId, subject));
    else for (const name of this.#held.keys()) if (name.startsWith(`${userId}/`)) this.#held.delete(name);
  }

  clear(): void {
    this.#held.clear();
  }

  /** A key that was read before a forget and arrives after it must not be held: then it is read again. */
  async #read(userId: string, subject: string): Promise<KeyBytes | undefined> {
    for (;;) {
      const before = this.#drops;
      const [bytes] = await this.#adapter.readKeys(userId, [subject]);
      if (before === this.#drops) return bytes;
    }
  }

  #hold(userId: string, subject: string, bytes: KeyBytes, kept: boolean): HeldKey {
    const held = { bytes, kept };
    this.#held.set(nameOf(userId, subject), held);
    for (const [name, oldest] of this.#held) {
      if (this.#held.size <= MOST_CACHED) break;
      if (oldest.kept) this.#held.delete(name);
    }
    return held;
  }
}

function nameOf(userId: string, subject: string): string {
  return `${userId}/${subject}`;
}
