import { entryOf } from '../entryOf.ts';
import { regExp } from '../regExp.ts';
/** A word as it is compared, and where it stands. What is contracted ("I'm") is two. */
export interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const WORD = regExp('giu')`
  \b(?:st|dr|mr|mrs|ms|prof|mt)\.(?=\s+\p{Lu})|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,200}|\d+
  (?:[.,:/]\d+)+|(?:\p{L}\.){2,}|[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[-/'’][\p{L}\p{N}]+)*[+#]*|[,;:.!?()…–—]`;

/** What is said together, apart: the word, then where its second part begins. */
const contracted: Readonly<Record<string, readonly [string, string]>> = {
  im: ['i', 'am'],
  ive: ['i', 'have'],
  dont: ['do', 'not'],
  doesnt: ['does', 'not'],
  didnt: ['did', 'not'],
  cant: ['can', 'not'],
  cannot: ['can', 'not'],
  wont: ['will', 'not'],
  isnt: ['is', 'not'],
  arent: ['are', 'not'],
  wasnt: ['was', 'not'],
  gonna: ['going', 'to'],
  wanna: ['want', 'to'],
  gotta: ['got', 'to'],
  weve: ['we', 'have'],
  theres: ['there', 'is'],
  thats: ['that', 'is'],
  whats: ['what', 'is'],
};
const verbOf: Readonly<Record<string, string>> = { m: 'am', ve: 'have', ll: 'will', d: 'would', re: 'are' };
const sameWord: Readonly<Record<string, string>> = {
  favorite: 'favourite',
  fav: 'favourite',
  fave: 'favourite',
  favorites: 'favourites',
  color: 'colour',
  anymore: 'anymore',
  coz: 'because',
  cuz: 'because',
  cos: 'because',
  cause: 'because',
  rly: 'really',
  luv: 'love',
  ur: 'your',
  u: 'you',
  '&': 'and',
  '–': ',',
  '—': ',',
};

export function tokensOf(text: string, offset = 0): readonly Token[] {
  return Array.from(text.matchAll(WORD)).flatMap((found) =>
    apart(found[0].toLowerCase().replaceAll('’', "'"), offset + found.index),
  );
}

function apart(word: string, start: number): readonly Token[] {
  const end = start + word.length;
  const pair = entryOf(contracted, word);
  if (pair) return two(pair[0], pair[1], start, start + pair[0].length, end);
  const [, bare = '', ending = ''] = /^(.+?)(n't|'(?:m|ve|ll|d|re|s))$/.exec(word) ?? [];
  // Inside a word a point or comma breaks nothing: "10,000", "St."
  if (!ending) return [{ word: plain(word).replace(/(?<=.)[,.;:]/g, '_'), start, end }];
  const middle = end - ending.length;
  if (ending === "n't") return two(entryOf(positiveOf, bare) ?? bare, 'not', start, middle, end);
  return two(plain(bare).replace(/[,.;:]/g, '_'), verbOf[ending.slice(1)] ?? ending, start, middle, end);
}

const positiveOf: Readonly<Record<string, string>> = { ca: 'can', wo: 'will', sha: 'shall' };

function two(first: string, second: string, start: number, middle: number, end: number): readonly Token[] {
  return [
    { word: first, start, end: middle },
    { word: second, start: middle, end },
  ];
}

/** "loooove" is "love". */
function plain(word: string): string {
  const calm = word.replace(/(\p{L})\1{2,}/gu, '$1');
  return entryOf(sameWord, calm) ?? calm;
}
