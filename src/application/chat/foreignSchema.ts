import { cut } from './toolOutput.ts';

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

/** Where schemas stand in a schema: alone, in a list, or by name. */
const SCHEMAS = words(
  'items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties',
);
const LISTS = words('anyOf oneOf allOf prefixItems');
const MAPS = words('properties patternProperties dependentSchemas $defs definitions');
/** For people, and models: what is wrong with them is left out. */
const TEXTS = words('title description');
const COUNTS = words(
  'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains',
);
const NUMBERS = words('minimum maximum exclusiveMinimum exclusiveMaximum');
/** What a provider of models refuses at the top. */
const LEFT_OUT_AT_TOP = words('anyOf oneOf allOf not enum const if then else $ref');

/** What else may stand there, and whether it is that. */
const CHECKS: Readonly<Record<string, (given: unknown) => boolean>> = {
  type: (given) => [given].flat().length > 0 && [given].flat().every((one) => TYPES.has(one)),
  required: isListOfNames,
  enum: (given) => Array.isArray(given) && given.length > 0,
  examples: Array.isArray,
  const: () => true,
  default: () => true,
  format: (given) => typeof given === 'string' && /^[a-z0-9-]{1,40}$/.test(given),
  pattern: isPattern,
  multipleOf: (given) => typeof given === 'number' && given > 0,
  uniqueItems: (given) => typeof given === 'boolean',
  dependentRequired: (given) => isObject(given) && Object.values(given).every(isListOfNames),
};

/**
 * What a foreign server says that its tool takes, where that is a schema. Undefined where it is none: one that a
 * provider refuses would take every turn with it that is shown the tool. Keywords that nobody knows are left out.
 */
export function readableSchema(given: unknown): Json | undefined {
  if (!isObject(given)) return undefined;
  const { type = 'object' } = given;
  const top = Object.entries(given).filter(([keyword]) => !LEFT_OUT_AT_TOP.has(keyword));
  const read = schemaIn(Object.fromEntries(top), { root: given, depth: 0 });
  if (type !== 'object' || !isObject(read)) return undefined;
  const schema = { properties: {}, ...read, type };
  return JSON.stringify(schema).length > MOST_CHARACTERS ? undefined : schema;
}

interface Place {
  /** What references are to. */
  readonly root: Json;
  readonly depth: number;
}

function schemaIn(given: unknown, { root, depth }: Place): Json | boolean | undefined {
  if (typeof given === 'boolean') return given;
  if (!isObject(given) || depth > DEEPEST) return undefined;
  const kept: (readonly [string, unknown])[] = [];
  for (const [keyword, value] of Object.entries(given)) {
    if (!isKnown(keyword) || (TEXTS.has(keyword) && typeof value !== 'string')) continue;
    const read = readValue(keyword, value, { root, depth: depth + 1 });
    if (read === undefined) return undefined;
    kept.push([keyword, read]);
  }
  return Object.fromEntries(kept);
}

/** Undefined where it cannot stand there. */
function readValue(keyword: string, value: unknown, place: Place): unknown {
  const inner = (one: unknown) => schemaIn(one, place);
  if (TEXTS.has(keyword)) return inMarks(String(value));
  if (SCHEMAS.has(keyword)) return inner(value);
  if (LISTS.has(keyword)) return Array.isArray(value) && value.length > 0 ? all(value.map(inner)) : undefined;
  if (MAPS.has(keyword)) {
    const read = isObject(value) ? all(Object.values(value).map(inner)) : undefined;
    return read && Object.fromEntries(Object.keys(Object(value)).map((name, index) => [name, read[index]]));
  }
  if (COUNTS.has(keyword)) return Number.isSafeInteger(value) && Number(value) >= 0 ? value : undefined;
  if (NUMBERS.has(keyword)) return typeof value === 'number' ? value : undefined;
  if (keyword === '$ref') return isReference(value, place.root) ? value : undefined;
  return CHECKS[keyword]?.(value) ? value : undefined;
}

function isKnown(keyword: string): boolean {
  const sets = [SCHEMAS, LISTS, MAPS, TEXTS, COUNTS, NUMBERS];
  return keyword === '$ref' || Object.hasOwn(CHECKS, keyword) || sets.some((set) => set.has(keyword));
}

/** To the schema itself or to one that it defines, and never to another place. */
function isReference(given: unknown, root: Json): boolean {
  if (given === '#') return true;
  const [, of = '', name = ''] = /^#\/(\$defs|definitions)\/([\w.-]+)$/.exec(String(given)) ?? [];
  return Object.hasOwn(Object(root[of]), name);
}

function isPattern(given: unknown): boolean {
  try {
    return typeof given === 'string' && new RegExp(given, 'u') !== null;
  } catch {
    return false;
  }
}

function isListOfNames(given: unknown): boolean {
  if (!Array.isArray(given) || !given.every((one) => typeof one === 'string')) return false;
  return new Set(given).size === given.length;
}

function all<Value>(values: readonly (Value | undefined)[]): readonly Value[] | undefined {
  const there = values.flatMap((value) => (value === undefined ? [] : [value]));
  return there.length === values.length ? there : undefined;
}

function isObject(given: unknown): given is Json {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

const LONGEST = 1_000;

/** What a foreign server says, in marks that it cannot leave: it may write as if it were hark, or the user. */
export function inMarks(text: string): string {
  const plain = cut(text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim(), LONGEST);
  return `«${plain.replaceAll(/[«»]/g, '"')}»`;
}
