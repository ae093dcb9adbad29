import assert from 'node:assert/strict';
import { test } from 'vitest';
import { z } from 'zod';
import '../src/validationWords.ts';

/** What is said of each part of the value that does not fit. */
function said(schema: z.ZodType, value: unknown): readonly string[] {
  return schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];
}

for (const [what, schema, value, words] of [
  ['nothing', z.string(), undefined, 'is missing'],
  ['no word', z.enum(['a', 'b']), undefined, 'is missing'],
  ['neither kind', z.union([z.string(), z.number()]), undefined, 'is missing'],
  ['no text', z.string(), 5, 'must be a text'],
  ['no number in a query', z.coerce.number(), 'x', 'must be a number'],
  ['a broken number', z.int(), 1.5, 'must be a whole number'],
  ['no object', z.record(z.string(), z.unknown()), [], 'must be an object'],
  ['an empty text', z.string().min(1), '', 'must not be empty'],
  ['a short text', z.string().min(3), 'a', 'must have 3 characters or more'],
  ['a long text', z.string().max(3), 'abcd', 'must have 3 characters or fewer'],
  ['an empty list', z.array(z.string()).min(1), [], 'must not be empty'],
  ['a long list', z.array(z.string()).max(1), ['a', 'b'], 'must have 1 entries or fewer'],
  ['too little', z.number().min(1), 0, 'must be at least 1'],
  ['too much', z.number().max(500), 501, 'must be at most 500'],
  ['none of a few words', z.enum(['active', 'paused']), 'gone', 'must be one of active, paused'],
  ['another word than the one', z.literal('active'), 'gone', 'must be active'],
  ['none of two kinds', z.union([z.string(), z.number()]), true, 'must be a text or a number'],
  ['another form', forms(), { type: 'c' }, 'must be one of a, b'],
  ['a field too many', z.strictObject({}), { x: 1 }, 'must not have the field "x"'],
  ['another pattern', z.string().regex(/^a$/), 'b', 'must match /^a$/'],
  ['no URL', z.url(), 'b', 'must be a URL'],
] as const)
  test(`of ${what} it is said what it has to be`, () => {
    assert.deepEqual(said(schema, value), [words]);
  });

test('of many fields too many the first are named, and none at length', () => {
  const given = Object.fromEntries(['a', 'b', 'c'.repeat(200), 'd', 'e'].map((name) => [name, 1]));
  assert.deepEqual(said(z.strictObject({}), given), [
    `must not have the fields "a", "b", "${'c'.repeat(64)}" and 2 more`,
  ]);
});

test('a schema that has words of its own keeps them', () => {
  assert.deepEqual(said(z.string().min(8, 'must be a long key'), 'x'), ['must be a long key']);
});

function forms(): z.ZodType {
  return z.discriminatedUnion('type', [
    z.object({ type: z.literal('a') }),
    z.object({ type: z.literal('b') }),
  ]);
}
