import { isRecord } from './loose.ts';

/** Understood wherever schemas are enforced. What else a schema says stays as words in its description. */
const ENFORCED: ReadonlySet<string> = new Set([
  'type',
  'enum',
  'const',
  'anyOf',
  'allOf',
  '$ref',
  'description',
  'title',
  'items',
  'required',
]);
const OF_SCHEMAS = ['properties', '$defs', 'definitions'];
/** Says nothing about a value. */
const SILENT: ReadonlySet<string> = new Set(['$schema', '$id', 'additionalProperties', 'default']);

/** A schema as the providers enforce it: without what they refuse, and with objects closed. */
export function enforceableSchema(schema: unknown): Record<string, unknown> {
  if (!isRecord(schema)) return {};
  const result: Record<string, unknown> = {};
  const words: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (OF_SCHEMAS.includes(key) && isRecord(value)) {
      result[key] = Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, enforceableSchema(one)]),
      );
    } else if (key === 'items' && isRecord(value)) result[key] = enforceableSchema(value);
    else if ((key === 'anyOf' || key === 'oneOf' || key === 'allOf') && Array.isArray(value)) {
      result[key === 'oneOf' ? 'anyOf' : key] = value.map(enforceableSchema);
    } else if (ENFORCED.has(key)) result[key] = value;
    else if (!SILENT.has(key)) words.push(`${key}: ${JSON.stringify(value)}`);
  }
  if (schema.type === 'object') result.additionalProperties = false;
  if (words.length > 0) {
    const description = typeof result.description === 'string' ? `${result.description}\n\n` : '';
    result.description = `${description}{${words.join(', ')}}`;
  }
  return result;
}

/** OpenAI enforces only schemas in which everything is required. */
export function requiresAll(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(requiresAll);
  if (!isRecord(schema)) return true;
  if (isRecord(schema.properties)) {
    const required = new Set(Array.isArray(schema.required) ? schema.required : []);
    if (!Object.keys(schema.properties).every((name) => required.has(name))) return false;
  }
  return Object.entries(schema).every(
    ([key, value]) => key === 'enum' || key === 'const' || requiresAll(value),
  );
}

/** The name of a schema as OpenAI takes it. */
export function schemaName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64);
}
