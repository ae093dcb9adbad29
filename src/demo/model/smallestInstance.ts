import { field, isRecord, listOf } from './loose.ts';

/** The least that a JSON Schema allows: what is not required is missing, and lists are as short as may be. */
export function smallestInstance(schema: unknown, text: string, root: unknown = schema): unknown {
  const target = field(schema, '$ref');
  if (typeof target === 'string') return smallestInstance(referred(root, target), text, root);
  for (const preset of ['const', 'default']) {
    const value = field(schema, preset);
    if (value !== undefined) return value;
  }
  const [choice] = listOf(field(schema, 'enum'));
  if (choice !== undefined) return choice;
  const [option] = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => listOf(field(schema, name)));
  if (option !== undefined) return smallestInstance(option, text, root);
  return ofType(schema, text, root);
}

function ofType(schema: unknown, text: string, root: unknown): unknown {
  const type = field(schema, 'type');
  switch (Array.isArray(type) ? type[0] : type) {
    case 'string':
      return text.slice(0, numberOf(schema, 'maxLength') ?? text.length);
    case 'integer':
    case 'number':
      return numberOf(schema, 'minimum') ?? 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: numberOf(schema, 'minItems') ?? 0 }, () =>
        smallestInstance(field(schema, 'items'), text, root),
      );
    default:
      return object(schema, text, root);
  }
}

function object(schema: unknown, text: string, root: unknown): Record<string, unknown> {
  const properties = field(schema, 'properties');
  const required = listOf(field(schema, 'required')).filter((name) => typeof name === 'string');
  return Object.fromEntries(
    required.map((name) => [name, smallestInstance(field(properties, name), text, root)]),
  );
}

/** `#/$defs/name`, and no other references. */
function referred(root: unknown, target: string): unknown {
  const found = target
    .split('/')
    .slice(1)
    .reduce((value: unknown, name) => field(value, name), root);
  return isRecord(found) ? found : {};
}

function numberOf(schema: unknown, name: string): number | undefined {
  const value = field(schema, name);
  return typeof value === 'number' ? value : undefined;
}
