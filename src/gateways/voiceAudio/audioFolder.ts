import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HALF = '.part';

/**
 * What was said in conversations by voice, as files: each encrypted under a key of its own, which is not here. Whoever keeps
 * the key decides for how long the file says anything.
 */
export class AudioFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** In base64. */
  newKey(): string {
    return randomBytes(KEY_BYTES).toString('base64');
  }

  /** Whole, or not at all: the next that is written removes what a crash left of one. */
  async write(place: AudioPlace, key: string, bytes: Uint8Array): Promise<void> {
    const folder = this.#folderOf(place);
    const file = join(folder, nameOf(place.audioId));
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64'), iv);
    const sealed = [cipher.update(bytes), cipher.final()];
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await Promise.all(
      (await readdir(folder))
        .filter((name) => name.endsWith(HALF))
        .map((name) => rm(join(folder, name), { force: true })),
    );
    const handle = await open(file + HALF, 'w', 0o600);
    try {
      await handle.writev([iv, cipher.getAuthTag(), ...sealed]);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(file + HALF, file);
  }

  /** Undefined where it is not there. */
  async read(place: AudioPlace, key: string): Promise<Buffer | undefined> {
    const file = await readFile(join(this.#folderOf(place), nameOf(place.audioId))).catch(() => undefined);
    if (!file) return undefined;
    const from = IV_BYTES + TAG_BYTES;
    const decipher = createDecipheriv(
      'aes-256-gcm',
      Buffer.from(key, 'base64'),
      file.subarray(0, IV_BYTES),
    ).setAuthTag(file.subarray(IV_BYTES, from));
    return Buffer.concat([decipher.update(file.subarray(from)), decipher.final()]);
  }

  async remove(userId: string, conversationIds: readonly string[]): Promise<void> {
    await Promise.all(
      conversationIds.map((conversationId) =>
        rm(this.#folderOf({ userId, conversationId }), { recursive: true, force: true }),
      ),
    );
  }

  async removeAllOf(userId: string): Promise<void> {
    await rm(join(this.#folder, nameOf(userId)), { recursive: true, force: true });
  }

  #folderOf({ userId, conversationId }: Omit<AudioPlace, 'audioId'>): string {
    return join(this.#folder, nameOf(userId), nameOf(conversationId));
  }
}

interface AudioPlace {
  readonly userId: string;
  readonly conversationId: string;
  readonly audioId: string;
}

/** Users and conversations may be called anything that a folder may not. */
function nameOf(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 32);
}
