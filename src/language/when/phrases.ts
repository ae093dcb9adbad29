import {
  END,
  type FoundParts,
  LETTERS,
  NEVER,
  numberOf,
  numberPattern,
  once,
  type ParsedPhrase,
  type PhraseRule,
  rule,
  type ToldDate,
} from './phraseReader.ts';
import { type Part, partHours, type Vocabulary } from './vocabulary.ts';

/** The rules for days and times, which the words for what comes again share. */
export function dayRules(vocabulary: Vocabulary, monthFirst: boolean): readonly PhraseRule<ParsedPhrase>[] {
  const { days, parts, units, weekdays, months, nextBehind, of } = vocabulary;
  const which = `(?<next>${vocabulary.next})|(?<last>${vocabulary.last})|(?<this>${vocabulary.this})`;
  const month = `(?:${months.map((name, index) => `(?<month${index + 1}>${name})`).join('|')})\\.?`;
  const weekday = `(?:${weekdays.map((name, index) => `(?<day${index}>${name})`).join('|')})`;
  const year = '(?:,? (?<year>(?:19|20)\\d\\d))?';
  const day = '(?<d>\\d{1,2})';
  const ordinal = `(?:${vocabulary.ordinal}|\\.)?`;
  const number = numberPattern(vocabulary);
  const behind = nextBehind === '' ? '' : `(?: (?<behind>${nextBehind}))?`;
  const ends = vocabulary.partsOfWeekday.map(([pattern], index) => `(?<end${index}>${pattern})`).join('|');
  const weeksFrom = vocabulary.weeksFrom === '' ? NEVER : `(?:${vocabulary.weeksFrom})`;
  return [
    rule(
      '(?<year>\\d{4})-(?<month>\\d\\d)-(?<d>\\d\\d)' +
        '(?:[t ](?<h>\\d\\d):(?<min>\\d\\d)(?::(?<sec>\\d\\d)(?:\\.\\d{1,9})?)?(?: ?(?<zone>z|[+-]\\d\\d:?\\d\\d))?)?' +
        END,
      takeIso,
    ),
    rule(`${day}\\.(?<month>\\d{1,2})\\.(?: ?(?<year>\\d{4}))?${END}`, takeDate),
    rule(`(?<one>\\d{1,2})/(?<two>\\d{1,2})(?:/(?<year>\\d{4}))?${END}`, ({ one, two, year: told }, draft) =>
      takeSlashed(Number(one), Number(two), told, monthFirst, draft),
    ),
    // With its article, which may also stand before a day of any month.
    rule(
      `(?:(?:${vocabulary.fillers}) )?${day}${ordinal}(?: (?:${of || 'of'}))? ${month}${year}${END}`,
      takeDate,
    ),
    rule(`${month} (?:the )?${day}${ordinal}${year}${END}`, takeDate),
    ...timeRules(vocabulary, number),
    rule(vocabulary.dayOfMonth + END, ({ d }, draft) => once(draft, 'dayOfMonth', Number(d))),
    ...parts
      .filter(([pattern]) => pattern.includes(' '))
      .map(([pattern, part]) =>
        rule<ParsedPhrase>(`(?:${pattern})${END}`, (_, draft) => takePart(part, draft)),
      ),
    ...days.map(([pattern, distance, part]) =>
      rule<ParsedPhrase>(
        `(?:${pattern})${END}`,
        (_, draft) => once(draft, 'days', distance) && (part === undefined || takePart(part, draft)),
      ),
    ),
    ...parts.map(([pattern, part]) =>
      rule<ParsedPhrase>(`(?:${pattern})${END}`, (_, draft) => takePart(part, draft)),
    ),
    rule(`(?<n>${number}) ?(?:${units.week}) ${weeksFrom}${END}`, ({ n = '' }, draft) =>
      once(draft, 'days', 7 * numberOf(n, vocabulary)),
    ),
    rule(
      `(?:${which}) (?:(?<week>${units.week})|(?<month>${units.month})|(?<year>${units.year}))${END}`,
      takeNextUnit,
    ),
    rule(
      `(?:(?:${units.week}) (?<week>${nextBehind || NEVER})|(?:${units.month}) (?<month>${nextBehind || NEVER}))${END}`,
      (found, draft) => takeNextUnit({ ...found, next: 'next' }, draft),
    ),
    rule(`(?:(?:${which}) )?${weekday}\\.?${behind}(?: ?(?:${ends || NEVER}))?${END}`, (found, draft) =>
      takeWeekday(found, draft, vocabulary),
    ),
    rule(`(?:${vocabulary.fillers})${END}`, () => true),
  ];
}

function timeRules(vocabulary: Vocabulary, number: string): readonly PhraseRule<ParsedPhrase>[] {
  const at = `(?:(?:${vocabulary.at}) )?`;
  const half = ' ?(?<half>a\\.?m\\b\\.?|p\\.?m\\b\\.?)';
  const clock = vocabulary.clock === '' ? '' : `(?: ?(?<clock>${vocabulary.clock}))?`;
  return [
    rule(`${at}(?<h>\\d{1,2})[:.](?<min>[0-5]\\d)(?::[0-5]\\d)?${half}${END}`, takeTime),
    rule(`${at}(?<h>\\d{1,2})${half}${END}`, takeTime),
    rule(`${at}(?<h>\\d{1,2}):(?<min>[0-5]\\d)(?::[0-5]\\d)?${clock}${END}`, takeTime),
    ...(vocabulary.clock === ''
      ? []
      : [
          rule<ParsedPhrase>(
            `${at}(?<h>\\d{1,2}) ?(?<clock>${vocabulary.clock}) ?(?<min>[0-5]\\d)${END}`,
            takeTime,
          ),
          rule<ParsedPhrase>(`${at}(?<h>\\d{1,2}) ?(?<clock>${vocabulary.clock})${END}`, takeTime),
        ]),
    ...vocabulary.spoken.map(([pattern, minutes]) =>
      rule<ParsedPhrase>(`${at}${pattern.replaceAll('#', number)}${END}`, ({ h = '', m = '' }, draft) =>
        takeSpoken(
          numberOf(h, vocabulary),
          m === '' ? 0 : numberOf(m, vocabulary),
          minutes,
          draft,
          /^\d/.test(h) && vocabulary.clock !== '' && / uhr|heures?$/.test(pattern),
        ),
      ),
    ),
    rule(`(?:${vocabulary.at}) (?<h>${number})(?![${LETTERS}\\d:./-]|\\.\\d)`, ({ h = '' }, draft) =>
      takeSpoken(numberOf(h, vocabulary), 0, 0, draft, false),
    ),
  ];
}

function takeTime({ h = '', min = '00', half, clock }: FoundParts, draft: ParsedPhrase): boolean {
  const told = Number(h);
  if (half === undefined) {
    if (told > 23 && !(told === 24 && min === '00')) return noSuchTime(draft, `${h}:${min}`);
    const isSure = h.length > 1 && (h.startsWith('0') || told > 12);
    const as = isSure || told === 0 ? 'sure' : clock === undefined ? 'face' : 'clock';
    draft.times.push({ hour: told, minute: Number(min), as });
    return true;
  }
  if (told < 1 || told > 12) return noSuchTime(draft, `${h} ${half}`);
  draft.times.push({ hour: (told % 12) + (half.startsWith('p') ? 12 : 0), minute: Number(min), as: 'sure' });
  return true;
}

function takeSpoken(
  hour: number,
  minutes: number,
  how: number | 'past' | 'to',
  draft: ParsedPhrase,
  isClock: boolean,
): boolean {
  if (!Number.isInteger(hour) || hour > 24 || !Number.isInteger(minutes) || minutes > 59) return false;
  const added = how === 'past' ? minutes : how === 'to' ? -minutes : how;
  const total = hour * 60 + added;
  if (total < 0) return false;
  const told = Math.floor(total / 60);
  const as = hour > 12 || hour === 0 ? 'sure' : isClock ? 'clock' : 'face';
  // A quarter to one is told of an hour that a clock with hands calls twelve.
  draft.times.push({ hour: told === 0 && as === 'face' ? 12 : told, minute: total % 60, as });
  return true;
}

function noSuchTime(draft: ParsedPhrase, told: string): boolean {
  draft.problem ??= `There is no time ${told}`;
  return true;
}

export function takePart(part: Part, draft: ParsedPhrase): boolean {
  // "This evening at night" says nothing, and "tonight in the evening" one thing twice.
  if (draft.part !== undefined && draft.part !== part) {
    const isLate = (one: Part) => partHours[one] >= partHours.evening;
    if (!isLate(draft.part) || !isLate(part)) return false;
  }
  draft.part = part === 'midnight' ? part : (draft.part ?? part);
  return true;
}

function takeIso(found: FoundParts, draft: ParsedPhrase): boolean {
  const { year, month, d, h, min, sec = '00', zone } = found;
  if (!takeDate({ year, month, d }, draft)) return false;
  if (h === undefined) return true;
  if (Number(h) > 24 || Number(min) > 59) return noSuchTime(draft, `${h}:${min}`);
  if (zone !== undefined) {
    const offset = zone === 'z' ? 'Z' : zone.replace(/(\d\d):?(\d\d)$/u, '$1:$2');
    return once(draft, 'instant', Date.parse(`${year}-${month}-${d}T${h}:${min}:${sec}${offset}`));
  }
  draft.times.push({ hour: Number(h), minute: Number(min), as: 'sure' });
  return true;
}

function takeDate(found: FoundParts, draft: ParsedPhrase): boolean {
  const { year, d } = found;
  const named = Object.entries(found).find(([key, value]) => /^month\d/.test(key) && value !== undefined);
  const month = named ? Number(named[0].slice('month'.length)) : Number(found.month);
  const date = { month, day: Number(d), ...(year === undefined ? {} : { year: Number(year) }) };
  if (!isDay(date)) draft.problem ??= `There is no ${told(date)}`;
  return once(draft, 'date', date);
}

function takeSlashed(
  one: number,
  two: number,
  year: string | undefined,
  monthFirst: boolean,
  draft: ParsedPhrase,
) {
  const isMonthFirst = two > 12 || (monthFirst && one <= 12);
  const [month, day] = isMonthFirst ? [one, two] : [two, one];
  const date = { month, day, ...(year === undefined ? {} : { year: Number(year) }) };
  if (!isDay(date)) draft.problem ??= `There is no ${one}/${two}`;
  const swapped = one <= 12 && two <= 12 && one !== two ? ({ swapped: true } as const) : {};
  return once(draft, 'date', { ...date, ...swapped });
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

function told({ year, month, day }: ToldDate): string {
  return [day, MONTHS[month - 1] ?? `month ${month}`, year].filter((one) => one !== undefined).join(' ');
}

/** In some year, where none is told. */
function isDay({ year = 2024, month, day }: ToldDate): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function takeWeekday(
  found: FoundParts,
  draft: ParsedPhrase,
  { weekdays, partsOfWeekday }: Vocabulary,
): boolean {
  const index = weekdays.findIndex((_, at) => found[`day${at}`] !== undefined);
  const end = partsOfWeekday.find((_, at) => found[`end${at}`] !== undefined);
  if (end && !takePart(end[1], draft)) return false;
  const which = (found.next ?? found.behind) ? 'next' : found.last ? 'last' : found.this ? 'this' : undefined;
  if (which !== undefined) draft.which = which;
  return once(draft, 'weekday', index);
}

function takeNextUnit({ next: ahead, last, week, month }: FoundParts, draft: ParsedPhrase): boolean {
  const step = ahead ? 1 : last ? -1 : 0;
  if (week) return once(draft, 'days', step * 7);
  return once(draft, 'months', month ? step : step * 12);
}
