import type { Vocabulary } from './vocabulary.ts';

const SMALL =
  'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn ' +
  'achtzehn neunzehn';
const TENS = 'zwanzig dreißig vierzig fünfzig sechzig';

function numbers(): Record<string, number> {
  const small = SMALL.split(' ');
  const all: Record<string, number> = { ein: 1, eine: 1, einem: 1, einen: 1, einer: 1 };
  for (const word of ['anderthalb', 'eineinhalb']) all[word] = 1.5;
  all.zweieinhalb = 2.5;
  small.forEach((word, value) => {
    all[word] = value;
  });
  TENS.split(' ').forEach((ten, index) => {
    const value = (index + 2) * 10;
    all[ten] = value;
    small.slice(1, 10).forEach((word, one) => {
      all[`${word === 'eins' ? 'ein' : word}und${ten}`] = value + one + 1;
    });
  });
  return all;
}

export const german: Vocabulary = {
  numbers: numbers(),
  fillers: 'bitte|erinnere mich|am|um|den|der|die|das|gegen|an|ab|zu|uhr',
  and: 'und',
  at: 'um|gegen|ab',
  in: 'in|nach',
  later: 'später',
  ago: '',
  andHalf: 'und eine halbe',
  pieces: [
    ['(?:einer? )?halben? stunde', 30],
    ['(?:einer? )?viertelstunde', 15],
    ['(?:einer? )?dreiviertelstunde', 45],
  ],
  units: {
    second: 'sekunden?|sek|s',
    minute: 'minuten?|min|m',
    hour: 'stunden?|std|h',
    day: 'tage?n?',
    week: 'wochen?',
    month: 'monate?n?',
    year: 'jahre?n?',
  },
  days: [
    ['übermorgen', 2],
    ['morgen früh|morgen vormittag', 1, 'morning'],
    ['morgen', 1],
    ['heute morgen|heute früh|heute vormittag', 0, 'morning'],
    ['heute abend', 0, 'evening'],
    ['heute nacht', 0, 'night'],
    ['heute', 0],
    ['vorgestern', -2],
    ['gestern', -1],
  ],
  weekdays: [
    'sonntags?|so',
    'montags?|mo',
    'dienstags?|di',
    'mittwochs?|mi',
    'donnerstags?|do',
    'freitags?|fr',
    'samstags?|sonnabends?|sa',
  ],
  months: [
    'jan(?:uar)?|jänner',
    'feb(?:ruar)?',
    'märz|mär',
    'apr(?:il)?',
    'mai',
    'juni?',
    'juli?',
    'aug(?:ust)?',
    'sept?(?:ember)?',
    'okt(?:ober)?',
    'nov(?:ember)?',
    'dez(?:ember)?',
  ],
  next: 'nächste[nrs]?',
  nextBehind: '',
  this: 'diese[nrs]?|kommende[nrs]?',
  last: 'letzte[nrs]?|vergangene[nrs]?',
  parts: [
    ['am morgen|morgens|(?:am )?vormittags?|früh', 'morning'],
    ['(?:am )?mittags?', 'noon'],
    ['(?:am )?nachmittags?', 'afternoon'],
    ['(?:am )?abends?|feierabend', 'evening'],
    ['nachts?|in der nacht', 'night'],
    ['mitternacht', 'midnight'],
  ],
  partsOfWeekday: [
    ['morgens?|vormittags?|früh', 'morning'],
    ['mittags?', 'noon'],
    ['nachmittags?', 'afternoon'],
    ['abends?', 'evening'],
    ['nachts?', 'night'],
  ],
  clock: 'uhr',
  spoken: [
    ['halb (?<h>#)', -30],
    ['viertel nach (?<h>#)', 15],
    ['viertel vor (?<h>#)', -15],
    ['dreiviertel (?<h>#)', -15],
    ['(?<m>#)(?: minuten)? nach (?<h>#)', 'past'],
    ['(?<m>#)(?: minuten)? vor (?<h>#)', 'to'],
    ['(?<h>#) uhr', 0],
  ],
  ordinal: '\\.',
  dayOfMonth: '(?<d>\\d{1,2})\\.',
  weeksFrom: '',
  of: '',
  every: 'jede[nrsm]?|alle',
  morning: 'morgen',
  other: 'zweite[nrs]?',
  weekday: 'werktags?|werktage?n?|wochentags?|wochentage?n?|unter der woche',
  weekend: 'wochenenden?',
  to: 'bis',
  adverbs: [
    ['stündlich', 'hour'],
    ['täglich', 'day'],
    ['wöchentlich', 'week'],
    ['monatlich', 'month'],
    ['jährlich', 'year'],
  ],
  ofMonth: '(?:des|im|jede[ns]|eines jeden) monat(?:s|es)?|monatlich',
  lastDay: 'letzten? tag',
  ranks: [
    ['erste[nr]?|1\\.', 1],
    ['zweite[nr]?|2\\.', 2],
    ['dritte[nr]?|3\\.', 3],
    ['vierte[nr]?|4\\.', 4],
    ['letzte[nr]?', -1],
  ],
};
