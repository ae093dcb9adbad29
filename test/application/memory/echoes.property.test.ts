import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { wordsInPart, wordsToldBy } from '../../../src/application/memory/echoes.ts';
import type { SpokenWords } from '../../../src/application/memory/words.ts';
import { NOW } from '../../support/given.ts';

const talk = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }).map((answered) =>
  answered.flatMap((isAnswered, index): SpokenWords[] => {
    const asked = { turnId: `t${index}`, role: 'user', text: `asked ${index}`, at: NOW } as const;
    const answer = { turnId: `t${index}`, role: 'assistant', text: `answered ${index}`, at: NOW } as const;
    return isAnswered ? [asked, answer] : [asked];
  }),
);

describe('the parts of a conversation', () => {
  it.prop([talk, fc.array(fc.nat(11))])(
    'are the whole, with nothing left out and nothing twice, wherever it was looked at before its end',
    (words, looked) => {
      const turns = [...new Set(words.map(({ turnId }) => turnId))];
      const places = [...new Set(looked.map((one) => one % turns.length))].sort((a, b) => a - b);
      let after: string | null = null;
      const parts = places.flatMap((place) => {
        const part = { after, upTo: turns[place] ?? null };
        after = part.upTo;
        return wordsInPart(words, part);
      });
      assert.deepEqual([...parts, ...wordsInPart(words, { after, upTo: null })], words);
    },
  );

  it.prop([talk, fc.array(fc.nat(11))])('are told without answers that only repeat', (words, repeated) => {
    const echoes = repeated.map((index) => `t${index}`);
    const told = wordsToldBy({ turnId: null, echoes }, words);
    const left = words.filter((word) => !told.includes(word));
    assert.ok(left.every(({ role, turnId }) => role === 'assistant' && echoes.includes(turnId)));
    assert.ok(!told.some(({ role, turnId }) => role === 'assistant' && echoes.includes(turnId)));
  });
});
