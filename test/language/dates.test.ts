import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { dateIn } from '../../src/language/dates.ts';
import { isSlow } from '../support/processorTime.ts';

const WEDNESDAY = Date.UTC(2026, 10, 18, 12);

/** A day of every year, a month and a year are days too, as far as anybody said. */
const named: readonly (readonly [said: string, date: string, time?: string])[] = [
  ['on March 14', '--03-14'],
  ['March 14th, 1990', '1990-03-14'],
  ['22 February', '--02-22'],
  ['the 3rd of May 1988', '1988-05-03'],
  ['3 May 1988', '1988-05-03'],
  ['07.11.1979', '1979-11-07'],
  ['2026-12-24', '2026-12-24'],
  ['on 4 July', '--07-04'],
  ['September 12', '--09-12'],
  ['Dec. 2nd', '--12-02'],
  ['tomorrow', '2026-11-19'],
  ['the day after tomorrow', '2026-11-20'],
  ['today', '2026-11-18'],
  ['tonight at 8pm', '2026-11-18', '20:00'],
  ['tonight at 8', '2026-11-18', '20:00'],
  ['tomorrow afternoon at 3:30', '2026-11-19', '15:30'],
  ['this evening at 19:30', '2026-11-18', '19:30'],
  ['yesterday', '2026-11-17'],
  ['last night', '2026-11-17'],
  ['next Tuesday at 3pm', '2026-11-24', '15:00'],
  ['on Friday', '2026-11-20'],
  ['next Friday', '2026-11-27'],
  ['this Friday', '2026-11-20'],
  ['last Monday', '2026-11-16'],
  ['on Wednesday', '2026-11-25'],
  ['on Thursday at noon', '2026-11-19', '12:00'],
  ['Saturday', '2026-11-21'],
  ['on Wednesday at 10', '2026-11-25', '10:00'],
  ['coming Sunday', '2026-11-22'],
  ['Monday at 9', '2026-11-23', '09:00'],
  ['Friday at midnight', '2026-11-20', '00:00'],
  ['in three days', '2026-11-21'],
  ['in two weeks', '2026-12-02'],
  ['in a week', '2026-11-25'],
  ['three days ago', '2026-11-15'],
  ['two weeks ago', '2026-11-04'],
  ['in 2 months', '2027-01'],
  ['two months ago', '2026-09'],
  ['in two years', '2028'],
  ['four years ago', '2022'],
  ['a year ago', '2025'],
  ['next month', '2026-12'],
  ['last month', '2026-10'],
  ['this month', '2026-11'],
  ['next year', '2027'],
  ['last year', '2025'],
  ['this year', '2026'],
  ['in June', '2027-06'],
  ['in December', '2026-12'],
  ['since March 2020', '2020-03'],
  ['in October 2027', '2027-10'],
  ['in 2015', '2015'],
  ['since 2010', '2010'],
  ['by 2030', '2030'],
  ['the 24th', '2026-11-24'],
  ['the 3rd', '2026-12-03'],
  ['tomorrow at 5pm', '2026-11-19', '17:00'],
  ['tomorrow at 16:30', '2026-11-19', '16:30'],
  ['on 12 June at 10:15', '--06-12', '10:15'],
];

const unnamed = [
  'now',
  'for three years',
  'twice a week',
  'I may go',
  '34 years old',
  'a 2D array',
  'good morning',
  'three kids',
  '12 weeks pregnant',
  '1.82 m tall',
  'the second one',
  'every evening',
];

describe('the day that a text names, seen from a Wednesday at noon', () => {
  for (const [said, date, time] of named)
    it(`"${said}" is ${date}${time ? ` at ${time}` : ''}`, () => {
      const { phrase, ...found } = dateIn(said, WEDNESDAY) ?? { phrase: '' };
      assert.deepEqual(found, { date, time });
      assert.ok(said.includes(phrase));
    });

  for (const said of unnamed)
    it(`"${said}" names none`, () => assert.equal(dateIn(said, WEDNESDAY), undefined));

  it('is found in no time, whatever is repeated', () => {
    const all = [...named.map(([said]) => said), ...unnamed, '3 days', '1 hour 2 min', '12'];
    const slow = all.filter((said) => {
      const text = `${said} `.repeat(10_000 / said.length);
      return isSlow(() => dateIn(text, WEDNESDAY), 50);
    });
    assert.deepEqual(slow, []);
  });
});
