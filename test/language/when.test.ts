import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { readMoment } from '../../src/language/when/moment.ts';
import { readRecurrence } from '../../src/language/when/recurrence.ts';
import { isSlow } from '../support/processorTime.ts';

const NOW = Date.UTC(2026, 10, 18, 9, 30);
const BERLIN_MS = 3_600_000;

function* phrasesOf(file: string) {
  let locale = 'en';
  for (const line of readFileSync(new URL(`${file}.txt`, import.meta.url), 'utf8').split('\n')) {
    const [said, meant] = line.split(' | ');
    if (line.startsWith('[')) locale = line.slice(1, -1);
    else if (said && meant) yield { locale, said, meant };
  }
}

const askedIn = (locale: string) => ({
  languages: [locale],
  monthFirst: locale === 'en' || locale === 'en-US',
});
const shown = (local: number) => new Date(local).toISOString().slice(0, 16).replace('T', ' ');

function moment(said: string, locale: string): string {
  const read = readMoment(said, NOW, askedIn(locale));
  if (!read || 'problem' in read) return '-';
  const local = 'instant' in read ? read.instant + BERLIN_MS : (read.local ?? NOW) + read.plusMs;
  return local < NOW ? 'past' : shown(local);
}

function recurrence(said: string, locale: string): string {
  const read = readRecurrence(said, NOW, askedIn(locale));
  if (!read || 'problem' in read) return '-';
  if ('expression' in read) return read.expression;
  const { intervalMs, firstLocal = NOW } = read;
  return intervalMs < 86_400_000 ? String(intervalMs) : `${intervalMs} @ ${shown(firstLocal)}`;
}

for (const [file, read] of [
  ['momentPhrases', moment],
  ['momentPhrasesLater', moment],
  ['recurrencePhrases', recurrence],
  ['recurrencePhrasesLater', recurrence],
] as const)
  describe(`what people write, on a Wednesday at half past nine (${file})`, () => {
    for (const { locale, said, meant } of phrasesOf(file))
      it(`"${said}" is ${meant} (${locale})`, () => assert.equal(read(said, locale), meant));
  });

it('is read in no time, whatever is repeated', () => {
  const all = ['momentPhrases', 'recurrencePhrases'].flatMap((file) => [...phrasesOf(file)]);
  const slow = all.filter(({ said, locale }) => {
    const text = `${said} `.repeat(200 / (said.length + 1));
    return isSlow(() => [moment(text, locale), recurrence(text, locale)], 50);
  });
  assert.deepEqual(slow, []);
});
