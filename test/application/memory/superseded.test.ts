import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { noLongerSo } from '../../../src/application/memory/superseded.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import type { Conclusion } from '../../../src/folds/memory/conclusion.ts';
import { remembered } from '../../../src/projections/memory/remembered.ts';
import { fold } from '../../support/given.ts';

const drawn = (conclusionId: string, text: string, more: Partial<Conclusion> = {}): NewEvent => ({
  type: 'memory.conclusion.drawn',
  data: {
    conclusionId,
    text,
    type: 'explicit',
    confidence: 0.9,
    sources: ['e1'],
    turnIds: [],
    about: 'home.city',
    by: 'offline',
    ...more,
  },
});
const superseded = (conclusionId: string, supersededBy: string): NewEvent => ({
  type: 'memory.conclusion.superseded',
  data: { conclusionId, supersededBy, because: 'replaced' },
});
const passage = (text: string, episodeId = 'e1') => {
  const rest = { kind: 'turn', excerpt: text, at: 1, order: 1, score: 1 } as const;
  return { id: `${episodeId}#0`, episodeId, text, ...rest };
};

const bremen = drawn('c1', 'The user lives in Bremen.', { value: 'Bremen' });
const oslo = drawn('c2', 'The user lives in Oslo.', { value: 'Oslo', sources: ['e2'] });
const moved = [bremen, oslo, superseded('c1', 'c2')];

const remarkOn = (past: readonly NewEvent[], text: string, episodeId?: string) => {
  const one = passage(text, episodeId);
  return noLongerSo(fold(remembered, past), [one]).get(one);
};

describe('a passage of which a later word took the place', () => {
  it('says what is so now', () => {
    assert.equal(
      remarkOn(moved, 'I live in Bremen, near the river.'),
      'No longer so: The user lives in Oslo.',
    );
    const on = drawn('c3', 'The user lives in Rome.', { value: 'Rome', sources: ['e3'] });
    const further = [...moved, on, superseded('c2', 'c3')];
    assert.equal(remarkOn(further, 'I live in Bremen.'), 'No longer so: The user lives in Rome.');
  });

  it('says that it is over where nothing took its place, or that was erased', () => {
    const not = drawn('c2', 'The user no longer lives in Bremen.', { value: 'Bremen', negated: true });
    const over = [bremen, not, superseded('c1', 'c2')];
    assert.equal(remarkOn(over, 'I live in Bremen.'), 'No longer so: The user no longer lives in Bremen.');
    const erased = {
      type: 'memory.conclusions.erased',
      data: { conclusionIds: ['c2'], because: 'asked' },
    } as const;
    assert.equal(remarkOn([...moved, erased], 'I live in Bremen.'), 'No longer so');
  });

  it('is left as it is when it says something else, or both, or is of another episode', () => {
    assert.equal(remarkOn(moved, 'The weather is fine today.'), undefined);
    assert.equal(remarkOn(moved, 'I moved from Bremen to Oslo.'), undefined);
    assert.equal(remarkOn(moved, 'I live in Bremen.', 'e9'), undefined);
    assert.equal(remarkOn([bremen], 'I live in Bremen.'), undefined);
  });

  it('is none where two conclusions that say the same became one', () => {
    const same = drawn('c2', 'The user lives in the city of Bremen.', { value: 'the city of Bremen' });
    const merged: NewEvent = {
      type: 'memory.conclusion.merged',
      data: {
        sweepId: 's',
        conclusionId: 'c1',
        mergedInto: 'c2',
        similarTo: 'c2',
        similarity: 0.99,
        restorableUntil: 1,
      },
    };
    const memory = fold(remembered, [bremen, same, merged]);
    assert.equal(memory.conclusions.c1?.status, 'merged');
    const one = passage('I live in Bremen.');
    assert.equal(noLongerSo(memory, [one]).get(one), undefined);
  });
});
