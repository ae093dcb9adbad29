import type { Expected } from './port.ts';

/** Whether a stream at this version is as the append expects it. */
export function isExpected(expected: Expected, version: number): boolean {
  if (expected === 'any') return true;
  if (expected === 'new') return version === 0;
  if (expected === 'exists') return version > 0;
  return version === expected;
}
