type Json = Readonly<Record<string, unknown>>;

const MOST_CHARACTERS = 16_384;
const DEEPEST = 12;
const TYPES: ReadonlySet<unknown> = new Set([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
]);
/** Keywords of JSON Schema by what has to stand there. */
const SCHEMAS = ['items', 'additionalProperties', 'not'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions'];
/** What a provider of models refuses at the top, and what is for other clients than hark. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'x-mcp-header',
]);

/**
 * What a foreign server says that its tool takes, where that is a schema. Undefined where it is none: one that a
 * provider refuses would take every turn with it that is shown the tool.
 */
export function readableSchema(given: unknown): Json | undefined {
  if (!isObject(given) || !isSchema(given, 0)) return undefined;
  if (JSON.stringify(given).length > MOST_CHARACTERS) return undefined;
  const { type = 'object' } = given;
  if (type !== 'object') return undefined;
  const kept = Object.entries(given).filter(([keyword]) => !LEFT_OUT.has(keyword));
  return { properties: {}, ...withoutHeaders(Object.fromEntries(kept)), type };
}

function isSchema(given: unknown, depth: number): boolean {
  if (typeof given === 'boolean') return true;
  if (!isObject(given) || depth > DEEPEST) return false;
  const { type, required } = given;
  if (type !== undefined && ![type].flat().every((one) => TYPES.has(one))) return false;
  if (required !== undefined && !isListOf(required, (one) => typeof one === 'string')) return false;
  const isInner = (inner: unknown) => isSchema(inner, depth + 1);
  return (
    SCHEMAS.every((keyword) => given[keyword] === undefined || isInner(given[keyword])) &&
    LISTS.every((keyword) => given[keyword] === undefined || isListOf(given[keyword], isInner)) &&
    MAPS.every((keyword) => {
      const map = given[keyword];
      return map === undefined || (isObject(map) && Object.values(map).every(isInner));
    })
  );
}

/** Headers that only whoever asks the server itself has to send. */
function withoutHeaders(schema: Json): Json {
  const { properties } = schema;
  if (!isObject(properties)) return schema;
  const plain = Object.entries(properties).map(([name, property]) => {
    if (!isObject(property)) return [name, property];
    const { 'x-mcp-header': _, ...rest } = property;
    return [name, rest];
  });
  return { ...schema, properties: Object.fromEntries(plain) };
}

function isListOf(given: unknown, isOne: (one: unknown) => boolean): boolean {
  return Array.isArray(given) && given.every(isOne);
}

function isObject(given: unknown): given is Json {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}
