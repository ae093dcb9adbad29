import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { nearestBeliefs } from '../../../src/application/memory/nearestBeliefs.ts';
import { Statements } from '../../../src/application/memory/statements.ts';
import type { SpokenWords } from '../../../src/application/memory/words.ts';
import { userEntities } from '../../../src/folds/entities/entities.ts';
import { remembered } from '../../../src/projections/memory/remembered.ts';
import { aConclusion } from '../../commands/memory/sample.ts';
import { fold, NOW } from '../../support/given.ts';

/** Sixty beliefs; the later ones are newer, and none but the fourth shares a word with what is said. */
const texts = Array.from({ length: 60 }, (_, at) =>
  at === 3 ? 'The user owns a boat in Bergen.' : `The user knows person ${at}.`,
);
const memory = fold(
  remembered,
  texts.map((text, at) => aConclusion(`k${at}`, { text })),
);
const words: readonly SpokenWords[] = [
  { turnId: 't1', role: 'user', text: 'I am off to Bergen.', at: NOW },
  { turnId: 't1', role: 'assistant', text: 'Person 7 lives there.', at: NOW },
  { turnId: 't2', role: 'user', text: 'We sail tomorrow.\n> Person 8 says hello.', at: NOW },
];

async function nearest(known: typeof memory, ...meant: readonly number[]) {
  const asked: { text: string; most: number }[] = [];
  const statements = new Statements(known, userEntities.initial);
  const beliefs = statements.conclusions;
  const found = await nearestBeliefs(
    {
      statementsOf: async () => statements,
      nearStatements: async (_userId, text, most) => {
        asked.push({ text, most });
        return meant.flatMap((at) => beliefs.filter(({ id }) => id === `k${at}`));
      },
    },
    'ann',
    words,
  );
  return { ids: found.map(({ id }) => id), asked };
}

describe('the beliefs nearest to what is said', () => {
  it('are those that are near in meaning first, then those that share words, forty in all', async () => {
    const { ids } = await nearest(memory, 41, 12);
    assert.equal(ids.length, 40);
    assert.deepEqual(new Set(ids.slice(0, 2)), new Set(['k12', 'k41']));
    assert.equal(ids[2], 'k3');
    assert.equal(new Set(ids).size, 40, 'none twice');
  });

  it('are looked for by what the user says, not by what others do, and fifteen at most by meaning', async () => {
    const { asked } = await nearest(memory);
    const [{ text, most } = assert.fail('Nobody was asked')] = asked;
    assert.equal(most, 15);
    assert.match(text, /Bergen.*sail/s);
    assert.doesNotMatch(text, /Person/);
  });

  it('are found by words where nothing is near in meaning', async () => {
    assert.equal((await nearest(memory)).ids[0], 'k3');
  });

  it('are all there are, where those are few, and nobody is asked', async () => {
    const few = fold(remembered, [aConclusion('k0', { text: 'The user likes tea.' })]);
    assert.deepEqual(await nearest(few), { ids: ['k0'], asked: [] });
  });
});
