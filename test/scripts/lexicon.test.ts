import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { relatedWords } from '../../scripts/lexicon/relatedWords.ts';
import { synsetsIn } from '../../scripts/lexicon/synsets.ts';

/* Lines as the database files of WordNet 3 have them. */
const nouns = [
  '  1 This software and database is being provided to you, the LICENSEE',
  '00000001 05 n 02 feline 0 felid 0 001 ~ 00000002 n 0000 | any of various lithe-bodied mammals',
  '00000002 05 n 01 cougar 0 002 @ 00000001 n 0000 ;c 00000009 n 0000 | a large cat',
  '00000003 04 n 02 theft 0 stealing 0 001 + 00000001 v 0101 | the act of taking',
  '00000004 04 n 01 bargain 0 000 | an advantageous purchase',
];
const verbs = [
  '00000001 40 v 01 pilfer 0 001 + 00000003 n 0101 02 + 08 00 | make off with belongings of others',
];
const senses = [
  'bargain%1:04:00:: 00000004 1 7',
  'felid%1:05:00:: 00000001 1 0',
  'feline%1:05:00:: 00000001 1 3',
];

describe('the table of related words', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hark-wordnet-'));
    const files = {
      'data.noun': nouns,
      'data.verb': verbs,
      'data.adj': [],
      'data.adv': [],
      'index.sense': senses,
    };
    await Promise.all(
      Object.entries(files).map(([name, lines]) => writeFile(join(folder, name), `${lines.join('\n')}\n`)),
    );
  });
  afterAll(() => rm(folder, { recursive: true }));

  const related = (term: string) => relatedWords(synsetsIn(folder)).get(term) ?? new Map<string, number>();

  it('has for a word what means the same, its kinds, what it is a kind of, and what is derived', () => {
    assert.deepEqual([...related('felin').keys()].sort(), ['cougar', 'felid']);
    assert.deepEqual([...related('cougar').keys()].sort(), ['felid', 'felin']);
    assert.deepEqual([...related('pilfer').keys()], ['theft']);
    assert.deepEqual([...related('bargain').keys()], []);
  });

  it('counts a kind for more than what it is a kind of, and nothing for more than itself', () => {
    const [kind = 0, general = 0] = [related('felin').get('cougar'), related('cougar').get('felin')];
    assert.ok(kind > general && general > 0 && kind < 1);
  });

  it('knows how often a word was met with a meaning', () => {
    const found = synsetsIn(folder).flatMap(({ words }) => words);
    assert.deepEqual(
      found.filter(({ count }) => count > 0).map(({ term, count }) => [term, count]),
      [
        ['felin', 3],
        ['bargain', 7],
      ],
    );
  });
});
