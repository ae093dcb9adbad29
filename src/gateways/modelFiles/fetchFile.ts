import { rename, rm, stat } from 'node:fs/promises';
import { unpackInThread } from './archive/unpackInThread.ts';
import { digestOf } from './digest.ts';
import { DownloadError, downloadInPieces } from './download.ts';
import type { ModelFile } from './modelFile.ts';

interface Fetching {
  readonly url: string;
  /** Named by whoever runs the service. */
  readonly isOwnHost: boolean;
  /** Where it comes to lie, what came of it so far, and what is unpacked of it so far. */
  readonly places: { readonly final: string; readonly coming: string; readonly unpacking: string };
  readonly signal: AbortSignal;
  readonly longestSilenceMs: number | undefined;
  readonly tell: (phase: 'downloading' | 'checking' | 'unpacking', received: number, total?: number) => void;
  readonly onWrong: () => void;
}

/** A file that came in whole and is not what was pinned is asked for once more. */
const MOST_TRIES = 2;

/** Brings one file to its place: whole and checked, or not at all. */
export async function fetchFile(file: ModelFile, fetching: Fetching): Promise<void> {
  const { places, tell } = fetching;
  await bring(file, fetching);
  if (!file.unpack) return rename(places.coming, places.final);
  tell('unpacking', file.mostBytes);
  await unpack(file.name, file.unpack, fetching);
}

async function bring({ name, mostBytes, sha256 }: ModelFile, fetching: Fetching): Promise<void> {
  const { url, isOwnHost, places, signal, longestSilenceMs, tell, onWrong } = fetching;
  let total: number | undefined;
  const onProgress = (received: number, of: number | undefined) => {
    total = of;
    tell('downloading', received, of);
  };
  for (let tries = 1; ; tries++) {
    const part = places.coming;
    await downloadInPieces({ url, isOwnHost, part, mostBytes, signal, onProgress, longestSilenceMs });
    const { size } = await stat(part);
    tell('checking', size, total ?? size);
    const isRight = sha256 === undefined || (await digestOf(part)) === sha256;
    signal.throwIfAborted();
    if (isRight) return;
    await rm(part, { force: true });
    onWrong();
    if (tries === MOST_TRIES) throw new DownloadError(`${name} has a wrong checksum`);
  }
}

/** The folder has its name when all is in it. */
async function unpack(root: string, keep: readonly string[], fetching: Fetching): Promise<void> {
  const { places, signal, tell } = fetching;
  const { coming: archive, unpacking: folder, final } = places;
  const { size } = await stat(archive);
  await rm(folder, { force: true, recursive: true });
  try {
    await unpackInThread({ archive, folder, root, keep }, { signal, onRead: () => tell('unpacking', size) });
    await rename(folder, final);
    await rm(archive, { force: true });
  } catch (error) {
    await rm(folder, { force: true, recursive: true });
    // What cannot be unpacked is of no use a second time; for want of room it is.
    if (error instanceof DownloadError) await rm(archive, { force: true });
    throw error;
  }
}
