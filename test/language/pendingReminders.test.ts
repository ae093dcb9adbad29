import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { asksForReminder } from '../../src/language/reminders/asking.ts';
import { isOfKind, pendingRequestIn, pendingRows } from '../../src/language/reminders/pending.ts';
import { isSlow } from '../support/processorTime.ts';

describe('each row of the table of what is asked about reminders that are set', () => {
  for (const [language, rows] of Object.entries(pendingRows))
    for (const { as, examples, counterExamples } of rows) {
      it(`${language} ${as} is found in its examples: ${examples[0]?.[0]}`, () => {
        assert.ok(examples.length > 0);
        for (const [said, kind, all, what] of examples) {
          assert.deepEqual(pendingRequestIn(said), { language, as, kind, all, what }, said);
          assert.ok(asksForReminder(said), said);
        }
      });

      it(`${language} ${as} is not found in its counter-examples: ${counterExamples[0]}`, () => {
        assert.ok(counterExamples.length > 0);
        for (const said of counterExamples) assert.equal(pendingRequestIn(said), undefined, said);
      });
    }

  it('is what the writer asks, and not what they quote', () => {
    assert.equal(pendingRequestIn('> Cancel all my reminders.'), undefined);
  });

  it('is found at once in whatever is repeated', () => {
    const units = [
      'cancel all my reminders to ',
      'what are my timers ',
      'lösche alle ',
      'annule le rappel de ',
    ];
    assert.deepEqual(
      units.filter((unit) => isSlow(() => [pendingRequestIn(unit.repeat(5_000))], 50)),
      [],
    );
  });
});

it('tells a timer by what is said at its end, in any language', () => {
  assert.equal(isOfKind('Your time is up. (the pasta)', 'timer'), true);
  assert.equal(isOfKind('Das ist dein Wecker.', 'alarm'), true);
  assert.equal(isOfKind('call mum', 'timer'), false);
});
