import { existsSync } from 'node:fs';
import { mkdir, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasNoRoom, systemCode } from '../systemErrors.ts';
import type { DownloadError } from './download.ts';
import type { ModelFile } from './modelFile.ts';

export interface FileProgress {
  readonly phase: 'downloading' | 'checking' | 'unpacking';
  /** Of all files together. */
  readonly received: number;
  readonly total: number;
}

/** Who wants the files, and what is told of them meanwhile. */
export interface Wanting {
  /** Aborted when they are wanted no more; where it is not given, they are wanted until somebody cancels. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: FileProgress) => void;
  /** When a file that came in has another sum, before it is asked for once more. */
  readonly onWrong?: (name: string) => void;
}

interface ModelFilesOptions {
  /** In this order: with small ones first, a wrong address shows at once. */
  readonly files: readonly ModelFile[];
  readonly folder: string;
  readonly host: string;
  /** Takes the place of the host. */
  readonly mirror: string | undefined;
  readonly longestSilenceMs?: number | undefined;
  /** Calls back once a download may begin; gives what says that it is over, or not wanted any more. */
  readonly enter?: Enter | undefined;
  /** Told when all are there because they were downloaded. */
  readonly onCame?: (() => void) | undefined;
}

export type Enter = (begin: () => void) => () => void;

interface Job {
  readonly done: Promise<void>;
  readonly ending: AbortController;
  readonly wanting: Set<Wanting>;
}

/** Why a download ended that somebody ended. */
class DownloadCancelled extends Error {
  override readonly name = 'DownloadCancelled';
}

/** The files of one model on disk, and how they get there: once, for all who ask for them at a time. */
export class ModelFiles {
  readonly #options: ModelFilesOptions;
  #job: Job | undefined;
  #clearing: Promise<void> | undefined;
  #progress: FileProgress | undefined;

  constructor(options: ModelFilesOptions) {
    this.#options = options;
  }

  get folder(): string {
    return this.#options.folder;
  }

  get isComing(): boolean {
    return this.#job !== undefined;
  }

  /** Undefined where nothing is under way. */
  get progress(): FileProgress | undefined {
    return this.#progress;
  }

  pathOf(name: string): string {
    return join(this.folder, name);
  }

  /** Whether all are there; what is in them is looked at when they are opened. */
  areThere(): boolean {
    return this.#options.files.every(({ name }) => existsSync(this.pathOf(name)));
  }

  /** Whether some of it is there, but not all. */
  hasBegun(): boolean {
    const isSomewhere = ({ name }: ModelFile) =>
      existsSync(this.pathOf(name)) || existsSync(this.#comingPathOf(name));
    return !this.areThere() && this.#options.files.some(isSomewhere);
  }

  async remove(name: string): Promise<void> {
    await rm(this.pathOf(name), { force: true, recursive: true });
  }

  /** Brings what is missing. What came of it before is not asked for again. */
  async fetch(wanting: Wanting = {}): Promise<void> {
    const { signal } = wanting;
    await this.#clearing;
    signal?.throwIfAborted();
    const job = this.#job ?? this.#begin();
    job.wanting.add(wanting);
    const { promise: letGo, reject } = Promise.withResolvers<never>();
    const abort = () => {
      job.wanting.delete(wanting);
      if (job.wanting.size === 0) job.ending.abort(signal?.reason);
      // With nobody left, it is over when nothing is written any more.
      else reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
    await Promise.race([job.done, letGo]).finally(() => signal?.removeEventListener('abort', abort));
  }

  /** Ends what is under way, for whoever wants it; what came of it stays. */
  async cancel(): Promise<void> {
    const job = this.#job;
    job?.ending.abort(new DownloadCancelled('The download was cancelled'));
    await job?.done.catch(() => undefined);
  }

  /** All of it, also what came of it so far. */
  async clear(): Promise<void> {
    this.#clearing ??= this.#clear().finally(() => {
      this.#clearing = undefined;
    });
    await this.#clearing;
  }

  async #clear(): Promise<void> {
    await this.cancel();
    await rm(this.folder, { force: true, recursive: true });
  }

  /** What a process that was killed left of unpacking. */
  async tidy(): Promise<void> {
    if (this.#job) return;
    for (const { name, unpack } of this.#options.files)
      if (unpack) await rm(this.#unpackingPathOf(name), { force: true, recursive: true });
  }

  #begin(): Job {
    const ending = new AbortController();
    const wanting = new Set<Wanting>();
    const done = this.#fetchInTurn(ending.signal, wanting).finally(() => {
      this.#job = undefined;
      this.#progress = undefined;
    });
    // Whoever waits hears of a failure; with nobody left, nobody has to.
    done.then(this.#options.onCame).catch(() => undefined);
    this.#job = { done, ending, wanting };
    return this.#job;
  }

  /** It has begun for whoever asks, also while it waits for others. */
  async #fetchInTurn(signal: AbortSignal, wanting: ReadonlySet<Wanting>): Promise<void> {
    const { enter } = this.#options;
    const { promise: mayBegin, resolve, reject } = Promise.withResolvers<void>();
    const leave = enter?.(resolve);
    if (!enter) resolve();
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      await mayBegin;
      signal.throwIfAborted();
      await this.#fetchAll(signal, wanting);
    } finally {
      signal.removeEventListener('abort', abort);
      leave?.();
    }
  }

  async #fetchAll(signal: AbortSignal, wanting: ReadonlySet<Wanting>): Promise<void> {
    const { files, host, mirror, longestSilenceMs } = this.#options;
    const missing = files.filter(({ name }) => !existsSync(this.pathOf(name)));
    const all = new Map(missing.map(({ name, mostBytes }) => [name, { received: 0, total: mostBytes }]));
    await this.#findRoom(missing);
    const { fetchFile } = await import('./fetchFile.ts');
    // Hosts that are not TLS are in manifests of whoever runs the service alone.
    const isOwnHost = mirror !== undefined || host.startsWith('http:');
    for (const file of missing) {
      const { name, path, mostBytes } = file;
      await fetchFile(file, {
        url: `${(mirror ?? host).replace(/(?<!\/)\/+$/, '')}/${path}`,
        isOwnHost,
        places: {
          final: this.pathOf(name),
          coming: this.#comingPathOf(name),
          unpacking: this.#unpackingPathOf(name),
        },
        signal,
        longestSilenceMs,
        tell: (phase, received, total = mostBytes) => {
          all.set(name, { received, total });
          this.#progress = { phase, ...sumOf(all.values()) };
          for (const { onProgress } of wanting) onProgress?.(this.#progress);
        },
        onWrong: () => {
          for (const { onWrong } of wanting) onWrong?.(name);
        },
      });
    }
  }

  async #findRoom(missing: readonly ModelFile[]): Promise<void> {
    await mkdir(dirname(this.folder), { recursive: true, mode: 0o700 });
    let wanted = 0;
    for (const { name, mostBytes } of missing)
      wanted += mostBytes - ((await stat(this.#comingPathOf(name)).catch(() => undefined))?.size ?? 0);
    const { bavail, bsize } = await statfs(dirname(this.folder));
    if (bavail * bsize >= wanted) return;
    const { DownloadError } = await import('./download.ts');
    const megabytes = Math.ceil(wanted / 1_000_000);
    throw new DownloadError(`There is not enough room on the disk: it takes ${megabytes} MB`);
  }

  #comingPathOf(name: string): string {
    return `${this.pathOf(name)}.part`;
  }

  #unpackingPathOf(name: string): string {
    return `${this.pathOf(name)}.unpacking`;
  }
}

function sumOf(all: Iterable<{ received: number; total: number }>): { received: number; total: number } {
  let [received, total] = [0, 0];
  for (const one of all) {
    received += one.received;
    total += one.total;
  }
  return { received, total };
}

function isDownloadError(error: unknown): error is DownloadError {
  return error instanceof Error && error.name === 'DownloadError';
}

/** Without any address or path. */
export function whyNotFetched(error: unknown): { readonly why: string; readonly isPassing: boolean } {
  if (isDownloadError(error)) return { why: error.message, isPassing: error.isPassing };
  if (error instanceof DownloadCancelled) return { why: error.message, isPassing: true };
  if (hasNoRoom(error)) return { why: 'The disk is full', isPassing: true };
  return { why: `Its files cannot be written (${systemCode(error) ?? 'unknown'})`, isPassing: true };
}
