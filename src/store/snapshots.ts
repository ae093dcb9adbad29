import type { StoreAdapter } from './adapter.ts';
import type { Keyring } from './keyring.ts';
import type { Snapshot, SnapshotKey } from './port.ts';
import { open, seal } from './sealing.ts';

const SUBJECT = 'snapshot';

/** Snapshots are sealed under their owner's key; one that is refused or does not read back is no snapshot. */
export class SnapshotBox {
  readonly #adapter: StoreAdapter;
  readonly #keyring: Keyring;

  constructor(adapter: StoreAdapter, keyring: Keyring) {
    this.#adapter = adapter;
    this.#keyring = keyring;
  }

  async save({ owner, name }: SnapshotKey, { version, position, state }: Snapshot): Promise<void> {
    const plain = JSON.stringify(state);
    if (owner === null) {
      const bytes = Buffer.from(plain);
      await this.#adapter.saveSnapshot({ owner, name }, { version, position, state: bytes }, null);
      return;
    }
    const key = await this.#keyring.forSealing(owner, SUBJECT);
    const sealed = seal(plain, key.bytes, name);
    const snapshot = { version, position, state: sealed };
    const isKept = await this.#adapter.saveSnapshot({ owner, name }, snapshot, key);
    if (isKept) this.#keyring.confirm(owner, key);
    else this.#keyring.drop(owner, SUBJECT);
  }

  async load({ owner, name }: SnapshotKey, version: number): Promise<Snapshot | undefined> {
    const raw = await this.#adapter.loadSnapshot({ owner, name });
    if (!raw || raw.version !== version) return undefined;
    const plain = await this.#plain(owner, name, raw.state);
    if (!plain) return undefined;
    try {
      return { version, position: raw.position, state: JSON.parse(plain.toString('utf8')) };
    } catch {
      return undefined;
    }
  }

  async #plain(owner: string | null, name: string, state: Uint8Array): Promise<Buffer | undefined> {
    if (owner === null) return Buffer.from(state.buffer, state.byteOffset, state.byteLength);
    const key = await this.#keyring.forOpening({ userId: owner, subject: SUBJECT, sealed: state });
    if (!key) return undefined;
    try {
      return open(state, key, name);
    } catch {
      return undefined;
    }
  }
}
