import assert from 'node:assert/strict';
import { fc, it as property } from '@fast-check/vitest';
import { describe, it } from 'vitest';
import { isLocale, isoTime, isZone, localOf, momentOf, plainTime } from '../src/zonedTime.ts';

const local = (text: string) => Date.parse(`${text}Z`);

describe('a time on the wall', () => {
  it('is what clocks show in the zone', () => {
    const at = Date.UTC(2026, 10, 18, 8, 30);
    assert.equal(
      plainTime(at, 'Europe/Berlin'),
      'Wednesday, 18 November 2026, 09:30, Europe/Berlin (UTC+01:00)',
    );
    assert.equal(isoTime(at, 'America/St_Johns'), '2026-11-18T05:00:00-03:30');
    assert.equal(isoTime(at, 'UTC'), '2026-11-18T08:30:00+00:00');
  });

  for (const [what, zone, shown, moment, is] of [
    ['that clocks show once', 'Europe/Berlin', '2026-11-18T09:30', '2026-11-18T08:30Z', 'once'],
    ['past which they are put forward', 'Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:00Z', 'skipped'],
    ['that they show twice', 'Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30Z', 'twice'],
    [
      'past which half an hour is left out',
      'Australia/Lord_Howe',
      '2026-10-04T02:10',
      '2026-10-03T15:30Z',
      'skipped',
    ],
    ['of a day that was left out', 'Pacific/Apia', '2011-12-30T12:00', '2011-12-30T10:00Z', 'skipped'],
  ] as const)
    it(`${what} is one moment`, () =>
      assert.deepEqual(momentOf(local(shown), zone), { at: Date.parse(moment), is }));
});

const zone = fc.constantFrom(
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'UTC',
);
const moment = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2060, 0) });

property.prop([zone, moment])(
  'a moment is found again by what clocks showed, or by the first that did',
  (in_, at) => {
    const shown = localOf(at, in_);
    const found = momentOf(shown, in_);
    assert.notEqual(found.is, 'skipped');
    assert.equal(localOf(found.at, in_), shown);
    assert.ok(found.at === at || (found.is === 'twice' && found.at < at));
  },
);

describe('a zone', () => {
  it('is a name that knows of summer time', () => {
    for (const one of ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Etc/GMT+5'])
      assert.equal(isZone(one), true, one);
    for (const one of ['', 'Mars/Olympus', '+02:00', '02:00', 'Europe'])
      assert.equal(isZone(one), false, one);
  });

  it('goes with a locale', () => {
    assert.deepEqual(['de', 'en-GB', 'en_GB', ''].map(isLocale), [true, true, false, false]);
  });
});
