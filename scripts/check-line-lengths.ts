import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Biome breaks code, but neither strings, nor patterns, nor comments. */
const LONGEST = 140;
/** In files of other kinds a line is a record: labelled sentences, talks, tables of words. */
const FILES = '{src,test,bench,scripts,bin}/**/*.{ts,js,css,html,json,wat}';

/** Where a line under `root` is longer than anybody can read, one line each. */
export function longLines(root: string): string[] {
  const files = globSync(FILES, { cwd: root, exclude: (path) => basename(path) === 'node_modules' }).sort();
  return files
    .filter((file) => basename(file) !== 'package-lock.json')
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          line.length > LONGEST ? [`${file}:${index + 1} has ${line.length} characters of ${LONGEST}`] : [],
        ),
    );
}

if (import.meta.main) {
  const found = longLines(join(import.meta.dirname, '..'));
  for (const one of found) console.error(one);
  process.exitCode = found.length > 0 ? 1 : 0;
}
