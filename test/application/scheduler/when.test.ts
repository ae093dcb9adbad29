import assert from 'node:assert/strict';
import { fc, it as property } from '@fast-check/vitest';
import { describe, it } from 'vitest';
import { understoodMoment, understoodRecurrence } from '../../../src/application/scheduler/when.ts';
import { nextAfter } from '../../../src/recurrence.ts';
import { isoTime } from '../../../src/zonedTime.ts';

const BERLIN = { timezone: 'Europe/Berlin', locale: 'en-GB' };
const at = (text: string) => Date.parse(text);

function once(text: string, now: string, habits = BERLIN) {
  const { schedule, notes } = understoodMoment(text, at(now), habits);
  assert(schedule.type === 'once');
  return { at: isoTime(schedule.atTimestamp, habits.timezone), notes };
}

function refused(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert(error instanceof Error);
    return error.message;
  }
  return assert.fail('It was understood');
}

describe('words for a moment', () => {
  it('mean what has to pass, whatever clocks do meanwhile', () => {
    assert.equal(once('in 20 minutes', '2026-03-29T01:50+01:00').at, '2026-03-29T03:10:00+02:00');
    assert.equal(once('in 20 minutes', '2026-10-25T02:50+02:00').at, '2026-10-25T02:10:00+01:00');
    assert.equal(once('in 20 minutes', '2026-10-25T02:50+01:00').at, '2026-10-25T03:10:00+01:00');
    assert.equal(once('in 24 hours', '2026-03-28T12:00+01:00').at, '2026-03-29T13:00:00+02:00');
  });

  it('mean the same time of the day on another day', () => {
    assert.equal(once('in 1 day', '2026-03-28T12:00+01:00').at, '2026-03-29T12:00:00+02:00');
    assert.equal(once('tomorrow at 9am', '2026-10-24T12:00+02:00').at, '2026-10-25T09:00:00+01:00');
  });

  it('tell what was made of a time that clocks leave out, or show twice', () => {
    assert.deepEqual(once('tomorrow at 02:30', '2026-03-28T12:00+01:00'), {
      at: '2026-03-29T03:00:00+02:00',
      notes: ['clocks are put forward past 02:30 on that day: 03:00 was taken'],
    });
    assert.deepEqual(once('tomorrow at 02:30', '2026-10-24T12:00+02:00'), {
      at: '2026-10-25T02:30:00+02:00',
      notes: ['clocks show 02:30 twice on that day: the first was taken'],
    });
  });

  it('tell what could have been meant otherwise', () => {
    const nine = once('at 9', '2026-11-18T09:30+01:00');
    assert.equal(nine.at, '2026-11-18T21:00:00+01:00');
    assert.match(nine.notes.join(), /09:00 or 21:00/);
    assert.match(
      once('next Friday', '2026-11-18T09:30+01:00').notes.join(),
      /week after this.*9:00 was taken/,
    );
    assert.match(once('3/4 at noon', '2026-01-18T09:30+01:00').notes.join(), /2026-04-03/);
    assert.match(
      once('3/4 at noon', '2026-01-18T09:30+01:00', { ...BERLIN, locale: 'en-US' }).notes.join(),
      /2026-03-04/,
    );
    assert.deepEqual(once('tomorrow at 9am', '2026-11-18T09:30+01:00').notes, []);
  });

  it('are refused with the reason', () => {
    const of = (text: string) => refused(() => understoodMoment(text, at('2026-11-18T09:30+01:00'), BERLIN));
    assert.match(of('31 February'), /There is no 31 February/);
    assert.match(of('today at 8am'), /in the past.*Wednesday,? 18 November 2026.*08:00/);
    assert.match(of('2020-01-01'), /in the past/);
    assert.match(of('Friday, 21 November'), /another day of the week/);
    assert.match(of('when pigs fly'), /"tomorrow 9am"/);
    assert.match(of('in 999999 years'), /too far in the future/);
    assert.match(of(`tomorrow${' '.repeat(300)}9am`), /not understood/);
  });
});

describe('words for what comes again', () => {
  it('keep the time of the day when clocks change', () => {
    const { schedule, words } = understoodRecurrence('weekdays at 7', at('2026-03-26T12:00+01:00'), BERLIN);
    const due: string[] = [];
    for (let now = at('2026-03-26T12:00+01:00'); due.length < 3; ) {
      now = nextAfter(schedule, now, now) ?? assert.fail('It is never due');
      due.push(isoTime(now, 'Europe/Berlin'));
    }
    assert.deepEqual(due, [
      '2026-03-27T07:00:00+01:00',
      '2026-03-30T07:00:00+02:00',
      '2026-03-31T07:00:00+02:00',
    ]);
    assert.equal(words, 'every Monday, Tuesday, Wednesday, Thursday and Friday at 07:00');
  });

  it('may begin at a time', () => {
    const now = at('2026-11-18T09:30+01:00');
    const { firstAt, schedule, notes } = understoodRecurrence('2 days at 9am', now, BERLIN);
    assert.deepEqual(schedule, { type: 'interval', intervalMs: 172_800_000 });
    assert.equal(firstAt, at('2026-11-19T09:00+01:00'));
    assert.match(notes.join(), /hour off/);
  });

  it('are refused with the reason', () => {
    const of = (text: string) =>
      refused(() => understoodRecurrence(text, at('2026-11-18T09:30+01:00'), BERLIN));
    assert.match(of('blue moon'), /"weekdays at 7"/);
    assert.match(of('day at 8:15 and 20:00'), /tasks of their own/);
    assert.match(of('0 seconds'), /a second at least/);
  });
});

const words = fc.constantFrom(
  ...'in at 9 20 minutes tomorrow next friday every day 31 february 2026-11-20 am : noon half past five to the um morgen à a week'.split(
    ' ',
  ),
);
property.prop([fc.array(words, { maxLength: 8 }), fc.constantFrom('en', 'de-DE', 'fr', 'es')])(
  'whatever is written, it is a moment that lies ahead, or refused in words',
  (some, locale) => {
    const now = at('2026-11-18T09:30+01:00');
    for (const read of [understoodMoment, understoodRecurrence]) {
      try {
        const { schedule, firstAt = now } = read(some.join(' '), now, { ...BERLIN, locale });
        assert.ok(firstAt >= now);
        if (schedule.type === 'once') assert.ok(schedule.atTimestamp >= now - 1_000);
        else assert.ok((nextAfter(schedule, now, now) ?? Number.NaN) > now);
      } catch (error) {
        assert.match(String(error), /is not understood|in the past|too far/);
      }
    }
  },
);
