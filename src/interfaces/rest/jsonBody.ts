import { HarkError } from '../../errors.ts';

/** Deeper than any input of any operation, and far from what a recursive reader could not bear. */
const DEEPEST = 64;
/** More than any input has, and few enough that looking at each holds up nobody. */
const MOST_KEYS = 1_000;

/**
 * A body as JSON. Keys that mean something to JavaScript's objects are refused and not passed over: nobody
 * sends them by accident.
 */
export function parseJsonBody(text: string): unknown {
  if (text === '') return undefined;
  const body = parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  refuseTraps(body, DEEPEST);
  return body;
}

/**
 * The same of bytes; what the field `taken` holds stays bytes and becomes no text. Where it is written with escapes, or
 * is in a place of its own, it is text as ever.
 */
export function parseJsonBytes(body: Buffer, taken?: string): unknown {
  const value = taken === undefined ? undefined : plainValue(body, taken);
  if (taken === undefined || !value) return parseJsonBody(body.toString());
  const without = `${body.toString('utf8', 0, value.start)}${body.toString('utf8', value.end)}`;
  const parsed = parseJsonBody(without);
  const isThere = typeof parsed === 'object' && parsed !== null && Object(parsed)[taken] === '';
  return isThere
    ? { ...parsed, [taken]: body.subarray(value.start, value.end) }
    : parseJsonBody(body.toString());
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Where the first text begins and ends that a key of this name has. */
function plainValue(
  body: Buffer,
  name: string,
): { readonly start: number; readonly end: number } | undefined {
  const key = body.indexOf(`"${name}"`);
  if (key === -1 || body[key - 1] === BACKSLASH) return undefined;
  const after = key + name.length + 2;
  const [before = ''] = /^\s*:\s*"/.exec(body.toString('latin1', after, after + 16)) ?? [];
  const start = after + before.length;
  const end = body.indexOf(QUOTE, start);
  if (before === '' || end === -1) return undefined;
  return body.subarray(start, end).includes(BACKSLASH) ? undefined : { start, end };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own words quote the text.
    throw new HarkError('INVALID_JSON', { message: 'The body is not valid JSON' });
  }
}

function refuseTraps(value: unknown, levelsLeft: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (levelsLeft === 0)
    throw new HarkError('VALIDATION_FAILED', {
      body: { issues: [{ path: [], message: `Nested deeper than ${DEEPEST} levels` }] },
    });
  if (Array.isArray(value)) {
    for (const element of value) refuseTraps(element, levelsLeft - 1);
    return;
  }
  const entries = Object.entries(value);
  if (entries.length > MOST_KEYS)
    throw new HarkError('VALIDATION_FAILED', {
      body: { issues: [{ path: [], message: `An object of more than ${MOST_KEYS} fields` }] },
    });
  for (const [key, inner] of entries) {
    if (key === '__proto__' || (key === 'constructor' && isPrototypeCarrier(inner)))
      throw new HarkError('VALIDATION_FAILED', {
        body: { issues: [{ path: [key], message: 'This key is not allowed' }] },
      });
    refuseTraps(inner, levelsLeft - 1);
  }
}

function isPrototypeCarrier(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}
