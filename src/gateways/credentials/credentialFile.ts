import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { HarkError } from '../../errors.ts';
import { makeOwnFolder } from '../../ownFolder.ts';
import { hasNoRoom } from '../systemErrors.ts';
import {
  ofAnotherMachine,
  openDocument,
  type ProviderKeys,
  parseDocument,
  renderDocument,
} from './document.ts';
import { readOwnFile, replaceOwnFile } from './durableFile.ts';
import { isLegacy, openLegacy } from './legacy.ts';
import { deriveKeys, type FileKeys, type KeyMaterial } from './sealing.ts';
import { type KeyMaterialOptions, makeKeyMaterial, readKeyMaterial } from './secretBox.ts';
import { unusable } from './unusable.ts';

const NONE: ProviderKeys = new Map();

/**
 * The provider keys of a data directory, encrypted. What cannot be opened is reported and never written over.
 * Each change starts from what is on disk, under a lock, so that no process undoes another's.
 */
export class CredentialFile {
  readonly #options: KeyMaterialOptions;
  readonly #file: string;
  #derived: { readonly material: KeyMaterial; readonly keys: Promise<FileKeys> } | undefined;

  constructor(options: KeyMaterialOptions) {
    this.#options = options;
    this.#file = join(options.directory, 'credentials.json');
  }

  /** Brings a file of an older version up to date on the way. */
  async read(): Promise<ProviderKeys> {
    const text = await readOwnFile(this.#file);
    if (text === undefined) return NONE;
    if (!isLegacy(parseDocument(text))) return openDocument(text, await this.#keysOf(await this.#material()));
    return this.#locked(() => this.#migrate());
  }

  /** `change` gets a copy to alter, and says what it did; nothing is written when that is `undefined`. */
  change<Done>(change: (keys: Map<string, string>) => Done | undefined): Promise<{
    readonly done: Done | undefined;
    readonly keys: ProviderKeys;
  }> {
    return this.#locked(async () => {
      const keys = new Map(await this.#migrate());
      const done = change(keys);
      if (done !== undefined) await this.#write(keys, await makeKeyMaterial(this.#options));
      return { done, keys };
    });
  }

  #locked<Result>(work: () => Promise<Result>): Promise<Result> {
    return withProcessLock(join(this.#options.directory, 'credentials.lock'), work);
  }

  /** What the file holds, in today's form by then. Read anew: another process may have been here first. */
  async #migrate(): Promise<ProviderKeys> {
    const text = await readOwnFile(this.#file);
    if (text === undefined) return NONE;
    const json = parseDocument(text);
    const material = await this.#material();
    if (!isLegacy(json)) return openDocument(text, await this.#keysOf(material));
    const keys = await openLegacy(json, material);
    await this.#write(keys, material);
    return keys;
  }

  async #write(keys: ProviderKeys, material: KeyMaterial): Promise<void> {
    await replaceOwnFile(this.#file, renderDocument(keys, await this.#keysOf(material)));
  }

  async #material(): Promise<KeyMaterial> {
    const material = await readKeyMaterial(this.#options);
    if (!material) throw ofAnotherMachine();
    return material;
  }

  /** Derived once for the same material, because it is made to take long. */
  #keysOf(material: KeyMaterial): Promise<FileKeys> {
    const held = this.#derived;
    if (held?.material.secret.equals(material.secret) && held.material.salt.equals(material.salt))
      return held.keys;
    const keys = deriveKeys(material);
    this.#derived = { material, keys };
    return keys;
  }
}

const ASK_AGAIN_MS = 10;
const LONGEST_WAIT_MS = 5_000;
/** SQLite's own numbers. */
const BUSY = 5;
const FULL = 13;

/**
 * One process at a time. The lock is the operating system's, taken through SQLite on an empty file: it ends with
 * the process however that ends, so that no stale lock ever has to be judged.
 */
export async function withProcessLock<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const lock = await acquire(file);
  try {
    return await work();
  } finally {
    lock.close();
  }
}

async function acquire(file: string): Promise<DatabaseSync> {
  await createForOwner(file);
  const givenUpAt = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const db = new DatabaseSync(file);
    try {
      db.exec('pragma busy_timeout = 0; begin exclusive');
      return db;
    } catch (cause) {
      db.close();
      if (sqliteCode(cause) === FULL) throw new HarkError('STORAGE_FULL', { cause });
      if (sqliteCode(cause) !== BUSY) throw unusable('credentials.lock cannot be used; move it aside', cause);
      if (performance.now() > givenUpAt)
        throw unusable('Another process holds credentials.lock; try again when it is done', cause);
      await wait(ASK_AGAIN_MS);
    }
  }
}

/** Without what SQLite says more exactly in its higher bits. */
function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

async function createForOwner(file: string): Promise<void> {
  try {
    makeOwnFolder(dirname(file));
    await (await open(file, 'a', 0o600)).close();
  } catch (cause) {
    if (hasNoRoom(cause)) throw new HarkError('STORAGE_FULL', { cause });
    throw unusable(
      'The data directory cannot be written to; make it writable for the user who runs hark',
      cause,
    );
  }
}
