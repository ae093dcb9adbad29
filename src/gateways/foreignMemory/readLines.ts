import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { TextDecoder } from 'node:util';

/** A file that is not what it should be; says why, and nothing of what it holds. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

const CHUNK = 64 * 1_024;
const LONGEST_LINE = 2 ** 20;

/**
 * The lines of a text file, read piece by piece and never beyond the cap. Only a regular file is opened, so that
 * nothing waits for the other end of a pipe.
 */
export async function* readLines(path: string, mostBytes: number): AsyncGenerator<string> {
  const file = await openText(path, mostBytes);
  try {
    let rest = '';
    for await (const text of decoded(file, mostBytes)) {
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      if (rest.length > LONGEST_LINE) throw new Unreadable('A line is longer than 1 MB');
      yield* lines;
    }
    if (rest !== '') yield rest.replace(/\r$/, '');
  } finally {
    await file.close();
  }
}

async function openText(path: string, mostBytes: number): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  let file: FileHandle;
  try {
    file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    throw new Unreadable('The file cannot be opened');
  }
  const { size, isFile } = await file.stat().then((stats) => ({ size: stats.size, isFile: stats.isFile() }));
  if (isFile && size <= mostBytes) return file;
  await file.close();
  throw new Unreadable(isFile ? `Larger than ${Math.round(mostBytes / 2 ** 20)} MB` : 'Not a file');
}

async function* decoded(file: FileHandle, mostBytes: number): AsyncGenerator<string> {
  const buffer = new Uint8Array(CHUNK);
  let decoder: TextDecoder | undefined;
  for (let total = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK, null);
    total += bytesRead;
    if (total > mostBytes) throw new Unreadable(`Larger than ${Math.round(mostBytes / 2 ** 20)} MB`);
    decoder ??= decoderFor(buffer.subarray(0, bytesRead));
    const text = decode(decoder, buffer.subarray(0, bytesRead), bytesRead > 0);
    if (text.includes('\0')) throw new Unreadable('Binary, not text');
    yield text;
    if (bytesRead === 0) return;
  }
}

/** Text says by its first bytes when it is not UTF-8. */
function decoderFor([first, second]: Uint8Array): TextDecoder {
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const encoding = isWide ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
  return new TextDecoder(encoding, { fatal: true });
}

function decode(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw new Unreadable('Neither UTF-8 nor UTF-16 text, or cut off in the middle of a character');
  }
}
