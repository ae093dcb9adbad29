import { wrongUsage } from './failure.ts';

/** A place in the log as people name it: by position, by time, or its end. */
export type Moment =
  | { readonly kind: 'now' }
  | { readonly kind: 'position'; readonly position: number }
  | { readonly kind: 'time'; readonly at: number };

/** A bare number from here on is Unix milliseconds (1973 and later), below it a position. */
const FIRST_TIME = 100_000_000_000;

const units: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const DURATION = /^(\d+(?:\.\d+)?)\s*(s|m|h|d|w|sec|min|seconds?|minutes?|hours?|days?|weeks?)$/i;
const ISO = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

export const momentForms = 'a position, Unix ms, ISO 8601, "2h ago" or "now"';

export function parseMoment(text: string, now: number): Moment {
  const moment = momentOf(text.trim(), now);
  if (moment === undefined) throw wrongUsage(`Not a place in the log: ${text.trim()}. Give ${momentForms}`);
  return moment;
}

/** Undefined where the text is none. */
function momentOf(given: string, now: number): Moment | undefined {
  if (/^\d{1,15}$/.test(given)) {
    const number = Number(given);
    return number < FIRST_TIME ? { kind: 'position', position: number } : { kind: 'time', at: number };
  }
  if (given === 'now') return { kind: 'now' };
  const at = relativeTime(given, now) ?? isoTime(given);
  return at === undefined ? undefined : { kind: 'time', at };
}

function relativeTime(text: string, now: number): number | undefined {
  const [, duration] = /^(.*)\sago$/i.exec(text) ?? [];
  const ms = duration === undefined ? undefined : parseDuration(duration);
  return ms === undefined ? undefined : now - ms;
}

/** In milliseconds. */
function parseDuration(text: string): number | undefined {
  const [, amount, unit = ''] = DURATION.exec(text.trim()) ?? [];
  const ms = units[unit.charAt(0).toLowerCase()];
  return amount === undefined || ms === undefined ? undefined : Number(amount) * ms;
}

/** Without a zone it is the local time, for a bare date too, which JavaScript alone would take for UTC. */
function isoTime(text: string): number | undefined {
  if (!ISO.test(text)) return undefined;
  const full = text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T').replace(',', '.');
  const at = Date.parse(full);
  return Number.isNaN(at) ? undefined : at;
}
