import { z } from 'zod';
import { lazily } from '../../lazily.ts';
import { written } from '../operation.ts';

/** How a long list is asked for in parts, of those that may be asked for as a whole too. */
export const pageInput = lazily(() => ({
  limit: written(z.coerce.number().int().min(1).max(1_000)).optional().describe('All of them without it'),
  after: z.string().min(1).max(300).optional().describe('The `next` of the page before'),
}));

export const pageOutput = lazily(() => ({
  total: z.int().describe('How many there are on all pages'),
  next: z.string().optional().describe('Asks for the page after this one; there is none without it'),
}));

export const wordsInput = lazily(() =>
  z.string().trim().max(200).optional().describe('Words that each of them has'),
);

interface Page<Item> {
  readonly page: readonly Item[];
  readonly total: number;
  readonly next?: string;
}

interface Wanted<Item> {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
  readonly idOf: (item: Item) => string;
}

/** A page of a list. It goes on behind the last item of the page before, also where the list has changed since. */
export function pageOf<Item>(all: readonly Item[], { limit, after, idOf }: Wanted<Item>): Page<Item> {
  const from = after === undefined ? 0 : placeBehind(all, after, idOf);
  const to = limit === undefined ? all.length : from + limit;
  const page = all.slice(from, to);
  const last = page.at(-1);
  const total = all.length;
  return last !== undefined && to < total ? { page, total, next: `${to}.${idOf(last)}` } : { page, total };
}

/** Where the item is gone, the place at which it was. */
function placeBehind<Item>(all: readonly Item[], after: string, idOf: (item: Item) => string): number {
  const [, place = '', id] = /^(\d{1,9})\.(.*)$/s.exec(after) ?? [];
  const expected = Number(place);
  const isAt = (index: number) => all[index] !== undefined && idOf(all[index]) === id;
  if (isAt(expected - 1)) return expected;
  const found = all.findIndex((item) => idOf(item) === id);
  return found === -1 ? expected : found + 1;
}

/** Whether a text has each of the words, or their beginnings, whatever the case. */
export function hasWords(words: string | undefined): (...texts: readonly (string | null)[]) => boolean {
  const wanted = (words ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return () => true;
  return (...texts) => {
    const whole = texts.join(' ').toLowerCase();
    return wanted.every((word) => whole.includes(word));
  };
}
