import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

/** Specifiers, and what `new URL` finds beside a file. */
const BESIDE = /(['"])(\.{1,2}\/[^'"\n]+)\.ts\1/g;

/** JavaScript of all TypeScript in a folder, and the rest as it is. */
export function stripSources(from: string, to: string): void {
  for (const entry of globSync('**/*', { cwd: from, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const source = join(entry.parentPath, entry.name);
    const target = join(to, source.slice(from.length));
    mkdirSync(dirname(target), { recursive: true });
    if (source.endsWith('.ts'))
      writeFileSync(target.replace(/\.ts$/, '.js'), stripped(readFileSync(source, 'utf8')));
    else copyFileSync(source, target);
  }
}

/** Each line stays where it is; what types leave behind at its end goes. */
function stripped(source: string): string {
  const before = source.split('\n');
  const after = stripTypeScriptTypes(source, { mode: 'strip' }).split('\n');
  return after
    .map((line, index) => (line === before[index] ? line : line.trimEnd()))
    .join('\n')
    .replaceAll(BESIDE, '$1$2.js$1');
}
