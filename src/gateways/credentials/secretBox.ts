import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readOwnFile, replaceOwnFile } from './durableFile.ts';
import {
  authenticate,
  deriveKeys,
  type FileKeys,
  type KeyMaterial,
  type Sealed,
  seal,
  unseal,
} from './sealing.ts';
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

  /** 32 bytes for a purpose: nobody else's, and the same as long as the secret of this machine is. */
  async derive(purpose: string): Promise<Buffer> {
    this.#keys ??= makeKeyMaterial(this.#options).then(deriveKeys);
    return authenticate(`hark ${purpose}`, (await this.#orAgain(this.#keys)).authentication);
  }

  async open(sealed: Sealed, name: string): Promise<string> {
    this.#keys ??= readKeyMaterial(this.#options).then((material) => {
      if (!material) throw unusable('The secret of this machine is missing');
      return deriveKeys(material);
    });
    const { encryption } = await this.#orAgain(this.#keys);
    try {
      return unseal(sealed, name, encryption);
    } catch {
      throw unusable('It was encrypted with the secret of another machine');
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

const BYTES = 32;
const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^[A-Za-z0-9+/]{43}=?$/;

type Part = 'secret' | 'salt';

export interface KeyMaterialOptions {
  readonly directory: string;
  /** From the environment; each then takes the place of its file. */
  readonly secret?: string | undefined;
  readonly salt?: string | undefined;
  /** A salt has to be given or lie there: none is made up. */
  readonly enforceSalt: boolean;
}

/** Undefined when a part of it is neither given nor kept. */
export async function readKeyMaterial(options: KeyMaterialOptions): Promise<KeyMaterial | undefined> {
  const [secret, salt] = await Promise.all([readPart('secret', options), readPart('salt', options)]);
  return secret && salt ? { secret, salt } : undefined;
}

/** Only for a first key: what exists already cannot be opened with what is made here. */
export async function makeKeyMaterial(options: KeyMaterialOptions): Promise<KeyMaterial> {
  const salt = await readPart('salt', options);
  if (!salt && options.enforceSalt)
    throw unusable(
      'With NODE_ENV=production no salt is generated: set SERVICE_CREDENTIAL_SALT to 32 bytes (openssl rand -hex 32) and start again',
    );
  const secret = await readPart('secret', options);
  return {
    secret: secret ?? (await makePart('secret', options)),
    salt: salt ?? (await makePart('salt', options)),
  };
}

async function readPart(part: Part, options: KeyMaterialOptions): Promise<Buffer | undefined> {
  const given = options[part];
  if (given !== undefined) return toBytes(given);
  const text = (await readOwnFile(fileOf(part, options)))?.trim();
  if (text === undefined) return undefined;
  if (HEX.test(text)) return Buffer.from(text, 'hex');
  throw unusable(
    `credentials.${part} is damaged: it must hold 64 hexadecimal digits. Put back a copy of ` +
      'it, or move it and credentials.json aside and store the keys again',
  );
}

/** 32 bytes in hexadecimal digits or base64; any other text stands for itself. */
function toBytes(text: string): Buffer {
  if (HEX.test(text)) return Buffer.from(text, 'hex');
  return Buffer.from(text, BASE64.test(text) ? 'base64' : 'utf8');
}

async function makePart(part: Part, options: KeyMaterialOptions): Promise<Buffer> {
  const bytes = randomBytes(BYTES);
  await replaceOwnFile(fileOf(part, options), `${bytes.toString('hex')}\n`);
  return bytes;
}

function fileOf(part: Part, { directory }: KeyMaterialOptions): string {
  return join(directory, `credentials.${part}`);
}
