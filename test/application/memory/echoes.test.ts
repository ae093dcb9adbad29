import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { echoesIn, withoutEchoes } from '../../../src/application/memory/echoes.ts';
import { Statements } from '../../../src/application/memory/statements.ts';
import type { SpokenWords } from '../../../src/application/memory/words.ts';
import { remembered } from '../../../src/projections/memory/remembered.ts';
import { found, knownAfter, record } from '../../commands/entities/sample.ts';
import { aConclusion, anEpisode } from '../../commands/memory/sample.ts';
import { fold, NOW } from '../../support/given.ts';

const lives = { from: 'Mia', to: 'Bergen', type: 'lives_in', confidence: 0.9 };
const mia = record('e2', {
  entities: [found('Mia'), found('Bergen', { type: 'place' })],
  relationships: [lives],
});
const known = fold(remembered, [
  aConclusion('k1', { text: 'The user keeps bees on the roof of the old mill.' }),
  aConclusion('k3', { text: "The user's favourite colour is teal." }),
  anEpisode('e1', { summary: 'The user planned a trip to Lofoten with Mia in June.' }),
  { type: 'memory.profile.changed', data: { profile: { name: 'Ann', patterns: ['Writes late at night'] } } },
]);
const memory = new Statements(known, knownAfter(mia));
const asked: SpokenWords = { turnId: 't1', role: 'user', text: 'What do you know of me?', at: NOW };
const answers = (text: string, recalled: readonly string[]): readonly SpokenWords[] => [
  asked,
  { turnId: 't1', role: 'assistant', text, at: NOW, recalled },
];

describe('an answer', () => {
  it('is an echo where most of it was put before the model', () => {
    for (const [text, id] of [
      ['You keep bees on the roof of the old mill.', 'k1'],
      ['You planned a trip to Lofoten with Mia, in June.', 'e1'],
      ['You write late at night.', 'profile-1'],
      ['Mia lives in Bergen.', 'e2-3'],
    ] as const)
      assert.deepEqual(echoesIn(answers(text, [id]), memory), ['t1'], text);
  });

  it('is one where it gives back all of something that is believed, with little else', () => {
    for (const [text, id] of [
      [
        'I remember that you keep bees on the roof of the old mill. Would you like to hear anything else?',
        'k1',
      ],
      ['I know that your favourite colour is teal. May I do anything else?', 'k3'],
      ['Since Mia lives in Bergen, ask her about the weather first.', 'e2-3'],
    ] as const)
      assert.deepEqual(echoesIn(answers(text, [id]), memory), ['t1'], text);
    const much =
      'As Mia lives in Bergen, pack a raincoat, boots, warm gloves, tickets, two chargers, sandwiches, sunscreen, ' +
      'binoculars, a paper map, coins for lockers, swimwear, painkillers, a towel, matches and a good novel.';
    assert.deepEqual(echoesIn(answers(much, ['e2-3']), memory), []);
  });

  it('is none where it says something new, or where nothing was recalled', () => {
    const fresh = 'A hive needs water, shade in the afternoon, a windbreak and a place to land.';
    assert.deepEqual(echoesIn(answers(fresh, ['k1', 'e1']), memory), []);
    assert.deepEqual(echoesIn(answers('You keep bees on the roof of the old mill.', []), memory), []);
  });

  it('is taken for one where what was recalled has been forgotten since', () => {
    for (const id of ['k2', 'constructor'])
      assert.deepEqual(echoesIn(answers('You had a boat called Selma.', ['k1', id]), memory), ['t1']);
  });

  it('goes alone: what the user said stays', () => {
    const words = answers('You keep bees on the roof of the old mill.', ['k1']);
    assert.deepEqual(withoutEchoes(words, echoesIn(words, memory)), [asked]);
  });
});
