import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { faultOfExpression, nextAfter } from '../src/recurrence.ts';

/** The first moments at which it is due after another. */
function next(expression: string, timezone: string, after: string, count: number): string[] {
  const found: string[] = [];
  for (let at = Date.parse(after); found.length < count; ) {
    const due = nextAfter({ type: 'cron', expression, timezone }, at, at);
    if (due === null) break;
    found.push(new Date(due).toISOString().replace(':00.000Z', 'Z'));
    at = due;
  }
  return found;
}

describe('a cron expression', () => {
  test('is read in its zone', () => {
    assert.deepEqual(next('30 7 * * 1-5', 'America/New_York', '2026-07-03T12:00Z', 2), [
      '2026-07-06T11:30Z',
      '2026-07-07T11:30Z',
    ]);
    assert.deepEqual(next('@daily', 'UTC', '2026-01-01T00:00Z', 1), ['2026-01-02T00:00Z']);
    assert.deepEqual(next('*/20 * * * * *', 'UTC', '2026-01-01T00:00:19.999Z', 2), [
      '2026-01-01T00:00:20.000Z',
      '2026-01-01T00:00:40.000Z',
    ]);
    assert.deepEqual(next('0 0 29 2 *', 'UTC', '2026-01-01T00:00Z', 2), [
      '2028-02-29T00:00Z',
      '2032-02-29T00:00Z',
    ]);
  });

  describe('when the clock is put forward', () => {
    // Berlin, 29 March 2026: 02:00 becomes 03:00, at 01:00 UTC.
    test('a time of the day that is left out comes at the end of the gap', () => {
      assert.deepEqual(next('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', 2), [
        '2026-03-29T01:00Z',
        '2026-03-30T00:30Z',
      ]);
    });
    test('several such times come there once, and so do they with the time at its end', () => {
      assert.deepEqual(next('0,30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', 2), [
        '2026-03-29T01:00Z',
        '2026-03-30T00:00Z',
      ]);
      assert.deepEqual(next('0 2,3 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', 2), [
        '2026-03-29T01:00Z',
        '2026-03-30T00:00Z',
      ]);
    });
    test('what comes every so often goes on by the hour', () => {
      assert.deepEqual(next('*/30 * * * *', 'Europe/Berlin', '2026-03-29T00:15Z', 3), [
        '2026-03-29T00:30Z',
        '2026-03-29T01:00Z',
        '2026-03-29T01:30Z',
      ]);
    });
    test('midnight too may be left out', () => {
      // São Paulo, 4 November 2018: 00:00 becomes 01:00.
      assert.deepEqual(next('0 0 * * *', 'America/Sao_Paulo', '2018-11-03T12:00Z', 2), [
        '2018-11-04T03:00Z',
        '2018-11-05T02:00Z',
      ]);
    });
    test('by half an hour', () => {
      // Lord Howe, 4 October 2026: 02:00 becomes 02:30, at 15:30 UTC.
      assert.deepEqual(next('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00Z', 1), [
        '2026-10-03T15:30Z',
      ]);
    });
  });

  describe('when the clock is put back', () => {
    // Berlin, 25 October 2026: 03:00 becomes 02:00, at 01:00 UTC.
    test('a time of the day that comes twice counts the first time', () => {
      assert.deepEqual(next('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', 2), [
        '2026-10-25T00:30Z',
        '2026-10-26T01:30Z',
      ]);
    });
    test('what comes every so often comes in both hours', () => {
      assert.deepEqual(next('*/30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', 5), [
        '2026-10-25T00:00Z',
        '2026-10-25T00:30Z',
        '2026-10-25T01:00Z',
        '2026-10-25T01:30Z',
        '2026-10-26T01:00Z',
      ]);
    });
  });

  test('that cannot be read says what is wrong', () => {
    assert.equal(faultOfExpression('* * * * *'), undefined);
    for (const wrong of [
      '',
      '* * * *',
      '61 * * * *',
      '* 24 * * *',
      'soon',
      '* * * * * * * *',
      '*/0 * * * *',
      '5-1 * * * *',
      '2030-01-01T00:00:00',
      '00:00',
    ])
      assert.equal(typeof faultOfExpression(wrong), 'string', wrong);
  });

  test('that is wrong names the field, as it was written, and what may stand there', () => {
    for (const [wrong, fault] of [
      ['0 0 1 13 *', 'the month "13" does not fit: 1 to 12, or JAN to DEC'],
      ['0 0 0 1 *', 'the day "0" does not fit: 1 to 31, L, or as in 15W'],
      ['0 0 99W * *', 'the day "99W" does not fit: 1 to 31, L, or as in 15W'],
      ['0 25 1 1 *', 'the hour "25" does not fit: 0 to 23'],
      ['1-99 * * * *', 'the minute "1-99" does not fit: 0 to 59'],
      ['-1 * * * *', 'the minute "-1" does not fit: 0 to 59'],
      ['1,,2 * * * *', 'the minute "1,,2" does not fit: 0 to 59'],
      ['* * * * mun', 'the weekday "mun" does not fit: 0 to 7, SUN to SAT, or as in 5L and 5#2'],
      ['0 0 * * 1#9', 'the weekday "1#9" does not fit: 0 to 7, SUN to SAT, or as in 5L and 5#2'],
      ['x * * * * *', 'the second "x" does not fit: 0 to 59'],
      ['0 0 0 1 1 * abc', 'the year "abc" does not fit: 1 to 9999'],
      ['* *  *', 'it has 3 fields, not five, six with seconds first, or seven with years last'],
      ['@dayly', 'there are @yearly, @monthly, @weekly, @daily and @hourly'],
      ['@reboot', 'there are @yearly, @monthly, @weekly, @daily and @hourly'],
      ['00:00', 'a moment is for once schedules'],
    ] as const)
      assert.equal(faultOfExpression(wrong), fault, wrong);
  });

  test('that never comes is told from one that does', () => {
    const after = Date.UTC(2026, 0, 1);
    assert.equal(nextAfter({ type: 'cron', expression: '0 0 30 2 *' }, after, after), null);
    assert.equal(nextAfter({ type: 'cron', expression: '0 0 0 1 1 * 2020' }, after, after), null);
  });
});

test('an interval counts from where it began, whenever one looks', () => {
  const every = { type: 'interval', intervalMs: 1_000 } as const;
  assert.equal(nextAfter(every, 5_000, 5_000), 6_000);
  assert.equal(nextAfter(every, 5_999, 5_000), 6_000);
  assert.equal(nextAfter(every, 6_000, 5_000), 7_000);
  assert.equal(nextAfter(every, 1_234_567, 5_001), 1_235_001);
  // A clock that went back.
  assert.equal(nextAfter(every, 2_500, 5_000), 3_000);
  assert.equal(nextAfter(every, 8.64e15, 0), null);
});

test('once is due once', () => {
  assert.equal(nextAfter({ type: 'once', atTimestamp: 10 }, 9, 0), 10);
  assert.equal(nextAfter({ type: 'once', atTimestamp: 10 }, 10, 0), null);
});
