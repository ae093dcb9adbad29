import { type Part, partHours, type Vocabulary } from './vocabulary.ts';

/** A time of the day as it was told. */
export interface ToldTime {
  readonly hour: number;
  readonly minute: number;
  /** `face`: as a clock with hands shows it; `clock`: on one of 24 hours, unless the part of the day says otherwise. */
  readonly as: 'face' | 'clock' | 'sure';
}

export interface ToldDate {
  readonly year?: number;
  readonly month: number;
  readonly day: number;
  /** The other way to read it, where the order of day and month is not certain. */
  readonly swapped?: true;
}

/** What the words of a phrase say, before anybody looks at the calendar. */
export interface ParsedPhrase {
  /** Of a time with an offset. */
  instant?: number;
  spanMs?: number;
  days?: number;
  months?: number;
  /** A span said no day, and leaves the time as it is. */
  keepsTime?: boolean;
  weekday?: number;
  which?: 'next' | 'this' | 'last';
  date?: ToldDate;
  dayOfMonth?: number;
  part?: Part;
  times: ToldTime[];
  problem?: string;
}

type Found = Readonly<Record<string, string | undefined>>;
/** False where what was found does not go together with what was found before. */
export type PhraseRule<Into> = readonly [pattern: RegExp, take: (found: Found, draft: Into) => boolean];

/** Of the languages that are read, in small letters: all letters of Unicode would be compiled anew at each place. */
const LETTERS = 'a-z\\u00df-\\u024f';
/** No letter may follow a unit, and no digit a word either. */
export const NO_LETTER = `(?![${LETTERS}])`;
export const END = `(?![${LETTERS}\\d])`;

/** Fits nowhere. */
export const NEVER = '(?!)';
const LONGEST = 200;
const SEPARATORS = /[\s,;]*/uy;

/** What the rules make of all of the text; undefined where they leave a part of it. */
export function drafted<Into>(
  text: string,
  rules: readonly PhraseRule<Into>[],
  draft: Into,
): Into | undefined {
  let at = 0;
  const said = plain(text);
  if (said === undefined || said === '') return undefined;
  while (at < said.length) {
    const end = next(said, at, rules, draft);
    if (end === undefined) return undefined;
    SEPARATORS.lastIndex = end;
    SEPARATORS.exec(said);
    at = Math.max(end, SEPARATORS.lastIndex);
  }
  return draft;
}

function plain(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  const bare = text.normalize('NFC').toLowerCase().replaceAll('’', "'").replace(/\s+/gu, ' ').trim();
  return bare.replace(/(?<![!?])[!?]+$/u, '').replace(/(?<!\d)\.$/u, '');
}

function next<Into>(
  text: string,
  at: number,
  rules: readonly PhraseRule<Into>[],
  draft: Into,
): number | undefined {
  for (const [pattern, take] of rules) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match || match[0] === '') continue;
    return take(match.groups ?? {}, draft) ? at + match[0].length : undefined;
  }
  return undefined;
}

export function rule<Into>(source: string, take: PhraseRule<Into>[1]): PhraseRule<Into> {
  return [new RegExp(source, 'uy'), take];
}

/** A pattern of what a number may be; those with two words first. */
function numberPattern({ numbers }: Vocabulary): string {
  const words = Object.keys(numbers).sort((one, other) => other.length - one.length);
  return `(?:\\d{1,6}(?:[.,]\\d)?|(?:${words.join('|')})${END})`;
}

function numberOf(text: string, { numbers }: Vocabulary): number {
  return numbers[text] ?? Number(text.replace(',', '.'));
}

/** Sets what was not set yet. */
function once<Key extends keyof ParsedPhrase>(
  draft: ParsedPhrase,
  key: Key,
  value: ParsedPhrase[Key],
): boolean {
  if (draft[key] !== undefined) return false;
  draft[key] = value;
  return true;
}

const UNIT_MS = { second: 1_000, minute: 60_000, hour: 3_600_000 } as const;

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

/** Those of a moment alone: a span that has to pass. */
export function spanRules(vocabulary: Vocabulary): readonly PhraseRule<ParsedPhrase>[] {
  const { in: within, later, ago } = vocabulary;
  const span = spanPattern(vocabulary);
  const take = (sign: 1 | -1) => (found: Found, draft: ParsedPhrase) =>
    draft.spanMs === undefined && takeSpan(found.span ?? '', sign, vocabulary, draft);
  return [
    rule(
      `(?<span>now|jetzt|maintenant|ahora)${END}`,
      (_, draft) => once(draft, 'spanMs', 0) && keepTime(draft),
    ),
    rule(`(?:${within}) (?<span>${span})(?: (?:${later}))?${END}`, take(1)),
    rule(`(?<span>${span}) (?:${later})${END}`, take(1)),
    ...(ago === '' ? [] : [rule(`(?<span>${span}) (?:${ago})${END}`, take(-1))]),
  ];
}

/** A span and nothing else. */
export function bareSpanRule(vocabulary: Vocabulary): PhraseRule<ParsedPhrase> {
  const span = spanPattern(vocabulary);
  return rule(`(?<span>${span})$`, ({ span: told = '' }, draft) => takeSpan(told, 1, vocabulary, draft));
}

export function spanPattern(vocabulary: Vocabulary): string {
  const { units, pieces, and } = vocabulary;
  const half = `(?: ${vocabulary.andHalf})?`;
  const unit = `(?:${Object.values(units).join('|')})${NO_LETTER}`;
  const one = `${numberPattern(vocabulary)}${half} ?${unit}${half}`;
  const either = `(?:(?:${pieces.map(([pattern]) => pattern).join('|')})s?${END}|\\d{1,3} ?h ?[0-5]\\d${END}|${one})`;
  return `${either}(?:(?:, ?| (?:${and}) | )?${either}){0,5}`;
}

export function takeSpan(span: string, sign: 1 | -1, vocabulary: Vocabulary, draft: ParsedPhrase): boolean {
  const { units, pieces, andHalf } = vocabulary;
  const named = Object.entries(units).map(([unit, pattern]) => `(?<${unit}>(?:${pattern})${NO_LETTER})`);
  const one = new RegExp(
    `(?<piece>${pieces.map(([pattern]) => pattern).join('|')})s?${END}|(?<hh>\\d{1,3}) ?h ?(?<mm>[0-5]\\d)${END}|` +
      `(?<n>${numberPattern(vocabulary)})(?<half> ${andHalf})? ?(?:${named.join('|')})(?<half2> ${andHalf})?`,
    'gu',
  );
  let ms = 0;
  let days = 0;
  let months = 0;
  for (const { groups: found = {} } of span.matchAll(one)) {
    if (found.piece !== undefined) {
      const piece = pieces.find(([pattern]) => new RegExp(`^(?:${pattern})$`, 'u').test(found.piece ?? ''));
      ms += (piece?.[1] ?? 0) * UNIT_MS.minute;
      continue;
    }
    if (found.hh !== undefined) {
      ms += Number(found.hh) * UNIT_MS.hour + Number(found.mm) * UNIT_MS.minute;
      continue;
    }
    const count = numberOf(found.n ?? '', vocabulary) + ((found.half ?? found.half2) ? 0.5 : 0);
    if (found.second) ms += count * UNIT_MS.second;
    else if (found.minute) ms += count * UNIT_MS.minute;
    else if (found.hour) ms += count * UNIT_MS.hour;
    else if (found.day) days += count;
    else if (found.week) days += count * 7;
    else if (found.month) months += count;
    else if (found.year) months += count * 12;
  }
  // Half a day is a span of hours; half a month is none.
  const wholeDays = Math.trunc(days);
  draft.spanMs = sign * Math.round(ms + (days - wholeDays) * 24 * UNIT_MS.hour);
  if (wholeDays !== 0 && !once(draft, 'days', sign * wholeDays)) return false;
  if (months !== 0 && (!Number.isInteger(months) || !once(draft, 'months', sign * months))) return false;
  return keepTime(draft);
}

function keepTime(draft: ParsedPhrase): boolean {
  draft.keepsTime = true;
  return true;
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

function takeTime({ h = '', min = '00', half, clock }: Found, draft: ParsedPhrase): boolean {
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

function takeIso(found: Found, draft: ParsedPhrase): boolean {
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

function takeDate(found: Found, draft: ParsedPhrase): boolean {
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

function takeWeekday(found: Found, draft: ParsedPhrase, { weekdays, partsOfWeekday }: Vocabulary): boolean {
  const index = weekdays.findIndex((_, at) => found[`day${at}`] !== undefined);
  const end = partsOfWeekday.find((_, at) => found[`end${at}`] !== undefined);
  if (end && !takePart(end[1], draft)) return false;
  const which = (found.next ?? found.behind) ? 'next' : found.last ? 'last' : found.this ? 'this' : undefined;
  if (which !== undefined) draft.which = which;
  return once(draft, 'weekday', index);
}

function takeNextUnit({ next: ahead, last, week, month }: Found, draft: ParsedPhrase): boolean {
  const step = ahead ? 1 : last ? -1 : 0;
  if (week) return once(draft, 'days', step * 7);
  return once(draft, 'months', month ? step : step * 12);
}

export function newDraft(): ParsedPhrase {
  return { times: [] };
}
