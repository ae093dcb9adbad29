import { z } from 'zod';
import { errorMessages } from '../../src/errors.ts';
import type { AnyOperation } from '../../src/interfaces/operation.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * The module of types by which the dashboard asks: for each `METHOD /path`, what goes in and what comes out, and the
 * sentences by which requests are refused.
 */
export function operationTypes(operations: readonly AnyOperation[]): string {
  const rows = operations.map((operation) => {
    const { rest, summary, input } = operation;
    const io = `input: ${typeOf(input(), 'input')}; output: ${outputOf(operation)}; message: ${messageOf(operation)}`;
    return `  /** ${summary.replaceAll('*/', '')} */\n  '${rest.method} ${rest.path}': { ${io} };\n`;
  });
  const refusals = [...new Set<string>(Object.values(errorMessages))].map((text) => JSON.stringify(text));
  return `// Made from the operations by scripts/dashboard.ts.
export interface Operations {\n${rows.join('')}}
export type RefusalText = ${refusals.join(' | ')};
`;
}

function outputOf(operation: AnyOperation): string {
  if (operation.kind === 'stream') return 'never';
  return operation.output ? typeOf(operation.output(), 'output') : 'string';
}

function messageOf(operation: AnyOperation): string {
  return 'message' in operation ? typeOf(operation.message(), 'output') : 'never';
}

function typeOf(schema: z.ZodType, io: 'input' | 'output'): string {
  const { $defs = {}, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return written(rest, isJson($defs) ? $defs : {}, new Set());
}

/** A JSON Schema as a type of TypeScript. What refers to itself is unknown from the second time on. */
function written(schema: unknown, defs: Json, inside: ReadonlySet<string>): string {
  if (!isJson(schema)) return 'unknown';
  const of = (part: unknown) => written(part, defs, inside);
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return inside.has(name) ? 'unknown' : written(defs[name], defs, new Set([...inside, name]));
  }
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  for (const [word, sign] of [
    ['anyOf', ' | '],
    ['oneOf', ' | '],
    ['allOf', ' & '],
  ] as const) {
    const parts = schema[word];
    if (Array.isArray(parts)) return `(${[...new Set(parts.map(of))].join(sign)})`;
  }
  if (Array.isArray(schema.type)) return schema.type.map((type) => of({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return Array.isArray(schema.prefixItems)
        ? `[${schema.prefixItems.map(of).join(', ')}]`
        : `(${of(schema.items)})[]`;
    case 'object':
      return objectType(schema, of);
    default:
      return 'unknown';
  }
}

function objectType(schema: Json, of: (part: unknown) => string): string {
  const properties = isJson(schema.properties) ? Object.entries(schema.properties) : [];
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const more = isJson(schema.additionalProperties) ? schema.additionalProperties : undefined;
  const isOpen = more !== undefined && Object.keys(more).length > 0;
  if (properties.length === 0) return more === undefined ? '{}' : `{ [name: string]: ${of(more)} }`;
  const fields = properties.map(
    ([name, part]) => `${JSON.stringify(name)}${required.has(name) ? '' : '?'}: ${of(part)}`,
  );
  return `{ ${fields.join('; ')} }${isOpen ? ' & { [name: string]: unknown }' : ''}`;
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
