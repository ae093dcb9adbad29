import type { Vocabulary } from './vocabulary.ts';

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen';
const TENS = 'twenty thirty forty fifty sixty';

function numbers(): Record<string, number> {
  const small = SMALL.split(' ');
  const all: Record<string, number> = { a: 1, an: 1, 'a couple of': 2, 'a few': 3 };
  small.forEach((word, value) => {
    all[word] = value;
  });
  TENS.split(' ').forEach((ten, index) => {
    const value = (index + 2) * 10;
    all[ten] = value;
    for (const [one, word] of small.slice(1, 10).entries())
      for (const between of ['-', ' ']) all[`${ten}${between}${word}`] = value + one + 1;
  });
  return all;
}

export const english: Vocabulary = {
  numbers: numbers(),
  fillers: "please|remind me|on|at|by|the|for|around|about|o'?clock|sharp|of",
  and: 'and',
  at: 'at|by|around',
  in: 'in|after|within',
  later: 'from now|later',
  ago: 'ago',
  andHalf: 'and a half',
  pieces: [
    ['half an hour|a half hour|half hour|half hours', 30],
    ['(?:a )?quarter of an hour|(?:a )?quarter hour', 15],
    ['three quarters of an hour', 45],
  ],
  units: {
    second: 'seconds?|secs?|s',
    minute: 'minutes?|mins?|m',
    hour: 'hours?|hrs?|h',
    day: 'days?|d',
    week: 'weeks?|wks?|w',
    month: 'months?',
    year: 'years?',
  },
  days: [
    ['(?:the )?day after tomorrow', 2],
    ['tomorrow|tmrw|tmr|2moro', 1],
    ['today', 0],
    ['tonight', 0, 'tonight'],
    ['this morning', 0, 'morning'],
    ['this afternoon', 0, 'afternoon'],
    ['this evening', 0, 'evening'],
    ['yesterday', -1],
    ['last night', -1, 'night'],
  ],
  weekdays: [
    'sun(?:day)?',
    'mon(?:day)?',
    'tue(?:s(?:day)?)?',
    'wed(?:nesday|s)?',
    'thu(?:rs?(?:day)?)?',
    'fri(?:day)?',
    'sat(?:urday)?',
  ],
  months: [
    'jan(?:uary)?',
    'feb(?:ruary)?',
    'mar(?:ch)?',
    'apr(?:il)?',
    'may',
    'june?',
    'july?',
    'aug(?:ust)?',
    'sept?(?:ember)?',
    'oct(?:ober)?',
    'nov(?:ember)?',
    'dec(?:ember)?',
  ],
  next: 'next',
  nextBehind: '',
  this: 'this|coming|this coming',
  last: 'last',
  parts: [
    ['(?:in )?(?:the )?mornings?', 'morning'],
    ['(?:at )?noon|midday|lunchtime', 'noon'],
    ['(?:in )?(?:the )?afternoons?', 'afternoon'],
    ['(?:in )?(?:the )?evenings?|end of (?:the )?day', 'evening'],
    ['(?:at )?nights?', 'night'],
    ['(?:at )?midnight', 'midnight'],
  ],
  partsOfWeekday: [],
  clock: '',
  spoken: [
    ['half past (?<h>#)', 30],
    ['(?:a )?quarter past (?<h>#)', 15],
    ['(?:a )?quarter to (?<h>#)', -15],
    ['(?<m>#)(?: minutes)? past (?<h>#)', 'past'],
    ['(?<m>#)(?: minutes)? to (?<h>#)', 'to'],
    ["(?<h>#) o'?clock", 0],
  ],
  ordinal: 'st|nd|rd|th',
  dayOfMonth: '(?:the )?(?<d>\\d{1,2})(?:st|nd|rd|th)',
  weeksFrom: 'from|after',
  of: 'of',
  every: 'every|each|all',
  other: 'other',
  weekday: 'weekdays?|work ?days?|working days?|business days?',
  weekend: 'weekends?',
  to: 'to|through|until|till|-',
  adverbs: [
    ['hourly', 'hour'],
    ['daily|every ?day', 'day'],
    ['weekly', 'week'],
    ['monthly', 'month'],
    ['yearly|annually', 'year'],
  ],
  ofMonth: '(?:of|in) (?:the|each|every|a) month|(?:each|every|a) month|monthly',
  lastDay: 'last day',
  ranks: [
    ['first|1st', 1],
    ['second|2nd', 2],
    ['third|3rd', 3],
    ['fourth|4th', 4],
    ['last', -1],
  ],
};
