import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

const root = join(import.meta.dirname, '../..');

export interface SourceExpression {
  /** The file and line where it stands. */
  readonly where: string;
  readonly expression: RegExp;
}

/** Every regular expression that stands in a source file below a folder. */
export function expressionsIn(folder: string): readonly SourceExpression[] {
  return globSync(join(root, folder, '**/*.ts'))
    .sort()
    .flatMap(expressionsOf);
}

function expressionsOf(file: string): readonly SourceExpression[] {
  const text = readFileSync(file, 'utf8');
  const found: SourceExpression[] = [];
  const visitor = new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const { pattern, flags } = node.regex;
      const line = text.slice(0, node.start).split('\n').length;
      found.push({ where: `${relative(root, file)}:${line}`, expression: new RegExp(pattern, flags) });
    },
  });
  visitor.visit(parseSync(file, text).program);
  return found;
}

/** Every regular expression that is put together when modules are loaded. */
export async function expressionsMadeBy(load: () => Promise<unknown>): Promise<readonly RegExp[]> {
  const found: RegExp[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, given, newTarget) {
      const made = Reflect.construct(target, given, newTarget);
      // The line of whoever made it comes after those of the error and of this function.
      const maker = new Error().stack?.split('\n')[2] ?? '';
      if (!maker.includes('node_modules')) found.push(made);
      return made;
    },
  });
  try {
    await load();
  } finally {
    globalThis.RegExp = original;
  }
  return found;
}
