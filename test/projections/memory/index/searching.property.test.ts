import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { searchCorpus } from '../../../../src/projections/memory/index/searching.ts';
import { corpusOf, episode, NOON } from './documents.ts';

const word = fc.constantFrom(
  'anna',
  'Ben',
  'fjord',
  'cat',
  'near',
  'AND',
  'OR NOT',
  '"',
  '*',
  '東京',
  'é',
  '2024',
  'May',
  '?',
  ':',
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
);
const texts = fc.array(fc.array(anyText, { maxLength: 5 }), { maxLength: 6 });

describe('a search', () => {
  it.prop([texts, anyText, fc.nat(8), fc.nat(8)], { numRuns: 500 })(
    'takes any text as a query, over any texts, and answers in order and within bounds',
    (all, query, limit, passages) => {
      const corpus = corpusOf(...all.map((lines, index) => episode(`e${index}`, lines)));
      const result = searchCorpus(corpus, { query, limit, passages, now: NOON });
      assert.ok(result.episodes.length <= limit && result.passages.length <= passages);
      assert.equal(new Set(result.episodes.map(({ episodeId }) => episodeId)).size, result.episodes.length);
      for (const { score } of result.episodes) assert.ok(score > 0 && score <= 1);
      for (const list of [result.episodes, result.passages]) {
        const scores = list.map(({ score }) => score);
        assert.deepEqual(
          scores,
          scores.toSorted((one, other) => other - one),
        );
      }
    },
  );

  it('does not hang on what is long', () => {
    const corpus = corpusOf(episode('long', ['a b '.repeat(50_000), 'x'.repeat(200_000)]));
    for (const query of ['"'.repeat(10_000), 'a '.repeat(100_000), `${'1 '.repeat(5_000)}May`])
      searchCorpus(corpus, { query, limit: 10, passages: 10, now: NOON });
  });
});
