import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Passage } from '../../../../src/projections/memory/index/documents.ts';
import { foundBothWays, nearPassages } from '../../../../src/projections/memory/index/foundBothWays.ts';
import { NOW } from '../../../support/given.ts';

const passage = (id: string, score = 1): Passage => {
  const episodeId = id.slice(0, 1);
  return { id, episodeId, kind: 'turn', text: id, excerpt: id, at: NOW, order: 0, score };
};
const byWords = (...ids: string[]) => ({
  episodes: ids.map((id, place) => {
    const best = passage(id);
    return { episodeId: best.episodeId, score: 0.9 - place / 10, at: NOW, importance: 0.5, best };
  }),
  passages: ids.map((id) => passage(id, 0.5)),
});
const near = (threshold: number, hits: Readonly<Record<string, number>>) => {
  const found = Object.entries(hits).map(([id, similarity]) => ({ id, similarity }));
  const episode = { at: NOW, importance: 0.5 };
  const described = found.map(({ id }) => ({ passage: passage(id), episode }));
  return nearPassages(found, described, threshold);
};
const request = { query: 'q', limit: 10, passages: 10, now: NOW };

describe('what was found by words and by meaning', () => {
  it('is one list, and each hit shows the passage by which it was found better', () => {
    const { episodes } = foundBothWays(byWords('a1', 'b1'), near(0.2, { b2: 0.9, c2: 0.6 }), request);
    const shown = episodes.map(({ best, matchType }) => `${best.id} ${matchType}`);
    assert.deepEqual(shown, ['b2 semantic', 'a1 keyword', 'c2 semantic']);
    const relevances = episodes.map(({ relevance }) => relevance);
    assert.deepEqual(
      relevances,
      relevances.toSorted((one, other) => other - one),
    );
  });

  it('has as its score how well it answers: nothing at the threshold, all at the same meaning', () => {
    const scores = (hits: Readonly<Record<string, number>>) =>
      foundBothWays({ episodes: [], passages: [] }, near(0.5, hits), request).episodes.map(
        ({ score }) => score,
      );
    assert.deepEqual(scores({ a1: 1, b1: 0.75, c1: 0.5 }), [1, 0.5, 0]);
    assert.equal(near(1, { a1: 1 })[0]?.nearness, 1);
  });

  it('counts a passage for both where both found it', () => {
    const { passages } = foundBothWays(byWords('a1', 'b1'), near(0, { c1: 0.6, b1: 0.4 }), request);
    assert.deepEqual(
      passages.map(({ id, score }) => [id, score]),
      [
        ['b1', 0.9],
        ['c1', 0.6],
        ['a1', 0.5],
      ],
    );
  });

  it('is what the words found where nothing is near enough', () => {
    const { episodes, passages } = foundBothWays(byWords('a1', 'b1'), [], { ...request, passages: 0 });
    assert.deepEqual(
      episodes.map(({ episodeId, relevance }) => [episodeId, relevance]),
      [
        ['a', 0.9],
        ['b', 0.8],
      ],
    );
    assert.equal(passages.length, 2);
  });
});
