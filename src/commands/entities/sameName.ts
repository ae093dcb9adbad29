import { regExp } from '../../regExp.ts';
import type { EntityType } from '../../vocabulary.ts';

const TITLE = regExp()`
  ^(?:(?:dr|mr|mrs|ms|miss|prof|professor|doctor|sir|madam|uncle|aunt|auntie|herr|frau|captain|president
  |judge|father|sister|brother) )+(?=.)`;
const LEGAL_FORM = /(?<=.) (?:inc|corp|corporation|gmbh|ltd|limited|llc|ag|se|plc|co|company|bv|sa|srl)$/;
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
};
const SHORTEST_SPELLING = 6;

/** What two ways of writing one name have in common: no case, accents, punctuation, titles or legal forms. */
export function foldedName(name: string, type: EntityType): string {
  const plain = unaccented(name)
    .replace(/['’]s$/, '')
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if (type === 'person') return plain.replace(TITLE, '');
  const named = plain.replace(/^the (?=.)/, '');
  return type === 'organization' ? named.replace(LEGAL_FORM, '') : named;
}

function unaccented(name: string): string {
  if (/^[ -~]*$/.test(name)) return name.toLowerCase();
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđı]/g, (letter) => LETTERS[letter] ?? letter);
}

/**
 * Whether the letters of two names differ by no more than a slip: two that changed places. What `lettersOf` leaves
 * out counts for nothing. One letter that is another may make another name, as with Christina and Christine.
 */
export function isMisspelt(a: string, b: string): boolean {
  if (a[0] !== b[0] || a.length !== b.length || a.length < SHORTEST_SPELLING) return false;
  return !/\d/.test(a) && !/\d/.test(b) && (a === b || isSwapped(a, b));
}

/** Of a folded name, without spaces, and each letter that stands twice once. */
export function lettersOf(name: string): string {
  return name.replaceAll(' ', '').replace(/(\p{L})\1+/gu, '$1');
}

function isSwapped(a: string, b: string): boolean {
  let at = 1;
  while (at < a.length && a[at] === b[at]) at++;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
