import { readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { HarkError } from '../errors.ts';
import { makeOwnFolder } from '../ownFolder.ts';
import { RestingThread, ThreadLost } from '../restingThread.ts';
import type { BackupAnswer, BackupJob } from './backupThread.ts';

export interface Backup {
  readonly name: string;
  /** When it was begun: what was appended later may not be in it. */
  readonly at: number;
  readonly bytes: number;
}

interface BackupFolderOptions {
  readonly url: string;
  readonly dataDirectory: string;
  readonly clock: () => number;
}

/** A log of many gigabytes on a slow disk takes less. */
const LONGEST_MS = 6 * 60 * 60_000;
const STARTING_MS = 30_000;
const HEAP_MIB = 512;
/** So long nothing was written to a file that somebody still writes. */
const ABANDONED_MS = 60 * 60_000;
/** What the log needs to go on must stay free. */
const LEFT_FREE = 256 * 1_024 * 1_024;

const NAME = /^hark-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)-(\d{3}Z)\.db$/;
/** What is not whole yet, and what SQLite keeps beside it. */
const PART = /^(hark-[\dT-]{23}Z\.db)\..+\.part/;

/** Backups in a folder of the data directory, made one at a time beside a service that goes on writing. */
export class BackupFolder {
  readonly #options: BackupFolderOptions;
  readonly #folder: string;
  readonly #thread = new RestingThread<BackupJob, BackupAnswer>({
    script: new URL('./backupThread.ts', import.meta.url),
    limits: { maxOldGenerationSizeMb: HEAP_MIB },
    idleMs: 0,
    limitMs: LONGEST_MS,
    startingMs: STARTING_MS,
    tries: 1,
  });
  #runningSince: number | undefined;
  #making: Promise<unknown> | undefined;

  constructor(options: BackupFolderOptions) {
    this.#options = options;
    this.#folder = join(options.dataDirectory, 'backups');
  }

  get isPossible(): boolean {
    return this.#options.url !== 'none' && this.#options.url !== 'memory';
  }

  get runningSince(): number | undefined {
    return this.#runningSince;
  }

  /** Newest first. */
  async list(): Promise<readonly Backup[]> {
    const found = (await this.#names()).flatMap((name) => {
      const at = timeIn(name);
      return at === undefined ? [] : [{ name, at }];
    });
    const sized = found.map(async (one) => ({ ...one, bytes: await sizeOf(join(this.#folder, one.name)) }));
    return (await Promise.all(sized)).toSorted((one, other) => other.at - one.at);
  }

  async make(): Promise<Backup & { readonly events: number }> {
    if (!this.isPossible) throw new HarkError('BACKUP_IMPOSSIBLE');
    if (this.#runningSince !== undefined) throw new HarkError('BACKUP_RUNNING');
    const making = this.#make();
    this.#making = making.catch(() => {});
    return making;
  }

  async #make(): Promise<Backup & { readonly events: number }> {
    const { url, dataDirectory, clock } = this.#options;
    const at = clock();
    const name = `hark-${new Date(at).toISOString().replace(/[:.]/g, '-')}.db`;
    const file = join(this.#folder, name);
    this.#runningSince = at;
    try {
      makeOwnFolder(this.#folder);
      await this.clear();
      await this.#refuseWithoutRoom();
      const answer = await this.#thread.do({ url, dataDirectory, file });
      if ('code' in answer) throw new HarkError(answer.code, { cause: answer.cause });
      return { name, at, bytes: await sizeOf(file), events: answer.events };
    } catch (error) {
      throw error instanceof ThreadLost && error.reason === 'stopped' ? new HarkError('NOT_READY') : error;
    } finally {
      // A thread that is ended clears nothing up itself.
      await this.#removeParts((part) => part === name);
      this.#runningSince = undefined;
    }
  }

  async remove(name: string): Promise<void> {
    if (timeIn(name) === undefined || !(await this.#names()).includes(name))
      throw new HarkError('BACKUP_UNKNOWN', { body: { name } });
    await rm(join(this.#folder, name), { force: true });
  }

  /**
   * What a process left that ended in the middle of a backup: it holds keys of what is erased later. Where the log is in
   * SQLite no other process has the folder; else another may be writing there.
   */
  async clear(): Promise<void> {
    const isAlone = this.#options.url === 'embedded';
    await this.#removeParts(async (_name, file) => {
      const { mtimeMs = 0 } = (await stat(file).catch(() => undefined)) ?? {};
      return isAlone || mtimeMs < Date.now() - ABANDONED_MS;
    });
  }

  /** What is not done by then is given up. */
  async stop(): Promise<void> {
    await this.#thread.stop();
    await this.#making;
  }

  async #names(): Promise<readonly string[]> {
    return readdir(this.#folder).catch(() => []);
  }

  async #removeParts(isWanted: (name: string, file: string) => boolean | Promise<boolean>): Promise<void> {
    for (const part of await this.#names()) {
      const [, name] = PART.exec(part) ?? [];
      const file = join(this.#folder, part);
      if (name !== undefined && (await isWanted(name, file))) await rm(file, { force: true });
    }
  }

  async #refuseWithoutRoom(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#folder);
    const log = await sizeOf(join(this.#options.dataDirectory, 'hark.db'));
    if (bavail * bsize < log + LEFT_FREE) throw new HarkError('STORAGE_FULL');
  }
}

function timeIn(name: string): number | undefined {
  const at = NAME.test(name) ? Date.parse(name.replace(NAME, '$1$2:$3:$4.$5')) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}
