import { join } from 'node:path';
import {
  ofAnotherMachine,
  openDocument,
  type ProviderKeys,
  parseDocument,
  renderDocument,
} from './document.ts';
import { readOwnFile, replaceOwnFile } from './durableFile.ts';
import { type KeyMaterialOptions, makeKeyMaterial, readKeyMaterial } from './keyMaterial.ts';
import { isLegacy, openLegacy } from './legacy.ts';
import { withProcessLock } from './processLock.ts';
import { deriveKeys, type FileKeys, type KeyMaterial } from './sealing.ts';

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
