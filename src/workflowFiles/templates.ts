/** `{{ expression }}`. In an expression, `}}` can only stand in a text; it is then written `"}" + "}"`. */
const PLACE = /\{\{([\s\S]*?)\}\}/g;
const WHOLE = /^\s*\{\{([\s\S]*?)\}\}\s*$/;

/** The template with its expressions evaluated: a text that is one expression becomes its value, whatever that is. */
export function fill(template: unknown, evaluate: (expression: string) => unknown): unknown {
  if (typeof template === 'string') return fillText(template, evaluate);
  if (Array.isArray(template)) return template.map((each) => fill(each, evaluate));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, each]) => [key, fill(each, evaluate)]));
}

export function expressionsIn(template: unknown): string[] {
  if (typeof template === 'string')
    return Array.from(template.matchAll(PLACE), ([, inner = '']) => inner.trim());
  if (typeof template !== 'object' || template === null) return [];
  return Object.values(template).flatMap(expressionsIn);
}

function fillText(text: string, evaluate: (expression: string) => unknown): unknown {
  const [first, ...others] = expressionsIn(text);
  if (first !== undefined && others.length === 0 && WHOLE.test(text)) return evaluate(first);
  return text.replaceAll(PLACE, (_place, inner: string) => written(evaluate(inner.trim())));
}

function written(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
