import { type ASTNode, Environment, type ParseResult } from '@marcbachmann/cel-js';
import type { Variables } from './messages.ts';

/*
 * CEL has no loops beyond its lists and no way out of what it is given. How long it may take is up to whoever
 * started this thread.
 */

const limits = { maxAstNodes: 1_000, maxDepth: 50, maxListElements: 200, maxMapEntries: 200 };
const MOST_KEPT = 1_000;
const NAMES = ['input', 'steps', 'errors', 'execution'];

const environment = new Environment({
  enableOptionalTypes: true,
  homogeneousAggregateLiterals: false,
  limits,
});
for (const name of NAMES) environment.registerVariable(name, 'dyn');

/** Numbers of JSON are doubles; that they can be reckoned with as one writes them is what people expect. */
const reckoning: Readonly<Record<string, (one: number, other: number) => number>> = {
  '+': (one, other) => one + other,
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '/': (one, other) => one / other,
};
for (const [sign, reckon] of Object.entries(reckoning)) {
  const mixed = (one: number | bigint, other: number | bigint) => reckon(Number(one), Number(other));
  environment.registerOperator(`double ${sign} int`, mixed);
  environment.registerOperator(`int ${sign} double`, mixed);
}
for (const types of ['double % int', 'int % double', 'double % double'])
  environment.registerOperator(
    types,
    (one: number | bigint, other: number | bigint) => Number(one) % Number(other),
  );

const kept = new Map<string, ParseResult>();

export function evaluate(expression: string, variables: Variables): unknown {
  const entries = Object.entries(variables).map(([name, value]) => [name, asCel(value)]);
  return asJson(compiled(expression)(Object.fromEntries(entries)));
}

/** Why it is no expression, or names what there is not. */
export function complaintAbout(expression: string, steps: ReadonlySet<string>): string | undefined {
  const { valid, error } = environment.check(expression);
  if (!valid) return error ? summaryOf(error) : 'is not an expression';
  const unknown = stepsNamedIn(compiled(expression).ast).find((name) => !steps.has(name));
  return unknown === undefined ? undefined : `No earlier step is called ${unknown}`;
}

export function summaryOf(error: unknown): string {
  const { summary, message } = Object(error);
  return String(summary ?? message ?? error).slice(0, 500);
}

function compiled(expression: string): ParseResult {
  const found = kept.get(expression);
  if (found) return found;
  const parsed = environment.parse(expression);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(expression, parsed);
  return parsed;
}

/** `steps.weather`, `steps.?weather` and `steps["weather"]`. */
function stepsNamedIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(stepsNamedIn);
  if (!isNode(node)) return [];
  const [of, name] = Array.isArray(node.args) ? node.args : [];
  if (['.', '.?', '[]', '[?]'].includes(node.op) && isNode(of) && of.op === 'id' && of.args === 'steps') {
    const named = isNode(name) && name.op === 'value' ? name.args : name;
    if (typeof named === 'string') return [named];
  }
  return stepsNamedIn(node.args);
}

function isNode(node: unknown): node is ASTNode {
  return typeof node === 'object' && node !== null && 'op' in node && 'args' in node;
}

/** The library takes what an object has under `constructor` for its type; what a map has, it does not. */
function asCel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asCel);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, of]) => [key, asCel(of)] as const);
  return Object.hasOwn(value, 'constructor') ? new Map(entries) : Object.fromEntries(entries);
}

/** What CEL gives, as JSON has it. */
function asJson(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(asJson);
  if (value instanceof Map)
    return Object.fromEntries(Array.from(value, ([key, of]) => [String(key), asJson(of)]));
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? null : value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return String(value);
  return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, asJson(of)]));
}

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
