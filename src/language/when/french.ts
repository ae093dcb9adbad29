import type { Vocabulary } from './vocabulary.ts';

const SMALL =
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit ' +
  'dix-neuf';
const TENS = 'vingt trente quarante cinquante soixante';

function numbers(): Record<string, number> {
  const small = SMALL.split(' ');
  const all: Record<string, number> = { une: 1 };
  small.forEach((word, value) => {
    all[word] = value;
  });
  TENS.split(' ').forEach((ten, index) => {
    const value = (index + 2) * 10;
    all[ten] = value;
    for (const one of ['un', 'une']) all[`${ten} et ${one}`] = value + 1;
    small.slice(2, 10).forEach((word, one) => {
      all[`${ten}-${word}`] = value + one + 2;
    });
  });
  return all;
}

export const french: Vocabulary = {
  numbers: numbers(),
  fillers: "s'il te plaît|s'il vous plaît|rappelle-moi|le|la|les|à|au|du|de|vers|pour",
  and: 'et',
  at: 'à|vers',
  in: "dans|d'ici|après",
  later: 'plus tard',
  ago: '',
  andHalf: 'et demie?',
  pieces: [
    ['(?:une )?demi[- ]heure', 30],
    ["(?:un )?quart d'heure", 15],
    ["trois quarts d'heure", 45],
  ],
  units: {
    second: 'secondes?|s',
    minute: 'minutes?|min|mn',
    hour: 'heures?|h',
    day: 'jours?|j',
    week: 'semaines?',
    month: 'mois',
    year: 'ans?|années?',
  },
  days: [
    ['après[- ]demain', 2],
    ['demain midi', 1, 'noon'],
    ['demain', 1],
    ["aujourd'hui", 0],
    ['ce matin', 0, 'morning'],
    ['ce midi', 0, 'noon'],
    ['cet après[- ]midi', 0, 'afternoon'],
    ['ce soir', 0, 'evening'],
    ['cette nuit', 0, 'night'],
    ['avant[- ]hier', -2],
    ['hier', -1],
  ],
  weekdays: ['dimanches?', 'lundis?', 'mardis?', 'mercredis?', 'jeudis?', 'vendredis?', 'samedis?'],
  months: [
    'janv(?:ier)?\\.?',
    'févr?(?:ier)?\\.?',
    'mars',
    'avr(?:il)?\\.?',
    'mai',
    'juin',
    'juil(?:let)?\\.?',
    'août',
    'sept(?:embre)?\\.?',
    'oct(?:obre)?\\.?',
    'nov(?:embre)?\\.?',
    'déc(?:embre)?\\.?',
  ],
  next: 'prochaine?',
  nextBehind: 'prochaine?',
  this: 'ce|cette',
  last: 'dernière?',
  parts: [
    ['(?:du |le |au )?matins?', 'morning'],
    ['(?:à |le )?midi', 'noon'],
    ["(?:de l'|l'|dans l')?après[- ]midi", 'afternoon'],
    ['(?:du |le |au )?soirs?', 'evening'],
    ['(?:de |la )?nuit', 'night'],
    ['(?:à )?minuit', 'midnight'],
  ],
  partsOfWeekday: [],
  clock: 'h|heures?',
  spoken: [
    ['(?<h>#) ?(?:h|heures?) et demie?', 30],
    ['(?<h>#) ?(?:h|heures?) et quart', 15],
    ['(?<h>#) ?(?:h|heures?) moins le quart', -15],
    ['(?<h>#) ?(?:h|heures?) moins (?<m>#)', 'to'],
    ['(?<h>#) heures? (?<m>#)', 'past'],
    ['(?<h>#) heures?', 0],
  ],
  ordinal: 'er',
  dayOfMonth: 'le (?<d>\\d{1,2})(?:er)?',
  weeksFrom: '',
  of: 'du|de',
  every: 'chaque|tous les|toutes les',
  other: 'deux',
  weekday: 'jours? ouvrables?|jours? ouvrés?|en semaine|semaine',
  weekend: 'week-?ends?',
  to: 'au|à',
  adverbs: [
    ['quotidiennement', 'day'],
    ['hebdomadaire', 'week'],
    ['mensuel(?:lement)?', 'month'],
    ['annuel(?:lement)?', 'year'],
  ],
  ofMonth: '(?:du|de chaque|chaque) mois|tous les mois',
  lastDay: 'dernier jour',
  ranks: [
    ['premiers?|1er', 1],
    ['deuxièmes?|second', 2],
    ['troisièmes?', 3],
    ['quatrièmes?', 4],
    ['derniers?', -1],
  ],
};
