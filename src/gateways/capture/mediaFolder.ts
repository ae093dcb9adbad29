import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { decrypt, encrypt, IV_BYTES, TAG_BYTES } from '../../aesGcm.ts';
import { HarkError, isHarkError } from '../../errors.ts';
import { letGo } from '../../letGo.ts';
import type { SecretBox } from '../credentials/secretBox.ts';
import { hasNoRoom, systemCode } from '../systemErrors.ts';

const KEY_BYTES = 32;
const OWNER_ONLY = 0o600;
const NEW_LINE = 0x0a;
/** What is younger may be being written by another process. */
const YOUNG_MS = 10 * 60_000;

interface MediaFolderOptions {
  readonly folder: string;
  /** Under the secret of the machine lies the key of each file. */
  readonly box: Pick<SecretBox, 'seal' | 'open'>;
}

/** Recordings as files, each encrypted under a key of its own, which lies at its beginning, sealed. */
export class MediaFolder {
  readonly #options: MediaFolderOptions;

  constructor(options: MediaFolderOptions) {
    this.#options = options;
  }

  async write(userId: string, segmentId: string, bytes: Uint8Array): Promise<void> {
    const key = randomBytes(KEY_BYTES);
    const header = JSON.stringify(await this.#sealed(key, nameOf(userId, segmentId)));
    const { iv, tag, data } = encrypt(bytes, key);
    const parts = [Buffer.from(`${header}\n`), iv, tag, data];
    try {
      await mkdir(this.#folderOf(userId), { recursive: true, mode: 0o700 });
      const handle = await open(this.#fileOf(userId, segmentId), 'wx', OWNER_ONLY);
      try {
        await handle.writev(parts);
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      // Brought again.
      if (systemCode(error) === 'EEXIST') return;
      await this.remove(userId, [segmentId]);
      throw new HarkError(hasNoRoom(error) ? 'STORAGE_FULL' : 'CAPTURE_UNAVAILABLE', { cause: error });
    } finally {
      letGo(data);
    }
  }

  async read(userId: string, segmentId: string): Promise<Buffer | undefined> {
    const file = await readFile(this.#fileOf(userId, segmentId)).catch(() => undefined);
    if (!file) return undefined;
    const end = file.indexOf(NEW_LINE);
    const sealed = JSON.parse(file.subarray(0, end).toString());
    const key = Buffer.from(await this.#options.box.open(sealed, nameOf(userId, segmentId)), 'base64');
    const [iv, tag] = [end + 1, end + 1 + IV_BYTES];
    const data = file.subarray(tag + TAG_BYTES);
    return decrypt({ iv: file.subarray(iv, tag), tag: file.subarray(tag, tag + TAG_BYTES), data }, key);
  }

  async remove(userId: string, segmentIds: readonly string[]): Promise<void> {
    await Promise.all(segmentIds.map((id) => rm(this.#fileOf(userId, id), { force: true })));
  }

  /** Removes what no process knows of any more: what a crash left. */
  async sweep(
    users: () => readonly string[],
    liveOf: (userId: string) => Promise<(segmentId: string) => boolean>,
  ): Promise<void> {
    const { folder } = this.#options;
    const left: { name: string; file: string }[] = [];
    for (const name of await namesIn(folder))
      for (const file of await namesIn(join(folder, name))) left.push({ name, file });
    // Asked after that: of what was there by then, the log tells by now, or never will.
    const known = new Map(users().map((userId) => [this.#folderOf(userId), userId]));
    for (const { name, file } of left) {
      const userId = known.get(join(folder, name));
      if (userId !== undefined && (await liveOf(userId))(file)) continue;
      if (await this.#isOld(join(folder, name, file))) await rm(join(folder, name, file), { force: true });
    }
  }

  /** What the box says of itself is in the words of stored provider keys. */
  async #sealed(key: Buffer, name: string) {
    try {
      return await this.#options.box.seal(key.toString('base64'), name);
    } catch (cause) {
      const why = isHarkError(cause) ? `: ${cause.message}` : '';
      throw new HarkError('CAPTURE_UNAVAILABLE', { message: `Recordings cannot be encrypted${why}`, cause });
    }
  }

  async #isOld(file: string): Promise<boolean> {
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    return mtimeMs < Date.now() - YOUNG_MS;
  }

  #fileOf(userId: string, segmentId: string): string {
    return join(this.#folderOf(userId), segmentId);
  }

  /** A user may be called anything that a folder may not, or as another one but for its letters' case. */
  #folderOf(userId: string): string {
    return join(this.#options.folder, createHash('sha256').update(userId).digest('hex').slice(0, 32));
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/** A key opens nothing but the file that it is of. */
function nameOf(userId: string, segmentId: string): string {
  return `capture-${userId}.${segmentId}`;
}
