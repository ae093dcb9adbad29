import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { CliFailure } from '../../../src/interfaces/cli/failure.ts';
import { parseMoment } from '../../../src/interfaces/cli/moment.ts';

const now = Date.parse('2026-03-04T05:06:07Z');
const hour = 3_600_000;

const times: Readonly<Record<string, number>> = {
  '1767322800000': 1_767_322_800_000,
  '2026-01-02T03:04:05Z': Date.parse('2026-01-02T03:04:05Z'),
  '2026-01-02T03:04:05.678+02:00': Date.parse('2026-01-02T01:04:05.678Z'),
  '2026-01-02 03:04Z': Date.parse('2026-01-02T03:04:00Z'),
  '2026-01-02T03:04': new Date(2026, 0, 2, 3, 4).getTime(),
  '2026-01-02': new Date(2026, 0, 2).getTime(),
  '2h ago': now - 2 * hour,
  '90 minutes ago': now - 1.5 * hour,
  '1.5h ago': now - 1.5 * hour,
  '45s ago': now - 45_000,
  ' 3 days ago ': now - 72 * hour,
  '1w ago': now - 168 * hour,
};

describe('a moment', () => {
  for (const [text, at] of Object.entries(times)) {
    test(`${text} is a time`, () => assert.deepEqual(parseMoment(text, now), { kind: 'time', at }));
  }
  test('now is the end of the log, whatever any clock says', () =>
    assert.deepEqual(parseMoment(' now ', now), { kind: 'now' }));
  for (const text of ['0', '1', '99999999999']) {
    test(`${text} is a position`, () =>
      assert.deepEqual(parseMoment(text, now), { kind: 'position', position: Number(text) }));
  }
  for (const text of ['', 'tomorrow', '-1', '1.5', '2 ago', '2h', '2026-13-40', '1e9', '0x10']) {
    test(`${text || 'nothing'} is none`, () =>
      assert.throws(
        () => parseMoment(text, now),
        (error) => error instanceof CliFailure && error.exitCode === 64,
      ));
  }
});
