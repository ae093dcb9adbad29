import { BrokenArchive } from './codes.ts';

/* Reads what tar packed, entry by entry, as it comes: of POSIX and of GNU, with long names. */

const BLOCK = 512;
/** Names and other facts of an entry. */
const MOST_FACTS = 2 ** 16;
const LARGEST = 2 ** 40;

export interface TarEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly size: number;
  /** What is not read is passed over; what is yielded is overwritten by what comes next. */
  readonly content: Iterable<Uint8Array>;
}

class Source {
  readonly #chunks: Iterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);

  constructor(chunks: Iterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.iterator]();
  }

  /** Undefined at the end. */
  some(most: number): Uint8Array | undefined {
    while (this.#chunk.length === 0) {
      const next = this.#chunks.next();
      if (next.done) return undefined;
      this.#chunk = next.value;
    }
    const some = this.#chunk.subarray(0, most);
    this.#chunk = this.#chunk.subarray(some.length);
    return some;
  }

  *take(size: number): Generator<Uint8Array> {
    for (let left = size; left > 0; ) {
      const some = this.some(left);
      if (!some) throw new BrokenArchive('It ends in the middle');
      left -= some.length;
      yield some;
    }
  }

  whole(size: number): Buffer {
    // Copied: what comes next overwrites what was yielded.
    return Buffer.concat(
      Array.from(this.take(size), (some) => Buffer.from(some)),
      size,
    );
  }

  /** A block, or undefined where everything ends. */
  block(): Buffer | undefined {
    const first = this.some(BLOCK);
    if (!first) return undefined;
    const copied = Buffer.from(first);
    return copied.length === BLOCK ? copied : Buffer.concat([copied, this.whole(BLOCK - copied.length)]);
  }
}

export function* readTar(chunks: Iterable<Uint8Array>): Generator<TarEntry> {
  const source = new Source(chunks);
  let facts: { readonly path?: string; readonly size?: number } = {};
  for (let header = source.block(); header; header = source.block()) {
    // Two empty blocks end it; what follows is padding.
    if (header.every((byte) => byte === 0)) {
      while (source.some(BLOCK));
      return;
    }
    checkSum(header);
    const type = String.fromCharCode(header[156] ?? 0);
    const size = facts.size ?? numberAt(header, 124, 12);
    const padding = (BLOCK - (size % BLOCK)) % BLOCK;
    if ('LKxg'.includes(type)) {
      if (size > MOST_FACTS) throw new BrokenArchive('An entry of it has too long a name');
      const content = source.whole(size);
      source.whole(padding);
      if (type === 'L') facts = { ...facts, path: textAt(content, 0, size) };
      if (type === 'x') facts = { ...facts, ...paxFacts(content) };
      continue;
    }
    const name = facts.path ?? nameIn(header);
    facts = {};
    const content = source.take(size);
    yield { name, kind: kindOf(type, name), size, content };
    for (const _ of content);
    source.whole(padding);
  }
}

function kindOf(type: string, name: string): TarEntry['kind'] {
  if (type === '5') return 'folder';
  if (type === '1' || type === '2') return 'link';
  if (type === '0' || type === '\0' || type === '7') return name.endsWith('/') ? 'folder' : 'file';
  return 'other';
}

function nameIn(header: Buffer): string {
  const name = textAt(header, 0, 100);
  const prefix = header.toString('latin1', 257, 262) === 'ustar' ? textAt(header, 345, 155) : '';
  // GNU keeps other things where POSIX has the beginning of a long name.
  const isPosix = header[263] === 0x30;
  return isPosix && prefix ? `${prefix}/${name}` : name;
}

function textAt(buffer: Buffer, from: number, length: number): string {
  const end = buffer.indexOf(0, from);
  return buffer.toString('utf8', from, end < 0 || end > from + length ? from + length : end);
}

/** In octal digits, or where it is too large for them in 256s behind a set bit. */
function numberAt(header: Buffer, from: number, length: number): number {
  const field = header.subarray(from, from + length);
  const isBinary = ((field[0] ?? 0) & 0x80) !== 0;
  const text = field.toString('latin1').replaceAll(/[\0 ]+/g, '');
  const number = isBinary
    ? field.reduce((sum, byte, at) => sum * 256 + (at === 0 ? byte & 0x7f : byte), 0)
    : Number.parseInt(text || '0', 8);
  if (!(number >= 0 && number <= LARGEST) || (!isBinary && /[^0-7]/.test(text)))
    throw new BrokenArchive('An entry of it has no size');
  return number;
}

function checkSum(header: Buffer): void {
  const expected = numberAt(header, 148, 8);
  const sum = header.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  if (sum !== expected) throw new BrokenArchive('An entry of it is damaged');
}

/** Records of `<length> <key>=<value>\n`. */
function paxFacts(content: Buffer): { path?: string; size?: number } {
  const facts: { path?: string; size?: number } = {};
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const length = Number(content.toString('latin1', at, Math.max(at, space)));
    if (space < 0 || !Number.isInteger(length) || length <= space - at || at + length > content.length)
      throw new BrokenArchive('An entry of it is damaged');
    const [key, ...value] = content.toString('utf8', space + 1, at + length - 1).split('=');
    if (key === 'path') facts.path = value.join('=');
    if (key === 'size') facts.size = Number(value.join('='));
    at += length;
  }
  if (facts.size !== undefined && !(Number.isInteger(facts.size) && facts.size >= 0 && facts.size <= LARGEST))
    throw new BrokenArchive('An entry of it has no size');
  return facts;
}
