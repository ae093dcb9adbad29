import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { keywordsOf } from '../../src/language/keywords.ts';
import { statementsOf } from '../../src/language/statements.ts';
import { summaryOf } from '../../src/language/summary.ts';
import { isSlow } from '../support/processorTime.ts';

const pieces = fc.array(
  fc.constantFrom(
    'I',
    "I'm",
    'my',
    'name',
    'is',
    'live',
    'in',
    'Oslo',
    'not',
    'and',
    ',',
    '.',
    '?',
    '"',
    "'",
    'no longer',
    'dog',
    'called',
    '\n',
    '```',
    '>',
    'was',
    'born',
    'on',
    '3 May',
    '10,000',
    'ist',
    'über',
    '東京',
    '🙂',
    '\u0000',
    ':',
    'constructor',
    "constructorn't",
    '__proto__',
  ),
  { maxLength: 60 },
);
const texts = fc.oneof(
  pieces.map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 300 }),
);
const moments = fc.oneof(fc.integer({ min: 0, max: 4e12 }), fc.constantFrom(0, -1, 8.64e15));

describe('whatever is said', () => {
  it.prop([texts, moments])(
    'is read without a fault, the same each time, and each statement stands in it',
    (text, at) => {
      const found = statementsOf(text, at);
      assert.deepEqual(statementsOf(text, at), found);
      for (const { span, confidence, text: told, slot } of found) {
        assert.ok(0 <= span.start && span.start <= span.end && span.end <= text.length);
        assert.ok(confidence > 0 && confidence <= 1);
        assert.ok(told.length > 0 && slot.length > 0);
      }
    },
  );

  it.prop([fc.array(texts, { maxLength: 8 }), fc.integer({ min: 20, max: 400 })])(
    'is summed up within the length, in words that were said',
    (all, longest) => {
      const turns = all.map((text, index) => ({ role: index % 2 ? 'assistant' : 'user', text }));
      assert.ok(summaryOf(turns, longest).length <= longest);
      assert.ok(keywordsOf(turns).length <= 12);
    },
  );
});

describe('a text made to take long', () => {
  for (const [name, text] of [
    ['one clause over and over', 'I live in a very '.repeat(2_000)],
    ['adverbs', `I ${'really '.repeat(100)}live`],
    ['quotation marks', `"'`.repeat(10_000)],
    ['one letter', 'a'.repeat(20_000)],
    ['commas', 'I love it, '.repeat(50)],
    ['openers', 'well so yes '.repeat(50)],
    ['capital letters', `My sister ${'Anna '.repeat(100)}`],
    ['headers', 'From: a\n'.repeat(2_000)],
  ] as const) {
    it(`does not: ${name}`, () => {
      assert.ok(!isSlow(() => statementsOf(text, 0), 1_000));
    });
  }
});
