import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { type Statement, statementsOf } from '../../src/language/statements.ts';
import { type LabelledStatements, labelledStatements, parts, Score } from './labelled.ts';

const WEDNESDAY = Date.UTC(2026, 10, 18, 12);

describe('labelled sentences', () => {
  for (const part of parts) {
    it(`${part}: what is found is right, and most is found`, async (test) => {
      const score = new Score();
      for (const labelled of labelledStatements()) if (labelled.part === part) compare(labelled, score);
      await test.annotate(`${part}: ${score}`);
      assert.ok(score.precision >= 0.95, `${score}\n${score.wrong.join('\n')}`);
      assert.ok(score.recall >= 0.85, `${score}\n${score.missed.join('\n')}`);
    });
  }

  it('that correct something name what that was', () => {
    const named = labelledStatements().flatMap(({ text, expect }) => {
      const found = statementsOf(text, WEDNESDAY);
      return expect.flatMap((wanted) => {
        const one = found.find((statement) => isMeant(statement, wanted));
        return one && wanted.replaces !== undefined ? [{ text, one, replaces: wanted.replaces }] : [];
      });
    });
    assert.ok(named.length >= 20);
    for (const { text, one, replaces } of named) {
      assert.equal(one.replaces?.toLowerCase(), replaces.toLowerCase(), text);
      assert.equal(one.type, 'corrected', text);
    }
  });

  it('are many, and half of them are traps', () => {
    const all = labelledStatements();
    assert.ok(all.length >= 300);
    assert.ok(all.filter(({ expect }) => expect.length === 0).length >= all.length / 2);
  });
});

function compare({ text, expect }: LabelledStatements, score: Score): void {
  const open = [...expect];
  for (const found of statementsOf(text, WEDNESDAY)) {
    const index = open.findIndex((wanted) => isMeant(found, wanted));
    const [wanted] = index < 0 ? [] : open.splice(index, 1);
    if (!wanted) score.wrong.push(`${text} → ${found.slot}: ${found.text}`);
    else if (!wanted.optional) score.right++;
  }
  for (const { slot, optional } of open) if (!optional) score.missed.push(`${text} → ${slot}`);
}

function isMeant(found: Statement, wanted: LabelledStatements['expect'][number]): boolean {
  const isOfSlot =
    found.slot === wanted.slot ||
    found.slot.startsWith(`${wanted.slot}.`) ||
    found.slot.startsWith(wanted.slot);
  return (
    isOfSlot &&
    found.negated === wanted.negated &&
    found.value.toLowerCase().includes(wanted.value.toLowerCase())
  );
}

describe('a statement', () => {
  const one = (text: string) => {
    const [found, ...more] = statementsOf(text, WEDNESDAY);
    assert.ok(found, text);
    assert.deepEqual(more, []);
    return found;
  };

  for (const [said, told] of [
    ["My sister's name is Mia.", "The user's sister is called Mia."],
    ['I live in Oslo.', 'The user lives in Oslo.'],
    ["I can't stand olives.", 'The user does not like olives.'],
    ['I go running every morning with my dog.', 'The user goes running every morning with their dog.'],
    [
      'I have a dentist appointment next Tuesday at 3pm.',
      'The user has a dentist appointment on 2026-11-24 15:00.',
    ],
    ['My birthday is on March 14.', "The user's birthday is March 14 (--03-14)."],
    ['Remember that my garage code is 4417.', "The user's garage code is 4417."],
  ] as const) {
    it(`"${said}" is told in the third person`, () => assert.equal(one(said).text, told));
  }

  it('stands where it was said', () => {
    const text = 'Thanks! By the way, I live in Oslo now. Bye.';
    const { start, end } = one(text).span;
    assert.equal(text.slice(start, end), 'I live in Oslo now.');
  });

  it('that corrects says so, and what it takes the place of', () => {
    const moved = one('I just moved from Berlin to Lisbon.');
    assert.deepEqual(
      [moved.type, moved.slot, moved.value, moved.replaces],
      ['corrected', 'home.city', 'Lisbon', 'Berlin'],
    );
    const meant = one("No, my sister's name is Lena, not Lina.");
    assert.deepEqual(
      [meant.type, meant.slot, meant.replaces?.toLowerCase()],
      ['corrected', 'family.sister.name', 'lina'],
    );
    assert.equal(one('I live in Lisbon.').type, 'explicit');
  });

  it('that something is over takes the slot of what was', () => {
    const over = one('I no longer work at Siemens.');
    assert.deepEqual([over.slot, over.negated, over.type], ['work.employer', true, 'corrected']);
  });

  it('is more certain when it is to be remembered', () => {
    const [usual, asked] = [one('I live in Oslo.'), one('Remember that I live in Oslo.')];
    assert.ok(asked.confidence > usual.confidence);
  });
});
