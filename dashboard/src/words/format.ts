import { now } from '../api/now.ts';
import { locale } from './words.ts';

const DAY_MS = 86_400_000;
const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const seconds = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'long' });
const numbers = new Intl.NumberFormat(locale);
const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });

const spans: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** What an import brought may be kept for ever: what lies beyond all dates is shown as the last of them. */
const LAST = 8.64e15;
export const dateOf = (at: number): Date => new Date(Math.max(-LAST, Math.min(LAST, at)));

export const momentText = (at: number): string => moments.format(dateOf(at));
export const secondText = (at: number): string => seconds.format(dateOf(at));
export const dayText = (at: number): string => days.format(dateOf(at));
/** Of a day such as `2026-12-24`, which is that day in every zone. */
export const dateText = (day: string): string => dayText(Date.parse(`${day}T12:00`));
export const numberText = (value: number): string => numbers.format(value);
/** Of what nobody counts one by one. */
export const shortText = (value: number): string => (value < 1e5 ? numbers : short).format(value);
export const shareText = (value: number): string => shares.format(value);

/** What the service says, with the moments in it as the reader writes them. */
export const withMoments = (text: string): string =>
  text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => momentText(Date.parse(at)));

/** As a choice of its own, not inside of a sentence. */
export const asChoice = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** “3 hours ago”, “in 2 days”. */
export function agoText(at: number): string {
  const ms = at - now();
  const [unit, size] = spans.find(([, least]) => Math.abs(ms) >= least) ?? (['second', 1_000] as const);
  return relative.format(Math.trunc(ms / size), unit);
}

/** Prices of single requests are fractions of a cent. */
export function moneyText(usd: number): string {
  const digits = usd !== 0 && Math.abs(usd) < 0.01 ? 6 : 2;
  const format = { style: 'currency', currency: 'USD', maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(locale, format).format(usd);
}

export function bytesText(bytes: number): string {
  const unit = (['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const)[
    Math.min(3, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  ];
  const size = { byte: 1, kilobyte: 1e3, megabyte: 1e6, gigabyte: 1e9 }[unit ?? 'byte'];
  return unitText(bytes / size, unit ?? 'byte');
}

const durations = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

export function durationText(ms: number): string {
  const [unit, size] = durations.find(([, least]) => ms >= least) ?? (['millisecond', 1] as const);
  return unitText(ms / size, unit);
}

function unitText(value: number, unit: string): string {
  const format = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, format).format(value);
}
