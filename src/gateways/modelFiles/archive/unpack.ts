import { closeSync, fstatSync, fsyncSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCode } from '../../systemErrors.ts';
import { unpackBzip2 } from './bzip2.ts';
import { BrokenArchive } from './codes.ts';
import { readTar } from './tar.ts';

export interface Unpacking {
  readonly archive: string;
  /** Made here; it must not be there yet. */
  readonly folder: string;
  /** The one folder of the archive from which anything is taken. */
  readonly root: string;
  /** Files and folders in it that it has to hold. Beside them only what tells of the licence is taken. */
  readonly keep: readonly string[];
}

/** What is told of it by the thread in which it is done. */
export type FromUnpacking =
  | 'done'
  /** So many bytes of the archive. */
  | { readonly read: number }
  /** What is wrong with it. */
  | { readonly broken: string }
  /** What the operating system said. */
  | { readonly code: string };

const READ_AT_ONCE = 2 ** 18;
const MOST_ENTRIES = 20_000;
/** Weights hardly get smaller when they are packed, and words become a third. */
const MOST_RATIO = 20;
const ALWAYS_ALLOWED = 2 ** 24;
const LONGEST_NAME = 1_024;
const ABOUT = /^(?:LICEN[CS]E|COPYING|NOTICE|README|MODEL_CARD)[\w.-]*$/i;

/**
 * Takes out of an archive what is asked for. A name that leads out of its folder, a device, and more than there may be
 * have all of it refused; links are never made. Synchronous: for a thread of its own.
 */
export function unpack({ archive, folder, root, keep }: Unpacking, onRead: (bytes: number) => void): void {
  const source = openSync(archive, 'r');
  try {
    const most = ALWAYS_ALLOWED + MOST_RATIO * fstatSync(source).size;
    const missing = new Set(keep);
    let entries = 0;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const { name, kind, content } of readTar(bounded(unpackBzip2(readIn(source, onRead)), most))) {
      if (++entries > MOST_ENTRIES) throw new BrokenArchive('It holds too many files');
      const [first, ...below] = partsOf(name);
      if (kind === 'other') throw new BrokenArchive('It holds what is no file');
      const path = below.join('/');
      const wanted = keep.find((one) => path === one || path.startsWith(`${one}/`));
      if (kind !== 'file' || first !== root || !(wanted !== undefined || ABOUT.test(path))) continue;
      write(join(folder, ...below), content);
      if (wanted !== undefined) missing.delete(wanted);
    }
    if (missing.size > 0) throw new BrokenArchive('It does not hold all that it should');
  } finally {
    closeSync(source);
  }
}

function* readIn(source: number, onRead: (bytes: number) => void): Generator<Uint8Array> {
  const buffer = new Uint8Array(READ_AT_ONCE);
  let all = 0;
  for (let read = readSync(source, buffer); read > 0; read = readSync(source, buffer)) {
    all += read;
    onRead(all);
    yield buffer.subarray(0, read);
  }
}

function* bounded(chunks: Iterable<Uint8Array>, most: number): Generator<Uint8Array> {
  let all = 0;
  for (const chunk of chunks) {
    all += chunk.length;
    if (all > most) throw new BrokenArchive('It unpacks to more than it may');
    yield chunk;
  }
}

/** Also of names that mean something else to another operating system. */
function partsOf(name: string): readonly string[] {
  const parts = name.split('/');
  const isBad = (part: string) => part === '..' || /[\p{Cc}\\:]/u.test(part);
  if (name.length > LONGEST_NAME || name.startsWith('/') || parts.some(isBad))
    throw new BrokenArchive('It holds a name that leads elsewhere');
  return parts.filter((part) => part !== '' && part !== '.');
}

function write(path: string, content: Iterable<Uint8Array>): void {
  const file = openNew(path);
  try {
    for (const some of content) for (let at = 0; at < some.length; ) at += writeSync(file, some, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Never over what is there: two entries of one name would be two models, and a link would lead elsewhere. */
function openNew(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if (['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(systemCode(error) ?? ''))
      throw new BrokenArchive('It holds names that do not go together');
    throw error;
  }
}
