import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf } from './digest.ts';
import { DownloadError, downloadInPieces } from './download.ts';
import type { NliModel } from './models.ts';

const parts = ['model', 'tokenizer', 'config'] as const;
export type ModelPart = (typeof parts)[number];

const fileNames = { model: 'model.onnx', tokenizer: 'tokenizer.json', config: 'config.json' } as const;

/** A file that came in whole and is not what was pinned is asked for once more. */
const MOST_TRIES = 2;

export interface DownloadProgress {
  /** Of the largest file, which is nearly all there is. */
  readonly received: number;
  readonly total: number;
}

interface ModelFilesOptions {
  readonly model: NliModel;
  readonly folder: string;
  /** Takes the place of the model's host. */
  readonly mirror: string | undefined;
  /** When what came in has another checksum, before it is asked for once more. */
  readonly onWrong: (part: ModelPart) => void;
  readonly longestSilenceMs?: number | undefined;
}

/** The files of one model on disk, and how they get there. */
export class ModelFiles {
  readonly #options: ModelFilesOptions;

  constructor(options: ModelFilesOptions) {
    this.#options = options;
  }

  get folder(): string {
    return this.#options.folder;
  }

  pathOf(part: ModelPart): string {
    return join(this.folder, fileNames[part]);
  }

  /** Whether all are there; what is in them is looked at when they are opened. */
  areThere(): boolean {
    return parts.every((part) => existsSync(this.pathOf(part)));
  }

  /** Whether some of it is there, but not all. */
  hasBegun(): boolean {
    const isSomewhere = (part: ModelPart) =>
      existsSync(this.pathOf(part)) || existsSync(this.#comingPathOf(part));
    return !this.areThere() && parts.some(isSomewhere);
  }

  async remove(part: ModelPart): Promise<void> {
    await rm(this.pathOf(part), { force: true });
  }

  /** Brings what is missing, the small ones first: with them a wrong address shows at once. */
  async fetch(signal: AbortSignal, onProgress: (progress: DownloadProgress) => void): Promise<void> {
    for (const part of parts.toReversed())
      if (!existsSync(this.pathOf(part))) await this.#fetchPart(part, signal, onProgress);
  }

  async #fetchPart(
    part: ModelPart,
    signal: AbortSignal,
    onProgress: (progress: DownloadProgress) => void,
  ): Promise<void> {
    const { model, mirror, longestSilenceMs } = this.#options;
    const { path, mostBytes, ...expected } = model[part];
    const pinned = 'sha256' in expected ? expected.sha256 : undefined;
    const coming = this.#comingPathOf(part);
    const url = `${(mirror ?? model.host).replace(/(?<!\/)\/+$/, '')}/${path}`;
    const wanted = {
      url,
      part: coming,
      mostBytes,
      signal,
      onProgress: (received: number, total = mostBytes) =>
        part === 'model' && onProgress({ received, total }),
      longestSilenceMs,
    };
    for (let tries = 1; ; tries++) {
      await downloadInPieces(wanted);
      if (pinned === undefined || (await digestOf(coming)) === pinned) break;
      await rm(coming, { force: true });
      this.#options.onWrong(part);
      if (tries === MOST_TRIES) throw new DownloadError(`${fileNames[part]} has a wrong checksum`);
    }
    await rename(coming, this.pathOf(part));
  }

  #comingPathOf(part: ModelPart): string {
    return `${this.pathOf(part)}.part`;
  }
}
