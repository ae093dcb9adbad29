import { type KeyMaterialOptions, makeKeyMaterial, readKeyMaterial } from './keyMaterial.ts';
import { deriveKeys, type FileKeys, type Sealed, seal, unseal } from './sealing.ts';
import { unusable } from './unusable.ts';

/** Encrypts what has to be kept elsewhere, under the secret of this machine; each under a name, and opened only by that. */
export class SecretBox {
  readonly #options: KeyMaterialOptions;
  #keys: Promise<FileKeys> | undefined;

  constructor(options: KeyMaterialOptions) {
    this.#options = options;
  }

  async seal(secret: string, name: string): Promise<Sealed> {
    this.#keys ??= makeKeyMaterial(this.#options).then(deriveKeys);
    return seal(secret, name, (await this.#orAgain(this.#keys)).encryption);
  }

  async open(sealed: Sealed, name: string): Promise<string> {
    this.#keys ??= readKeyMaterial(this.#options).then((material) => {
      if (!material) throw unusable('The secret of this machine is not there');
      return deriveKeys(material);
    });
    const { encryption } = await this.#orAgain(this.#keys);
    try {
      return unseal(sealed, name, encryption);
    } catch {
      throw unusable('It was sealed under the secret of another machine');
    }
  }

  /** What could not be read may be there the next time. */
  async #orAgain(keys: Promise<FileKeys>): Promise<FileKeys> {
    return keys.catch((error) => {
      this.#keys = undefined;
      throw error;
    });
  }
}
