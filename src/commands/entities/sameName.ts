import type { EntityType } from '../../vocabulary.ts';

const TITLE =
  /^(?:(?:dr|mr|mrs|ms|miss|prof|professor|doctor|sir|madam|uncle|aunt|auntie|herr|frau|captain|president|judge|father|sister|brother) )+(?=.)/;
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
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđı]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/['’]s$/, '')
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if (type === 'person') return plain.replace(TITLE, '');
  const named = plain.replace(/^the (?=.)/, '');
  return type === 'organization' ? named.replace(LEGAL_FORM, '') : named;
}

/**
 * Whether two folded names differ by no more than spelling: where a space is, a letter that stands twice, or two
 * that changed places. One letter that is another may make another name, as with Christina and Christine.
 */
export function isMisspelt(one: string, other: string): boolean {
  const [a, b] = [lettersOf(one), lettersOf(other)];
  if (Math.min(a.length, b.length) < SHORTEST_SPELLING || /\d/.test(a) || /\d/.test(b)) return false;
  return a === b || isSwapped(a, b);
}

function lettersOf(name: string): string {
  return name.replaceAll(' ', '').replace(/(\p{L})\1+/gu, '$1');
}

function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let at = 1;
  while (at < a.length && a[at] === b[at]) at++;
  return a[0] === b[0] && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
