import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Expression, parseSync, type TemplateLiteral, Visitor } from 'oxc-parser';
import { regExp } from '../../src/regExp.ts';

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
  const note = (start: number, expression: RegExp) => {
    const line = text.slice(0, start).split('\n').length;
    found.push({ where: `${relative(root, file)}:${line}`, expression });
  };
  const visitor = new Visitor({
    Literal(node) {
      if ('regex' in node) note(node.start, new RegExp(node.regex.pattern, node.regex.flags));
    },
    TaggedTemplateExpression({ start, tag, quasi }) {
      const flags = flagsOf(tag);
      if (flags !== undefined && quasi.expressions.length === 0) note(start, regExp(flags)(textOf(quasi)));
    },
  });
  visitor.visit(parseSync(file, text).program);
  return found;
}

/** Of an expression over several lines; what else is put together is seen when it is. */
function flagsOf(tag: Expression): string | undefined {
  if (tag.type !== 'CallExpression' || tag.callee.type !== 'Identifier') return undefined;
  if (tag.callee.name !== 'regExp') return undefined;
  const [flags] = tag.arguments;
  return flags?.type === 'Literal' ? String(flags.value) : '';
}

function textOf({ quasis }: TemplateLiteral): TemplateStringsArray {
  const raw = quasis.map(({ value }) => value.raw);
  return Object.assign([...raw], { raw });
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
