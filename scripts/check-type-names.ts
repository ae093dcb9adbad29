import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What answers in place of a provider has the words of its protocols, and nothing else of ours knows them. */
const OF_OTHERS = 'src/demo/model/**';
const DECLARED = /^export (?:abstract )?(?:interface|class|type) (\w+)/gm;

/** Names under which more than one file of `src` exports a type, one line each: who reads one must not think of another. */
export function sharedTypeNames(root: string): string[] {
  const files = globSync('src/**/*.ts', { cwd: root, exclude: [OF_OTHERS] }).sort();
  const declared = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return [...new Set(Array.from(text.matchAll(DECLARED), ([, name = '']) => name))].map((name) => ({
      name,
      file,
    }));
  });
  return [...Map.groupBy(declared, ({ name }) => name)]
    .filter(([, all]) => all.length > 1)
    .map(([name, all]) => `${name} means something else in each of ${all.map(({ file }) => file).join(', ')}`)
    .sort();
}

if (import.meta.main) {
  const found = sharedTypeNames(join(import.meta.dirname, '..'));
  for (const one of found) console.error(one);
  process.exitCode = found.length > 0 ? 1 : 0;
}
