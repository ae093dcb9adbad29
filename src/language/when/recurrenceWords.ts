/** What comes again, before it is put into words; times of the day as "07:00". */
export type Recurrence =
  | { readonly spanMs: number }
  | ({ readonly at: readonly string[] } & (
      | { readonly on: 'day' | 'lastDayOfMonth' }
      /** From 0 for Sunday on. */
      | { readonly on: 'weekdays'; readonly weekdays: readonly number[] }
      /** The first to fourth of its kind in a month, and -1 for the last. */
      | { readonly on: 'rank'; readonly rank: number; readonly weekday: number }
      | { readonly on: 'months'; readonly step: number; readonly day: number }
      | { readonly on: 'date'; readonly month: number; readonly day: number }
    ));

type Unit = 'second' | 'minute' | 'hour' | 'day';

/** How a language tells it. */
interface RecurrencePhrases {
  span(count: number, unit: Unit): string;
  readonly lastDayOfMonth: string;
  weekdays(names: string): string;
  rank(which: 'first' | 'second' | 'third' | 'fourth' | 'last', weekday: string): string;
  months(step: number, day: number): string;
  date(date: string): string;
  at(times: string): string;
  /** `again` tells what comes again. */
  next(again: string, time: string): string;
}

const english: RecurrencePhrases = {
  span: (count, unit) => (count === 1 ? `every ${unit}` : `every ${count} ${unit}s`),
  lastDayOfMonth: 'on the last day of every month',
  weekdays: (names) => `every ${names}`,
  rank: (which, weekday) => `on the ${which} ${weekday} of every month`,
  months: (step, day) => `every ${step === 1 ? 'month' : `${step} months`} on the ${day}${ordinalEnd(day)}`,
  date: (date) => `every year on ${date}`,
  at: (times) => `at ${times}`,
  next: (again, time) => `${again}; next: ${time}`,
};

const ordinals = { one: 'st', two: 'nd', few: 'rd', other: 'th' } as const;
function ordinalEnd(day: number): string {
  const rule = new Intl.PluralRules('en', { type: 'ordinal' }).select(day);
  return Object.hasOwn(ordinals, rule) ? ordinals[rule as keyof typeof ordinals] : 'th';
}

const germanUnits = {
  second: ['jede Sekunde', 'Sekunden'],
  minute: ['jede Minute', 'Minuten'],
  hour: ['jede Stunde', 'Stunden'],
  day: ['jeden Tag', 'Tage'],
} as const;
const germanRanks = {
  first: 'ersten',
  second: 'zweiten',
  third: 'dritten',
  fourth: 'vierten',
  last: 'letzten',
} as const;
const german: RecurrencePhrases = {
  span: (count, unit) => (count === 1 ? germanUnits[unit][0] : `alle ${count} ${germanUnits[unit][1]}`),
  lastDayOfMonth: 'am letzten Tag jedes Monats',
  weekdays: (names) => `jeden ${names}`,
  rank: (which, weekday) => `am ${germanRanks[which]} ${weekday} jedes Monats`,
  months: (step, day) => `${step === 1 ? 'jeden Monat' : `alle ${step} Monate`} am ${day}.`,
  date: (date) => `jedes Jahr am ${date}`,
  at: (times) => `um ${times}`,
  next: (again, time) => `${again}; das nächste Mal: ${time}`,
};

const frenchUnits = { second: 'secondes', minute: 'minutes', hour: 'heures', day: 'jours' } as const;
const frenchRanks = {
  first: 'premier',
  second: 'deuxième',
  third: 'troisième',
  fourth: 'quatrième',
  last: 'dernier',
} as const;
const french: RecurrencePhrases = {
  span: (count, unit) =>
    `${unit === 'day' ? 'tous' : 'toutes'} les ${count === 1 ? '' : `${count} `}${frenchUnits[unit]}`,
  lastDayOfMonth: 'le dernier jour de chaque mois',
  weekdays: (names) => `chaque ${names}`,
  rank: (which, weekday) => `le ${frenchRanks[which]} ${weekday} de chaque mois`,
  months: (step, day) => `${step === 1 ? 'chaque mois' : `tous les ${step} mois`} le ${day}`,
  date: (date) => `chaque année le ${date}`,
  at: (times) => `à ${times}`,
  next: (again, time) => `${again} ; la prochaine fois : ${time}`,
};

const spanishUnits = {
  second: ['segundo', 'segundos'],
  minute: ['minuto', 'minutos'],
  hour: ['hora', 'horas'],
  day: ['día', 'días'],
} as const;
const spanishRanks = {
  first: 'primer',
  second: 'segundo',
  third: 'tercer',
  fourth: 'cuarto',
  last: 'último',
} as const;
const spanish: RecurrencePhrases = {
  span: (count, unit) =>
    count === 1 ? `cada ${spanishUnits[unit][0]}` : `cada ${count} ${spanishUnits[unit][1]}`,
  lastDayOfMonth: 'el último día de cada mes',
  weekdays: (names) => `cada ${names}`,
  rank: (which, weekday) => `el ${spanishRanks[which]} ${weekday} de cada mes`,
  months: (step, day) => `cada ${step === 1 ? 'mes' : `${step} meses`} el día ${day}`,
  date: (date) => `cada año el ${date}`,
  at: (times) => `a las ${times}`,
  next: (again, time) => `${again}; la próxima vez: ${time}`,
};

/** With the region in whose way days and lists are written. */
const languages: Readonly<Record<string, readonly [RecurrencePhrases, string]>> = {
  de: [german, 'de'],
  fr: [french, 'fr'],
  es: [spanish, 'es'],
};

const UNITS_MS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;
const RANKS = ['first', 'second', 'third', 'fourth'] as const;

/** In the language of this locale; in English where there are no words for it. */
export function recurrenceInWords(recurrence: Recurrence, locale: string): string {
  const [phrases, written] = phrasesOf(locale);
  if ('spanMs' in recurrence) return spanInWords(recurrence.spanMs, phrases);
  const list = (items: readonly string[]) => new Intl.ListFormat(written).format(items);
  return `${daysInWords(recurrence, phrases, written, list)} ${phrases.at(list(recurrence.at))}`;
}

/** With the next time of what comes `again`. */
export function nextInWords(again: string, time: string, locale: string): string {
  return phrasesOf(locale)[0].next(again, time);
}

function phrasesOf(locale: string): readonly [RecurrencePhrases, string] {
  return languages[locale.slice(0, 2).toLowerCase()] ?? [english, 'en-GB'];
}

function spanInWords(spanMs: number, { span }: RecurrencePhrases): string {
  for (const [unit, ms] of UNITS_MS) if (spanMs % ms === 0) return span(spanMs / ms, unit);
  return span(spanMs / 1_000, 'second');
}

function daysInWords(
  recurrence: Exclude<Recurrence, { readonly spanMs: number }>,
  phrases: RecurrencePhrases,
  written: string,
  list: (items: readonly string[]) => string,
): string {
  // A Sunday, in a year in which all days are.
  const nameOf = (weekday: number) =>
    new Intl.DateTimeFormat(written, { weekday: 'long', timeZone: 'UTC' }).format(
      Date.UTC(2024, 0, 7 + weekday),
    );
  switch (recurrence.on) {
    case 'day':
      return phrases.span(1, 'day');
    case 'lastDayOfMonth':
      return phrases.lastDayOfMonth;
    case 'weekdays':
      return phrases.weekdays(list(recurrence.weekdays.map(nameOf)));
    case 'rank':
      return phrases.rank(RANKS[recurrence.rank - 1] ?? 'last', nameOf(recurrence.weekday));
    case 'months':
      return phrases.months(recurrence.step, recurrence.day);
    case 'date':
      return phrases.date(
        new Intl.DateTimeFormat(written, { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
          Date.UTC(2024, recurrence.month - 1, recurrence.day),
        ),
      );
  }
}
