import { globSync, readFileSync } from 'node:fs';
import { basename, join, posix, sep } from 'node:path';
import { parseSync } from 'oxc-parser';

const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/*.md'];
/** Folders whose files are named by their whole path. */
const FOLDERS = [
  'src',
  'test',
  'scripts',
  'docs',
  'bench',
  'bin',
  'migrations',
  'training',
  'types',
  'runtime',
  'examples',
  'dashboard',
  'grafana',
];
const WHOLE_PATH = new RegExp(`^(?:${FOLDERS.join('|')})/.*$`);
/** A name, or the end of a path, where the words around it say which folder is meant. */
const SOURCE_FILE = /^[\w<>*.{},/-]+\.ts$/;

/** Where the documents, or the comments of the sources, name a file of the repository under `root` that is not there. */
export function missingPaths(root: string): string[] {
  const files = globSync('**/*', {
    cwd: root,
    exclude: (path) => ['node_modules', '.git'].includes(basename(path)),
  }).map((path) => path.split(sep).join('/'));
  const named = [
    ...globSync(DOCUMENTS, { cwd: root })
      .sort()
      .flatMap((file) => inDocument(file, read(root, file))),
    ...globSync('src/**/*.ts', { cwd: root })
      .sort()
      .flatMap((file) => inComments(file, read(root, file))),
  ];
  return named
    .filter(({ path, whole }) => !(whole ? anyMatches(files, path) : anyMatches(files, `**/${path}`)))
    .map(({ file, line, path }) => `${file}:${line} names ${path}, which does not exist`);
}

interface Named {
  readonly file: string;
  readonly line: number;
  readonly path: string;
  /** Whether `path` begins at the root. */
  readonly whole: boolean;
}

function read(root: string, file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function inDocument(file: string, text: string): Named[] {
  return text.split('\n').flatMap((content, index) => {
    const line = index + 1;
    const links = [...content.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .map((target) => ({ file, line, path: posix.join(posix.dirname(file), target), whole: true }));
    return [...links, ...inSpans(file, line, content)];
  });
}

function inComments(file: string, text: string): Named[] {
  return parseSync(file, text).comments.flatMap(({ start, value }) => {
    const first = text.slice(0, start).split('\n').length;
    return value.split('\n').flatMap((content, index) => {
      const line = first + index;
      const bare = content
        .replaceAll(/`[^`]*`/g, '')
        .split(/[\s()"']+/)
        .map((word) => word.replace(/[.,:;]+$/, ''))
        .filter((word) => WHOLE_PATH.test(word) || /^[\w/-]+\.ts$/.test(word));
      return [...bare.map((path) => nameOf(file, line, path)), ...inSpans(file, line, content)];
    });
  });
}

/** What stands in backticks and is the name of a file or folder of ours. */
function inSpans(file: string, line: number, content: string): Named[] {
  return [...content.matchAll(/`([^`]+)`/g)]
    .flatMap(([, span = '']) => span.split(' '))
    .filter((word) => WHOLE_PATH.test(word) || SOURCE_FILE.test(word))
    .map((path) => nameOf(file, line, path));
}

function nameOf(file: string, line: number, path: string): Named {
  return { file, line, path: path.replace(/\/$/, ''), whole: WHOLE_PATH.test(path) };
}

/** `<area>` in a path stands for any. */
function anyMatches(files: readonly string[], path: string): boolean {
  const pattern = path.replaceAll(/<\w+>/g, '*');
  return files.some((file) => posix.matchesGlob(file, pattern));
}

if (import.meta.main) {
  const found = missingPaths(join(import.meta.dirname, '..'));
  for (const one of found) console.error(one);
  process.exitCode = found.length > 0 ? 1 : 0;
}
