import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type HarkError, isHarkError } from '../../errors.ts';
import type { CredentialFile } from './credentialFile.ts';
import type { ProviderKeys } from './document.ts';
import type { KeyMaterialOptions } from './secretBox.ts';
import { unusable } from './unusable.ts';

/** What is in use now. A fault says why the file could not be read the last time. */
interface Held {
  readonly keys: ProviderKeys;
  readonly fault?: HarkError;
}

/**
 * The stored provider keys as they count now: read when they are first asked for, and again when another process
 * changed them. A file that cannot be read stops nobody from asking; what was read before goes on counting.
 */
export class Credentials {
  readonly #options: KeyMaterialOptions;
  #file: Promise<CredentialFile> | undefined;
  #held: Held | undefined;
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(options: KeyMaterialOptions) {
    this.#options = options;
  }

  /** By credential scope; never rejects. */
  async keys(): Promise<ProviderKeys> {
    return (this.#held ?? (await this.#inTurn(async () => this.#held ?? this.#read()))).keys;
  }

  async reload(): Promise<void> {
    await this.#inTurn(() => this.#read());
  }

  /** Looks at the file as it is now, and throws what is wrong with it. */
  async check(): Promise<void> {
    const { fault } = await this.#inTurn(() => this.#read());
    if (fault) throw fault;
  }

  /** Resolves when it would survive a crash; `unchanged` for a key that is there already. */
  async store(providerId: string, apiKey: string): Promise<'created' | 'rotated' | 'unchanged'> {
    const done = await this.#change((keys) => {
      const before = keys.get(providerId);
      if (before === apiKey) return undefined;
      keys.set(providerId, apiKey);
      return before === undefined ? ('created' as const) : ('rotated' as const);
    });
    return done ?? 'unchanged';
  }

  /** Whether there was one. */
  async remove(providerId: string): Promise<boolean> {
    return (await this.#change((keys) => keys.delete(providerId) || undefined)) ?? false;
  }

  /** Removes all, and says which there were. */
  async clear(): Promise<readonly string[]> {
    const removed = await this.#change((keys) => {
      const providerIds = [...keys.keys()];
      keys.clear();
      return providerIds.length > 0 ? providerIds : undefined;
    });
    return removed ?? [];
  }

  #change<Done>(change: (keys: Map<string, string>) => Done | undefined): Promise<Done | undefined> {
    return this.#inTurn(async () => {
      const { keys, done } = await (await this.#load()).change(change);
      this.#held = { keys };
      return done;
    });
  }

  async #read(): Promise<Held> {
    try {
      // Without a file there is nothing to load what reads it for: most starts are spared that.
      const isThere = existsSync(join(this.#options.directory, 'credentials.json'));
      this.#held = { keys: isThere ? await (await this.#load()).read() : new Map() };
    } catch (error) {
      const fault = isHarkError(error) ? error : unusable('The stored provider keys cannot be read', error);
      this.#held = { keys: this.#held?.keys ?? new Map(), fault };
    }
    return this.#held;
  }

  #load(): Promise<CredentialFile> {
    this.#file ??= import('./credentialFile.ts').then(
      ({ CredentialFile: OnDisk }) => new OnDisk(this.#options),
    );
    return this.#file;
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }
}
