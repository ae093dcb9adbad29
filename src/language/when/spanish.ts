import type { Vocabulary } from './vocabulary.ts';

const SMALL =
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete ' +
  'dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete ' +
  'veintiocho veintinueve';
const TENS = 'treinta cuarenta cincuenta sesenta';

function numbers(): Record<string, number> {
  const small = SMALL.split(' ');
  const all: Record<string, number> = { un: 1, una: 1 };
  small.forEach((word, value) => {
    all[word] = value;
  });
  TENS.split(' ').forEach((ten, index) => {
    const value = (index + 3) * 10;
    all[ten] = value;
    small.slice(1, 10).forEach((word, one) => {
      all[`${ten} y ${word}`] = value + one + 1;
    });
  });
  return all;
}

export const spanish: Vocabulary = {
  numbers: numbers(),
  fillers: 'por favor|recuérdame|el|la|las|los|a|al|de|sobre|para|día',
  and: 'y',
  at: 'a las|a la|a|sobre las|las|la',
  in: 'en|dentro de|después de',
  later: 'más tarde|después',
  ago: '',
  andHalf: 'y media',
  pieces: [
    ['media hora', 30],
    ['(?:un )?cuarto de hora', 15],
    ['tres cuartos de hora', 45],
  ],
  units: {
    second: 'segundos?|s',
    minute: 'minutos?|min|m',
    hour: 'horas?|h',
    day: 'días?',
    week: 'semanas?',
    month: 'mes(?:es)?',
    year: 'años?',
  },
  days: [
    ['pasado mañana', 2],
    ['mañana', 1],
    ['hoy', 0],
    ['esta mañana', 0, 'morning'],
    ['esta tarde', 0, 'afternoon'],
    ['esta noche', 0, 'night'],
    ['anteayer', -2],
    ['ayer', -1],
  ],
  weekdays: [
    'dom(?:ingos?)?',
    'lun(?:es)?',
    'mar(?:tes)?',
    'mié(?:rcoles)?|miercoles',
    'jue(?:ves)?',
    'vie(?:rnes)?',
    'sáb(?:ados?)?|sabados?',
  ],
  months: [
    'ene(?:ro)?',
    'feb(?:rero)?',
    'marzo',
    'abr(?:il)?',
    'mayo',
    'jun(?:io)?',
    'jul(?:io)?',
    'ago(?:sto)?',
    'sept?(?:iembre)?|setiembre',
    'oct(?:ubre)?',
    'nov(?:iembre)?',
    'dic(?:iembre)?',
  ],
  next: 'próxim[oa]',
  nextBehind: 'que viene|próxim[oa]',
  this: 'este|esta',
  last: 'pasad[oa]|últim[oa]',
  parts: [
    ['(?:por|de|en) la mañana|mañanas', 'morning'],
    ['(?:a|al) ?mediodía|mediodía', 'noon'],
    ['(?:por|de|en) la tarde|tardes', 'afternoon'],
    ['(?:por|de|en) la noche|noches', 'night'],
    ['(?:a )?medianoche', 'midnight'],
  ],
  partsOfWeekday: [],
  clock: 'h|horas?',
  spoken: [
    ['(?:a )?las? (?<h>#) y media', 30],
    ['(?:a )?las? (?<h>#) y cuarto', 15],
    ['(?:a )?las? (?<h>#) menos cuarto', -15],
    ['(?:a )?las? (?<h>#) menos (?<m>#)', 'to'],
    ['(?:a )?las? (?<h>#) y (?<m>#)', 'past'],
  ],
  ordinal: 'º',
  dayOfMonth: 'el (?:día )?(?<d>\\d{1,2})',
  weeksFrom: '',
  of: 'de|del',
  every: 'cada|todos los|todas las|todo',
  morning: 'mañanas?',
  other: 'dos',
  weekday: 'días? laborables?|días? hábiles|entre semana|laborables',
  weekend: 'fin(?:es)? de semana',
  to: 'a',
  adverbs: [
    ['diariamente|a diario', 'day'],
    ['semanalmente', 'week'],
    ['mensualmente', 'month'],
    ['anualmente', 'year'],
  ],
  ofMonth: '(?:del|de cada|cada) mes|todos los meses',
  lastDay: 'último día',
  ranks: [
    ['primer[oa]?', 1],
    ['segund[oa]', 2],
    ['tercer[oa]?', 3],
    ['cuart[oa]', 4],
    ['últim[oa]', -1],
  ],
};
