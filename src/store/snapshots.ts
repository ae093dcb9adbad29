import { fairShare, hasTime } from '../fairShare.ts';
import type { RawSnapshot, StoreAdapter } from './adapter.ts';
import type { Keyring, SealingKey } from './keyring.ts';
import { Assembly, piecesOf } from './piecewiseJson.ts';
import type { OwnedKey, SavedBytes, Snapshot, SnapshotKey } from './port.ts';
import { LargeSeal, open, seal } from './sealing.ts';

const SUBJECT = 'snapshot';
const LINE_BREAK = '\n';

/**
 * Snapshots are sealed under their owner's key; one that is refused or does not read back is no snapshot. States may be
 * of some megabytes, so they are written and read in slices that let others in between.
 */
export class SnapshotBox {
  readonly #adapter: StoreAdapter;
  readonly #keyring: Keyring;

  constructor(adapter: StoreAdapter, keyring: Keyring) {
    this.#adapter = adapter;
    this.#keyring = keyring;
  }

  /**
   * A state changes in place while others are let in. To copy it first would take as long as to write it, so the
   * caller says whether it is still the same, and where it is not, what is written so far is thrown away: half of it
   * would be of before, half of after. Who does not say it waits for all of it.
   */
  async save(
    { owner, name }: SnapshotKey,
    { version, position, state }: Snapshot,
    isUnchanged?: () => boolean,
  ): Promise<boolean> {
    const lines: string[] = [];
    let length = 0;
    for (const piece of piecesOf(state)) {
      const line = piece + LINE_BREAK;
      lines.push(line);
      length += Buffer.byteLength(line);
      // What is small is written at once, however busy it is.
      if (!isUnchanged || lines.length === 1 || hasTime()) continue;
      await fairShare();
      if (!isUnchanged()) return false;
    }
    if (owner === null) {
      const bytes = Buffer.from(lines.join(''));
      await this.#adapter.saveSnapshot({ owner, name }, { version, position, state: bytes }, null);
      return true;
    }
    const key = await this.#keyring.forSealing(owner, SUBJECT);
    const large = new LargeSeal(length, key.bytes, name);
    for (const [index, line] of lines.entries()) {
      if (index > 0 && !hasTime()) await fairShare();
      large.add(line);
    }
    await this.#keep({ owner, name }, { version, position, state: large.end() }, key);
    return true;
  }

  async saveBytes({ owner, name }: OwnedKey, { version, position, state }: SavedBytes): Promise<boolean> {
    const key = await this.#keyring.forSealing(owner, SUBJECT);
    return this.#keep({ owner, name }, { version, position, state: seal(state, key.bytes, name) }, key);
  }

  async #keep({ owner, name }: OwnedKey, snapshot: RawSnapshot, key: SealingKey): Promise<boolean> {
    const isKept = await this.#adapter.saveSnapshot({ owner, name }, snapshot, key);
    if (isKept) this.#keyring.confirm(owner, key);
    else this.#keyring.drop(owner, SUBJECT);
    return isKept;
  }

  async load({ owner, name }: SnapshotKey, version: number): Promise<Snapshot | undefined> {
    const raw = await this.#adapter.loadSnapshot({ owner, name });
    if (!raw || raw.version !== version) return undefined;
    const { buffer, byteOffset, byteLength } = raw.state;
    const plain =
      owner === null
        ? Buffer.from(buffer, byteOffset, byteLength)
        : await this.#opened({ owner, name }, raw.state);
    if (!plain) return undefined;
    try {
      return { version, position: raw.position, state: await stateIn(plain) };
    } catch {
      return undefined;
    }
  }

  async loadBytes({ owner, name }: OwnedKey, version: number): Promise<SavedBytes | undefined> {
    const raw = await this.#adapter.loadSnapshot({ owner, name });
    if (!raw || raw.version !== version) return undefined;
    const plain = await this.#opened({ owner, name }, raw.state);
    return plain && { version, position: raw.position, state: plain };
  }

  async #opened({ owner, name }: OwnedKey, state: Uint8Array): Promise<Buffer<ArrayBuffer> | undefined> {
    const [key] = await this.#keyring.forOpening(owner, [{ userId: owner, subject: SUBJECT, sealed: state }]);
    if (!key) return undefined;
    try {
      return open(state, key, name);
    } catch {
      return undefined;
    }
  }
}

async function stateIn(plain: Buffer): Promise<unknown> {
  const assembly = new Assembly();
  for (let from = 0; from < plain.length; ) {
    if (from > 0 && !hasTime()) await fairShare();
    const end = plain.indexOf(LINE_BREAK, from);
    const to = end === -1 ? plain.length : end;
    assembly.add(plain.toString('utf8', from, to));
    from = to + 1;
  }
  return assembly.value;
}
