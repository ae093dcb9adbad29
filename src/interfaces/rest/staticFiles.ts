import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types hark',
].join('; ');

/** Beside a file lies what the build has compressed of it, the smallest first. */
const ENCODINGS = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;

/** A build puts a hash of the content into the names of what lies there: such a file never changes. */
const HASHED = '/assets/';
const A_YEAR_S = 31_536_000;

export interface StaticFile {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The files of some folders, each under a prefix. The folders are listed once and only what was listed is
 * served, by its exact path: there is no way out of them. What starts with a dot, and what is not a plain file
 * (a link may lead anywhere), is not listed.
 */
export class StaticFiles {
  readonly #folders: Readonly<Record<string, string>>;
  readonly #notice: string;
  #listed: Promise<Map<string, string>> | undefined;
  readonly #read = new Map<string, Promise<StaticFile>>();

  /** A notice stands on every page. */
  constructor(folders: Readonly<Record<string, string>>, notice?: string) {
    this.#folders = folders;
    this.#notice = notice === undefined ? '' : `<aside class="notice">${escaped(notice)}</aside>`;
  }

  /** In the smallest form that is accepted, by what `Accept-Encoding` says. */
  async find(path: string, accepted = ''): Promise<StaticFile | undefined> {
    this.#listed ??= listFolders(this.#folders).catch((error) => {
      // Where no file could be opened just now, who asks next is to find them.
      this.#listed = undefined;
      throw error;
    });
    const listed = await this.#listed;
    const file = listed.get(path);
    if (file === undefined || isCompressed(path)) return undefined;
    const encodings = new Set(
      accepted.split(',').map((one) => one.replace(/;(?!\s*q=0(?:\.0*)?\s*$).*/, '').trim()),
    );
    const encoding = ENCODINGS.find(
      ({ name, extension }) => encodings.has(name) && listed.has(path + extension),
    );
    const key = file + (encoding?.extension ?? '');
    const cached = this.#read.get(key);
    if (cached) return cached;
    const reading = load(file, path, this.#notice, encoding);
    this.#read.set(key, reading);
    reading.catch(() => this.#read.delete(key));
    return reading;
  }
}

function isCompressed(path: string): boolean {
  return ENCODINGS.some(({ extension }) => path.endsWith(extension));
}

async function listFolders(folders: Readonly<Record<string, string>>): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const [prefix, folder] of Object.entries(folders)) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      const parts = relative(folder, file).split(sep);
      if (!entry.isFile() || parts.some((part) => part.startsWith('.'))) continue;
      const path = `${prefix}/${parts.join('/')}`;
      files.set(path, file);
      if (parts.join('/') === 'index.html') files.set(prefix, file).set(`${prefix}/`, file);
    }
  }
  return files;
}

async function load(
  file: string,
  path: string,
  notice: string,
  encoding: (typeof ENCODINGS)[number] | undefined,
): Promise<StaticFile> {
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  const bytes = withNotice(await readFile(file + (encoding?.extension ?? '')), type, notice);
  const isPage = type.startsWith('text/html') || type.startsWith('image/svg');
  return {
    bytes,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    headers: {
      'content-type': type,
      'cache-control': path.startsWith(HASHED) ? `public, max-age=${A_YEAR_S}, immutable` : 'no-cache',
      // What is sent also follows from who asks, and from whether they want a page.
      vary: 'Origin, Accept, Accept-Encoding',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      ...(encoding ? { 'content-encoding': encoding.name } : {}),
      ...(isPage ? { 'content-security-policy': PAGE_POLICY } : {}),
    },
  };
}

/** In the place that a page has for it. */
function withNotice(bytes: Buffer, type: string, notice: string): Buffer {
  return type.startsWith('text/html')
    ? Buffer.from(bytes.toString('utf8').replace('<!-- notice -->', () => notice))
    : bytes;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
