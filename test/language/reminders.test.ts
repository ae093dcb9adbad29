import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { understoodTime } from '../../src/application/scheduler/remindingByRule.ts';
import { reminderTables } from '../../src/language/reminders/tables.ts';
import { remindersIn } from '../../src/language/reminders.ts';

/** Wednesday, 18 November 2026, 09:30 in Berlin. */
const NOW = Date.UTC(2026, 10, 18, 8, 30);

function found(said: string) {
  const habits = { timezone: 'Europe/Berlin', locale: 'en-GB' };
  const read = (phrase: string, language: string) => understoodTime(phrase, NOW, { ...habits, language });
  return remindersIn(said, read);
}

describe('each row of the tables of reminders', () => {
  for (const [language, { rows, said: usual }] of Object.entries(reminderTables))
    for (const { kind, examples, counterExamples } of rows) {
      it(`${language} ${kind} is found in its examples: ${examples[0]?.[0]}`, () => {
        assert.ok(examples.length > 0);
        for (const [said, when, what] of examples) {
          const label = kind === 'remind' || what === '' ? what : ` (${what})`;
          const text = kind === 'remind' ? label : `${usual[kind]}${label}`;
          assert.deepEqual(
            found(said).map((one) => [one.kind, one.when, one.text]),
            [[kind, when, text]],
            said,
          );
        }
      });

      it(`${language} ${kind} is not found in its counter-examples: ${counterExamples[0]}`, () => {
        assert.ok(counterExamples.length > 0);
        for (const said of counterExamples) assert.deepEqual(found(said), [], said);
      });
    }
});

describe('what is asked to be told later', () => {
  it('is what the writer asks, and not what they quote, forward or tell a story of', () => {
    for (const said of [
      '> Remind me to call mum at 9.',
      'From: a@example.org\nSubject: x\n\nRemind me to call mum at 9.',
      '```\nRemind me to call mum at 9.\n```',
    ])
      assert.deepEqual(found(said), [], said);
  });

  it('may be several things, each with its time', () => {
    const both = found('Remind me at 10 to eat. Remind me to sleep at 22:00.');
    assert.deepEqual(
      both.map(({ text, when }) => [text, when]),
      [
        ['eat', 'at 10'],
        ['sleep', 'at 22:00'],
      ],
    );
  });

  it('is found at once in a message of any length', () => {
    const long = `Remind me to ${'call mum and '.repeat(1_000)}. ${'remind me '.repeat(2_000)}`;
    const begun = process.cpuUsage();
    found(long);
    const { user } = process.cpuUsage(begun);
    assert.ok(user < 500_000, `${user} µs`);
  });
});
