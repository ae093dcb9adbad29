import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { StopWords } from '../../../src/gateways/models/stopWords.ts';

const few = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
const stop = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 4,
});

test.prop([fc.array(few, { maxLength: 8 }), stop])(
  'what is told ends before the first of the words, however it is cut into pieces',
  (pieces, stops) => {
    const words = new StopWords(stops);
    const told = pieces.map((piece) => words.hear(piece)).join('') + words.rest();
    const whole = pieces.join('');
    // The first that is complete: what comes after its last letter had not been heard by then.
    const ends = stops.map((one) => whole.indexOf(one)).filter((at) => at !== -1);
    assert.equal(words.isReached, ends.length > 0);
    assert.ok(stops.every((one) => !told.includes(one)));
    assert.ok(whole.startsWith(told));
    if (ends.length === 0) assert.equal(told, whole);
    else assert.ok(stops.some((one) => whole.startsWith(one, told.length)));
  },
);
