import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

const root = join(import.meta.dirname, '../..');
const AT = Date.UTC(2026, 10, 22);

/** A function of the source that reads what somebody wrote. */
export interface TextFunction {
  readonly name: string;
  /** Gives it the text where it takes texts, and usual things where it takes others. */
  readonly read: (text: string) => unknown;
}

/** How a parameter of a type is made of a text. What is not here is made by a function that takes a text. */
const makers: Readonly<Record<string, (text: string) => unknown>> = {
  string: (text) => text,
  'readonly string[]': (text) => [text],
  number: () => AT,
  Conversation: (text) => ({ turns: turnsOf(text) }),
  'readonly KeywordTurn[]': turnsOf,
  'readonly SummaryTurn[]': turnsOf,
  'readonly ImportanceTurn[]': turnsOf,
  'readonly Statement[]': () => [],
  'AsyncIterable<string>': linesOf,
  boolean: () => false,
};

function turnsOf(text: string) {
  return ['user', 'assistant'].map((role) => ({ role, text, at: AT }));
}

async function* linesOf(text: string) {
  yield* text.split('\n');
}

/** All that are exported below these folders and take texts alone, and numbers. */
export async function textFunctionsIn(...folders: readonly string[]): Promise<readonly TextFunction[]> {
  const files = folders.flatMap((folder) => globSync(join(root, 'src', folder)).sort());
  const found = await Promise.all(files.filter((file) => !/[tT]hread\.ts$/.test(file)).map(functionsOf));
  return found.flat();
}

async function functionsOf(file: string): Promise<readonly TextFunction[]> {
  const text = readFileSync(file, 'utf8');
  const declared: { readonly name: string; readonly types: readonly string[] }[] = [];
  const note = (name: string | undefined, params: readonly { start: number; end: number }[]) => {
    const written = params.map(({ start, end }) => text.slice(start, end));
    const types = written.map(typeOf);
    // A path is no text that anybody reads.
    if (written[0]?.startsWith('path:')) return;
    if (name !== undefined && types.length > 0) declared.push({ name, types });
  };
  new Visitor({
    ExportNamedDeclaration({ declaration }) {
      if (declaration?.type === 'FunctionDeclaration') note(declaration.id?.name, declaration.params);
      if (declaration?.type !== 'VariableDeclaration') return;
      for (const { id, init } of declaration.declarations)
        if (id.type === 'Identifier' && init?.type === 'ArrowFunctionExpression') note(id.name, init.params);
    },
  }).visit(parseSync(file, text).program);
  const exported: Readonly<Record<string, unknown>> = await import(file);
  return declared.flatMap(({ name, types }) => {
    const made = types.flatMap((type) => makers[type] ?? []);
    const called = exported[name];
    if (made.length < types.length || typeof called !== 'function') return [];
    if (types.every((type) => type === 'number')) return [];
    const where = `${relative(join(root, 'src'), file)} ${name}`;
    return [{ name: where, read: (given) => called(...made.map((make) => make(given))) }];
  });
}

/** A parameter with a value of its own is a number or a text, as that says. */
function typeOf(parameter: string): string {
  const [, type] = /^[^:=]+:\s*([^=]+?)(?:\s*=.*)?$/s.exec(parameter) ?? [];
  return type ?? 'number';
}
