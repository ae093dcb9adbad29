/** Words that say nothing of what is wanted. */
const EMPTY: ReadonlySet<string> = new Set(
  `a about all am an and any are as at be been but by can could did do does for from get give go had has have he her
  here him his how i if in into is it its just let like make may me my need no not now of off on one or our out
  please put she should show so some tell than that the their them then there these they this those to too up us
  use using want was we were what when where which who why will with would yes you your`.split(/\s+/),
);
const SHORTEST_STEM = 3;

/** The words of an English text, each brought to the stem that its forms share. Names are taken apart. */
export function stemsOf(text: string): string[] {
  return wordsOf(text)
    .filter((word) => !EMPTY.has(word))
    .map(stem);
}

/** The same with the words that say nothing: in a phrase they do. */
export function allStemsOf(text: string): string[] {
  return wordsOf(text).map(stem);
}

function wordsOf(text: string): readonly string[] {
  const apart = text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return apart.match(/[\p{L}\p{N}]+/gu) ?? [];
}

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['children', 'child'],
  ['men', 'man'],
  ['women', 'woman'],
]);

/** A light hand: forms of one word meet, and it does not matter whether the stem is a word. */
export function stem(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (!/^[a-z]+$/.test(word) || word.length <= SHORTEST_STEM) return word;
  const bare = withoutEnding(singular(word));
  return undoubled(bare.replace(/(?<=..)e$/, ''));
}

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:x|ch|sh|ss|z|us)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

function withoutEnding(word: string): string {
  // Most words have none, and there are many words.
  if (!ENDING.test(word)) return word;
  for (const [ending, shortest] of endings) {
    const left = word.length - ending.length;
    if (word.endsWith(ending) && left >= shortest && /[aeiouy]/.test(word.slice(0, left)))
      return word.slice(0, left);
  }
  return word;
}

/** Each with the least that has to be left before it; the first that fits is taken off. */
const endings: readonly (readonly [ending: string, shortest: number])[] = [
  ['ation', 5],
  ['ion', 4],
  ['ment', 4],
  ['ing', SHORTEST_STEM],
  ['ed', SHORTEST_STEM],
  ['er', SHORTEST_STEM],
  ['or', 4],
  ['ly', SHORTEST_STEM],
  ['y', 5],
];

const ENDING = new RegExp(`(?:${endings.map(([ending]) => ending).join('|')})$`);

function undoubled(word: string): string {
  return word.replace(/([bcdfghjklmnpqrstvwxz])\1$/, '$1');
}
