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
