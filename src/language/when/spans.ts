import {
  END,
  type FoundParts,
  NO_LETTER,
  numberOf,
  numberPattern,
  once,
  type ParsedPhrase,
  type PhraseRule,
  rule,
} from './phraseReader.ts';
import type { Vocabulary } from './vocabulary.ts';

const UNIT_MS = { second: 1_000, minute: 60_000, hour: 3_600_000 } as const;

/** Those of a moment alone: a span that has to pass. */
export function spanRules(vocabulary: Vocabulary): readonly PhraseRule<ParsedPhrase>[] {
  const { in: within, later, ago } = vocabulary;
  const span = spanPattern(vocabulary);
  const take = (sign: 1 | -1) => (found: FoundParts, draft: ParsedPhrase) =>
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
