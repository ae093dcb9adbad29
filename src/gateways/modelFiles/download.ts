import { mkdir, open, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isPublic } from '../network/addresses.ts';
import { AddressRefused, lookupWhere } from '../network/lookup.ts';
import { refusalOf } from '../network/targets.ts';
import { systemCode } from '../systemErrors.ts';

// Not imported: Node would read all that these modules export, and thereby load its own fetch, 12 MB and 25 ms.
const { Agent: PlainAgent, request: askPlainly } = process.getBuiltinModule('node:http');
const { Agent: SecureAgent, request: askSecurely } = process.getBuiltinModule('node:https');

const OWNER_ONLY = 0o600;
/** A host that says nothing for so long has gone away. */
const LONGEST_SILENCE_MS = 60_000;
/** A host that breaks off more often gives a little each time and never all of it. */
const MOST_ATTEMPTS = 500;
const MOST_IN_VAIN = 2;
const PAUSE_MS = 250;
/** Releases and model hubs lead to a storage server, and that once more at most. */
const MOST_REDIRECTS = 5;

export interface Download {
  readonly url: string;
  /** Named by whoever runs the service: it may lie in a private network, and speak without TLS. */
  readonly isOwnHost: boolean;
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
  /** Whether asking again may help. */
  readonly isPassing: boolean;

  constructor(message: string, { isPassing = true, cause }: { isPassing?: boolean; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.isPassing = isPassing;
  }
}

/** It was there, and the connection broke: with some luck it holds the next time. */
class BrokenOff extends DownloadError {
  constructor(cause?: unknown) {
    super('The host ended the connection early', { cause });
  }
}

/**
 * Brings a file as far as `part`, and goes on where an earlier attempt ended, at once for as long as each attempt
 * brings something, and a little longer where connections break. What the file holds is for others to check.
 */
export async function downloadInPieces(options: Download): Promise<void> {
  let had = await sizeOf(options.part);
  let inVain = 0;
  for (let attempts = 1; had < options.mostBytes; attempts++) {
    try {
      await download(options);
      return;
    } catch (error) {
      const has = await sizeOf(options.part);
      const isOver = options.signal.aborted || (error instanceof DownloadError && !error.isPassing);
      if (isOver || isOfTheDisk(error) || attempts === MOST_ATTEMPTS) throw error;
      inVain = has > had ? 0 : inVain + 1;
      if (inVain > (error instanceof BrokenOff ? MOST_IN_VAIN : 0)) throw error;
      if (inVain > 0) await pause(PAUSE_MS);
      options.signal.throwIfAborted();
      had = has;
    }
  }
}

/** Not of the connection: asking again would not help. */
function isOfTheDisk(error: unknown): boolean {
  return !(error instanceof DownloadError) && systemCode(error) !== undefined;
}

async function download(options: Download): Promise<void> {
  const { url, part, signal, longestSilenceMs = LONGEST_SILENCE_MS } = options;
  await mkdir(dirname(part), { recursive: true, mode: 0o700 });
  const silent = new AbortController();
  const watch = setTimeout(
    () => silent.abort(new DownloadError('The host stopped sending')),
    longestSilenceMs,
  );
  const ended = AbortSignal.any([signal, silent.signal]);
  try {
    const had = await sizeOf(part);
    const answer = await ask(new URL(url), { ...options, had, signal: ended });
    const from = startOf(answer, had);
    if (from === undefined) answer.destroy();
    else await take(answer, from, { ...options, signal: ended }, () => watch.refresh());
  } catch (error) {
    signal.throwIfAborted();
    if (silent.signal.aborted) throw silent.signal.reason;
    throw error;
  } finally {
    clearTimeout(watch);
  }
}

interface Asking extends Pick<Download, 'isOwnHost' | 'signal'> {
  readonly had: number;
}

/** Follows what leads to public servers over TLS, or on the host that whoever runs the service named. */
async function ask(url: URL, asking: Asking): Promise<IncomingMessage> {
  let target = url;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const isTrusted = asking.isOwnHost && target.origin === url.origin;
    if (!isTrusted && refusalOf(target.href, false))
      throw new DownloadError('The host leads to an address that may not be asked', { isPassing: false });
    const answer = await send(target, asking, isTrusted).catch((cause) => {
      if (!(cause instanceof AddressRefused))
        throw new DownloadError('The host cannot be reached', { cause });
      throw new DownloadError('The host leads to an address that may not be asked', { isPassing: false });
    });
    const { statusCode = 0, headers } = answer;
    if (statusCode < 300 || statusCode > 399 || headers.location === undefined) return answer;
    answer.destroy();
    const next = URL.parse(headers.location, target.href);
    if (!next) break;
    target = next;
  }
  throw new DownloadError('The host leads in a circle', { isPassing: false });
}

function send(target: URL, { had, signal }: Asking, isTrusted: boolean): Promise<IncomingMessage> {
  const isSecure = target.protocol === 'https:';
  // As with `fetch`, a proxy of the environment is asked where Node is told to: then it looks names up.
  const isProxied = process.env.NODE_USE_ENV_PROXY === '1';
  const proxied = isProxied ? { proxyEnv: process.env } : {};
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = (isSecure ? askSecurely : askPlainly)(target, {
    agent: isSecure ? new SecureAgent(proxied) : new PlainAgent(proxied),
    // As it is, so that nothing is compressed on the way and counts as it is.
    headers: { 'accept-encoding': 'identity', ...(had > 0 ? { range: `bytes=${had}-` } : {}) },
    ...(isTrusted || isProxied ? {} : { lookup: lookupWhere(isPublic) }),
    signal,
  });
  outgoing.on('response', resolve);
  outgoing.on('error', reject);
  outgoing.end();
  return promise;
}

/** Where the answer begins in the file; undefined when there is nothing more to come. */
function startOf(answer: IncomingMessage, had: number): number | undefined {
  const range = /^bytes (\d+)-\d+\//.exec(answer.headers['content-range'] ?? '');
  if (answer.statusCode === 206 && Number(range?.[1]) === had) return had;
  if (answer.statusCode === 200) return 0;
  answer.destroy();
  // All is there already, or it is more than there should be: who checks it will tell.
  if (answer.statusCode === 416 && had > 0) return undefined;
  throw new DownloadError(`The host answered ${answer.statusCode}`);
}

async function take(
  answer: IncomingMessage,
  from: number,
  { part, mostBytes, onProgress }: Download,
  onSome: () => void,
): Promise<void> {
  const length = Number(answer.headers['content-length']);
  const total = length > 0 ? from + length : undefined;
  if ((total ?? 0) > mostBytes) {
    answer.destroy();
    throw new DownloadError('The host offers a larger file', { isPassing: false });
  }
  const handle = await open(part, from === 0 ? 'w' : 'a', OWNER_ONLY);
  try {
    let received = from;
    for await (const chunk of brokenOff(answer)) {
      received += chunk.byteLength;
      if (received > mostBytes) throw new DownloadError('The host sends a larger file', { isPassing: false });
      await handle.writeFile(chunk);
      onSome();
      onProgress(received, total);
    }
    await handle.sync();
    if (total !== undefined && received < total) throw new BrokenOff();
  } finally {
    answer.destroy();
    await handle.close();
  }
}

/** So that what the connection says is not taken for what the disk says. */
async function* brokenOff(answer: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of answer) yield chunk;
  } catch (cause) {
    throw new BrokenOff(cause);
  }
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}
