import { readFileSync } from 'node:fs';
import { type Argument, type Expression, type Program, parseSync, Visitor } from 'oxc-parser';

export interface ModuleImport {
  /** As it is written; `undefined` where it is computed. */
  readonly specifier: string | undefined;
  readonly typeOnly: boolean;
  readonly line: number;
}

interface Module {
  readonly imports: readonly ModuleImport[];
  readonly onlyReExports: boolean;
}

/** Every way in which a file reaches another: import, export from, import(), a type's import(), a worker's URL. */
export function readModule(file: string): Module {
  const source = readFileSync(file, 'utf8');
  const { program } = parseSync(file, source);
  const imports: ModuleImport[] = [];
  const add = (specifier: string | undefined, start: number, typeOnly: boolean) => {
    imports.push({ specifier, typeOnly, line: source.slice(0, start).split('\n').length });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, node.start, node.importKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source.value, node.start, node.exportKind === 'type'),
    ExportNamedDeclaration: (node) => {
      if (node.source) add(node.source.value, node.start, node.exportKind === 'type');
    },
    ImportExpression: (node) => add(literal(node.source), node.start, false),
    TSImportType: (node) => add(node.source.value, node.start, true),
    NewExpression: ({ callee, arguments: [path], start }) => {
      const specifier = callee.type === 'Identifier' && callee.name === 'URL' && path && literal(path);
      if (specifier && /^\..*\.[jt]sx?$/.test(specifier)) add(specifier, start, false);
    },
  }).visit(program);
  return { imports, onlyReExports: onlyReExports(program) };
}

function literal(node: Expression | Argument): string | undefined {
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

function onlyReExports({ body }: Program): boolean {
  return body.every(
    (statement) =>
      statement.type === 'ImportDeclaration' ||
      statement.type === 'ExportAllDeclaration' ||
      (statement.type === 'ExportNamedDeclaration' && statement.declaration === null),
  );
}
