import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { fused } from '../../../../src/projections/memory/index/fusion.ts';
import { searchCorpus } from '../../../../src/projections/memory/index/searching.ts';
import { packContext } from '../../../../src/projections/memory/packContext.ts';
import { corpusOf, DAY, episode, NOON } from './documents.ts';

const byWords = (...episodeIds: string[]) => {
  const corpus = corpusOf(...episodeIds.map((id, index) => episode(id, [`fox ${'hen '.repeat(index * 9)}`])));
  const { episodes } = searchCorpus(corpus, { query: 'fox', limit: 50, now: NOON });
  return episodeIds.flatMap((id) => episodes.filter(({ episodeId }) => episodeId === id));
};
const byMeaning = (...episodeIds: string[]) =>
  episodeIds.map((episodeId) => ({ episodeId, similarity: 0.5, at: NOON, importance: 0.5 }));

describe('what was found by words and by meaning', () => {
  it('is one list: first what both found, and each hit says which of the two found it better', () => {
    const hits = fused(byWords('a', 'b', 'c'), byMeaning('d', 'b', 'd'), NOON);
    assert.deepEqual(
      hits.map(({ episodeId, matchType }) => `${episodeId} ${matchType}`),
      ['b keyword', 'a keyword', 'd semantic', 'c keyword'],
    );
  });

  it('is moved by how recent and how important it is, but by no more than a tenth', () => {
    const old = { episodeId: 'old', similarity: 0.9, at: NOON - 900 * DAY, importance: 0 };
    const recent = { episodeId: 'new', similarity: 0.8, at: NOON, importance: 1 };
    assert.equal(fused([], [old, recent], NOON)[0]?.episodeId, 'new');
    const between = Array.from({ length: 20 }, (_, index) => ({ ...old, episodeId: `between ${index}` }));
    assert.equal(fused([], [old, ...between, recent], NOON)[0]?.episodeId, 'old');
    assert.equal(fused([], [{ ...recent, importance: Number.NaN }], NOON)[0]?.matchType, 'semantic');
  });
});

describe('packing a context', () => {
  const item = (id: string, score: number, text: string, more = {}) => ({
    id,
    group: id.slice(0, 1),
    order: Number(id.slice(1)),
    at: NOON - Number(id.charCodeAt(0)) * DAY,
    score,
    text,
    ...more,
  });
  const tokensOf = (text: string) => text.split(' ').length;

  it('takes the best that fit, each text once, in the order in which it happened', () => {
    const { groups, tokens } = packContext(
      [
        item('a2', 3, 'one two three'),
        item('b1', 2, 'One  TWO three'),
        item('b3', 1.5, 'four five'),
        item('a1', 1, 'six seven'),
        item('a3', 0.5, 'far too many words for what is left of it'),
        item('b2', 0.4, 'eight'),
      ],
      { budget: 12, tokensOf, headingTokens: 2, tokensAround: 0 },
    );
    const shown = groups.map(({ group, items }) => `${group}: ${items.map(({ text }) => text).join(', ')}`);
    assert.deepEqual(shown, ['b: eight, four five', 'a: six seven, one two three']);
    assert.equal(tokens, 12);
  });

  it('takes the excerpt of what is too long', () => {
    const long = item('a1', 1, 'word '.repeat(50).trim(), { excerpt: 'the word' });
    const pack = (budget: number) =>
      packContext([long], { budget, tokensOf }).groups.flatMap(({ items }) => items.map(({ text }) => text));
    assert.deepEqual(pack(100), ['the word']);
    assert.deepEqual(pack(200), [long.text]);
    assert.deepEqual(pack(5), []);
  });

  const anyItem = fc.record({
    id: fc.string(),
    group: fc.constantFrom('a', 'b', 'c'),
    order: fc.nat(),
    at: fc.nat(),
    score: fc.double(),
    text: fc.string(),
    excerpt: fc.option(fc.string(), { nil: undefined }),
  });

  it.prop([fc.array(anyItem), fc.nat(100)])('never takes more than the budget', (items, budget) => {
    const plain = items.map(({ excerpt, ...rest }) => (excerpt === undefined ? rest : { ...rest, excerpt }));
    const { groups, tokens } = packContext(plain, {
      budget,
      tokensOf,
      headingTokens: 3,
      tokensAround: 1,
    });
    const costs = groups.flatMap(({ items }) => [3, ...items.map(({ text }) => 1 + tokensOf(text))]);
    assert.equal(
      costs.reduce((sum, cost) => sum + cost, 0),
      tokens,
    );
    assert.ok(tokens <= budget);
  });
});
