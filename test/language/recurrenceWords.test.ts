import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { readRecurrence } from '../../src/language/when/recurrence.ts';
import { nextInWords, type Recurrence, recurrenceInWords } from '../../src/language/when/recurrenceWords.ts';

const MINUTE_MS = 60_000;
const NINE = ['09:00'];
const NOW = Date.UTC(2026, 10, 18, 9, 30);

const told: readonly (readonly [Recurrence, en: string, de: string, fr: string, es: string])[] = [
  [{ spanMs: MINUTE_MS }, 'every minute', 'jede Minute', 'toutes les minutes', 'cada minuto'],
  [{ spanMs: 90_000 }, 'every 90 seconds', 'alle 90 Sekunden', 'toutes les 90 secondes', 'cada 90 segundos'],
  [{ spanMs: 120 * MINUTE_MS }, 'every 2 hours', 'alle 2 Stunden', 'toutes les 2 heures', 'cada 2 horas'],
  [{ spanMs: 2880 * MINUTE_MS }, 'every 2 days', 'alle 2 Tage', 'tous les 2 jours', 'cada 2 días'],
  [
    { on: 'day', at: ['07:00', '19:00'] },
    'every day at 07:00 and 19:00',
    'jeden Tag um 07:00 und 19:00',
    'tous les jours à 07:00 et 19:00',
    'cada día a las 07:00 y 19:00',
  ],
  [
    { on: 'weekdays', weekdays: [0, 1, 4], at: NINE },
    'every Sunday, Monday and Thursday at 09:00',
    'jeden Sonntag, Montag und Donnerstag um 09:00',
    'chaque dimanche, lundi et jeudi à 09:00',
    'cada domingo, lunes y jueves a las 09:00',
  ],
  [
    { on: 'rank', rank: 2, weekday: 1, at: NINE },
    'on the second Monday of every month at 09:00',
    'am zweiten Montag jedes Monats um 09:00',
    'le deuxième lundi de chaque mois à 09:00',
    'el segundo lunes de cada mes a las 09:00',
  ],
  [
    { on: 'rank', rank: -1, weekday: 5, at: NINE },
    'on the last Friday of every month at 09:00',
    'am letzten Freitag jedes Monats um 09:00',
    'le dernier vendredi de chaque mois à 09:00',
    'el último viernes de cada mes a las 09:00',
  ],
  [
    { on: 'lastDayOfMonth', at: NINE },
    'on the last day of every month at 09:00',
    'am letzten Tag jedes Monats um 09:00',
    'le dernier jour de chaque mois à 09:00',
    'el último día de cada mes a las 09:00',
  ],
  [
    { on: 'months', step: 1, day: 3, at: NINE },
    'every month on the 3rd at 09:00',
    'jeden Monat am 3. um 09:00',
    'chaque mois le 3 à 09:00',
    'cada mes el día 3 a las 09:00',
  ],
  [
    { on: 'date', month: 5, day: 3, at: NINE },
    'every year on 3 May at 09:00',
    'jedes Jahr am 3. Mai um 09:00',
    'chaque année le 3 mai à 09:00',
    'cada año el 3 de mayo a las 09:00',
  ],
];

describe('what comes again is told in words', () => {
  for (const [recurrence, ...words] of told)
    for (const [index, locale] of ['en-US', 'de-AT', 'fr', 'es'].entries()) {
      const expected = words[index] ?? '';
      it(`"${expected}" (${locale}), which is read as it was meant`, () => {
        assert.equal(recurrenceInWords(recurrence, locale), expected);
        const read = readRecurrence(expected, NOW, { languages: [locale], monthFirst: locale === 'en-US' });
        assert.deepEqual(read && 'recurrence' in read ? read.recurrence : read, recurrence);
      });
    }

  it('every so many months, with the first of them', () => {
    const quarterly = { on: 'months', step: 3, day: 22, at: NINE } as const;
    assert.equal(recurrenceInWords(quarterly, 'en'), 'every 3 months on the 22nd at 09:00');
    assert.equal(recurrenceInWords(quarterly, 'de'), 'alle 3 Monate am 22. um 09:00');
    assert.equal(recurrenceInWords(quarterly, 'fr'), 'tous les 3 mois le 22 à 09:00');
    assert.equal(recurrenceInWords(quarterly, 'es'), 'cada 3 meses el día 22 a las 09:00');
  });

  it('in English for who reads another language, with the next time', () => {
    assert.equal(recurrenceInWords({ spanMs: MINUTE_MS }, 'pt-BR'), 'every minute');
    assert.equal(nextInWords('every minute', '9:00', 'pt-BR'), 'every minute; next: 9:00');
    assert.equal(nextInWords('jede Minute', '9:00', 'de'), 'jede Minute; das nächste Mal: 9:00');
  });
});
