import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe, test } from 'vitest';
import { Assembly, piecesOf } from '../../src/store/piecewiseJson.ts';

function assembled(pieces: Iterable<string>): unknown {
  const assembly = new Assembly();
  for (const piece of pieces) assembly.add(piece);
  return assembly.value;
}

/** Of any size up to several pieces. */
const large = (element: fc.Arbitrary<unknown>) => {
  const length = fc.nat(450);
  const record = fc.tuple(length, element).map(([count, one]) => entries(count, one));
  const list = fc.tuple(length, element).map(([count, one]) => new Array(count).fill(one));
  return fc.oneof(record, list);
};
const entries = (count: number, one: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, one]));

const state = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.json().map((text): unknown => JSON.parse(text)),
    fc.dictionary(fc.string(), tie('tree'), { maxKeys: 3 }),
    fc.array(tie('tree'), { maxLength: 3 }),
    large(fc.json().map((text): unknown => JSON.parse(text))),
  ),
})).tree;

it.prop([state])('a state that is written in pieces comes back as from JSON', (value) => {
  assert.deepEqual(assembled(piecesOf(value)), JSON.parse(JSON.stringify(value)));
});

describe('a large state', () => {
  const conclusions = entries(10_000, { text: 'The user sails', sources: ['e1'], status: 'active' });

  test('is in pieces of which none is large, wherever in it the large lies', () => {
    const value = { state: { conclusions, embedded: { model: conclusions }, profile: {} }, version: 1 };
    const pieces = [...piecesOf(value)];
    assert.ok(pieces.length >= 200);
    assert.ok(pieces.every(({ length }) => length < 10_000));
    assert.ok(pieces.every((piece) => !piece.includes('\n')));
    assert.deepEqual(assembled(pieces), value);
  });

  test('keeps a name that objects have from elsewhere, leaves out what is undefined, and what makes its own JSON makes it', () => {
    const named = JSON.parse('{"__proto__": {"userId": "x"}}');
    const value = { ...conclusions, none: undefined, at: new Date(0) };
    for (const [name, inner] of Object.entries(named))
      Object.defineProperty(value, name, { value: inner, enumerable: true });
    assert.deepEqual(assembled(piecesOf(value)), JSON.parse(JSON.stringify(value)));
  });

  test('is none where a piece is missing or is something else', () => {
    const [whole = '', part = ''] = piecesOf({ conclusions });
    assert.throws(() => assembled([]));
    assert.throws(() => assembled([part, part]));
    assert.throws(() => assembled([whole, whole]));
    assert.throws(() => assembled([whole, part.slice(0, -1)]));
    assert.throws(() => assembled(['{}', part]));
  });
});
