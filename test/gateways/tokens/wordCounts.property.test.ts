import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { WordCounts } from '../../../src/gateways/tokens/wordCounts.ts';

const word = fc.constantFrom(
  ...[
    'the',
    'I',
    "don't",
    'Straße',
    'naïve',
    'мир',
    '世界',
    'ÉTÉ',
    'e\u0301',
    '3',
    'x1',
    '<|endoftext|>',
    'bakulorifen',
  ],
  ...['.', ',', '—', '"', "'s", '\n', '\t', '\r\n', '  ', '\u00a0', '👩‍👩‍👧', '\ud83d', '/', ' \n '],
);
const text = fc.oneof(
  fc.array(word).map((words) => words.join(' ')),
  fc.array(word).map((words) => words.join('')),
  fc.string({ unit: 'binary' }),
);
const counts = new WordCounts();

test.prop([text])(
  'words counted one by one, and remembered, are as many tokens as the text as a whole',
  (said) => {
    const asText = { disallowedSpecial: new Set<string>() };
    assert.equal(counts.count(said), countTokens(said, asText));
    assert.equal(counts.count(said), countTokens(said, asText));
  },
);

test('more words than are remembered are counted as before', () => {
  const many = Array.from({ length: 25_000 }, (_, number) => `w${number.toString(36)}x`).join(' ');
  assert.equal(counts.count(many), countTokens(many));
});
