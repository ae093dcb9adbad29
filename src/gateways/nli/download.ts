import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const OWNER_ONLY = 0o600;
/** A host that says nothing for so long has gone away. */
const LONGEST_SILENCE_MS = 60_000;

interface Download {
  readonly url: string;
  /** Holds what came so far; what is there already is not asked for again. */
  readonly part: string;
  readonly mostBytes: number;
  readonly onProgress: (received: number, total: number | undefined) => void;
  readonly signal: AbortSignal;
  readonly longestSilenceMs?: number | undefined;
}

/** What kept a file from coming, without any address or path. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

/**
 * Brings a file as far as `part`, and goes on where an earlier attempt ended, at once for as long as each attempt
 * brings something. What the file holds is for others to check.
 */
export async function downloadInPieces(options: Download): Promise<void> {
  for (let had = await sizeOf(options.part); ; ) {
    try {
      await download(options);
      return;
    } catch (error) {
      const has = await sizeOf(options.part);
      if (options.signal.aborted || has <= had) throw error;
      had = has;
    }
  }
}

async function download(options: Download): Promise<void> {
  const { url, part, signal, longestSilenceMs = LONGEST_SILENCE_MS } = options;
  await mkdir(dirname(part), { recursive: true, mode: 0o700 });
  const silent = new AbortController();
  const watch = setTimeout(
    () => silent.abort(new DownloadError('The host stopped sending')),
    longestSilenceMs,
  );
  try {
    const had = await sizeOf(part);
    const ended = AbortSignal.any([signal, silent.signal]);
    const answer = await fetch(url, { headers: rangeFrom(had), signal: ended });
    const from = await startOf(answer, had);
    if (from !== undefined) await take(answer, from, options, () => watch.refresh());
  } catch (error) {
    signal.throwIfAborted();
    if (silent.signal.aborted) throw silent.signal.reason;
    throw error instanceof DownloadError
      ? error
      : new DownloadError('The host cannot be reached', { cause: error });
  } finally {
    clearTimeout(watch);
  }
}

/** As text, so that nothing is compressed on the way and counts as it is. */
function rangeFrom(had: number): Record<string, string> {
  return { 'accept-encoding': 'identity', ...(had > 0 ? { range: `bytes=${had}-` } : {}) };
}

/** Where the answer begins in the file; undefined when there is nothing more to come. */
async function startOf(answer: Response, had: number): Promise<number | undefined> {
  const range = /^bytes (\d+)-\d+\//.exec(answer.headers.get('content-range') ?? '');
  if (answer.status === 206 && Number(range?.[1]) === had) return had;
  if (answer.status === 200) return 0;
  await answer.body?.cancel();
  // All is there already, or it is more than there should be: who checks it will tell.
  if (answer.status === 416 && had > 0) return undefined;
  throw new DownloadError(`The host answered ${answer.status}`);
}

async function take(
  answer: Response,
  from: number,
  { part, mostBytes, onProgress }: Download,
  onSome: () => void,
): Promise<void> {
  const length = Number(answer.headers.get('content-length'));
  const total = length > 0 ? from + length : undefined;
  if ((total ?? 0) > mostBytes) {
    await answer.body?.cancel();
    throw new DownloadError('The host offers a larger file');
  }
  const handle = await open(part, from === 0 ? 'w' : 'a', OWNER_ONLY);
  try {
    let received = from;
    for await (const chunk of answer.body ?? []) {
      received += chunk.byteLength;
      if (received > mostBytes) throw new DownloadError('The host sends a larger file');
      await handle.writeFile(chunk);
      onSome();
      onProgress(received, total);
    }
    await handle.sync();
    if (total !== undefined && received < total)
      throw new DownloadError('The host ended the connection early');
  } finally {
    await handle.close();
  }
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}
