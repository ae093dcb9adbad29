import { stemmer } from 'stemmer';
import { baseForm } from './irregularForms.ts';

/** Words that stand in every conversation, and tell none from another. */
const NOISE: ReadonlySet<string> = new Set(
  `a able about actually after again all almost already also although always am an and another any anyone anything
  are around as at be became because become been before being both but by came can cannot come comes coming could
  did do does doing done down during each either else ever every everyone everything for from gave get gets getting
  give gives go goes going gone gonna got had has have having he her here hers herself hi hey hello him himself his
  how however i if in into is it its itself just kind let lets like lot lots made make makes making many may maybe me
  might mine more most much must my myself no nor not now of off oh ok okay on one only onto or other others our ours
  out over own please quite rather really said same saw say says see seem seems she should since so some somebody
  someone something sometimes somewhere sort still such sure take taken takes taking tell tells than thank thanks
  that the their theirs them themselves then there these they thing things think this those though through thus to
  together told too took toward towards under until up upon us use used uses using very wanna want wanted wants was
  way we well went were what whatever when whenever where whether which while who whoever whom whose why will with
  within without wont would wow yeah yes yet you your yours yourself d ll m re s t ve don doesn didn isn aren wasn
  weren hasn haven hadn couldn shouldn wouldn ain im ive id ill youre youve theyre thats whats
  mention mentioned describe described regarding according`.split(/\s+/),
);

const ASCII = /^[\0-\x7f]*$/;
const ASCII_WORD = /[a-z0-9]+(?:'[a-z]+)*/g;
const WORD = /[\p{L}\p{N}]+(?:['’]\p{L}+)*/gu;
const ENGLISH = /^[a-z]+$/;
/** Written without spaces: their pairs of characters are their words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const LONGEST = 60;

/** In lower case and without diacritics, by which words are compared. */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  return ASCII.test(lower) ? lower : lower.normalize('NFKD').replace(/\p{M}+/gu, '');
}

/** The words of a folded text. */
export function wordsOf(text: string): string[] {
  if (ASCII.test(text)) return text.match(ASCII_WORD) ?? [];
  const words = text.match(WORD) ?? [];
  return UNSPACED.test(text) ? words.flatMap(pairsOf) : words;
}

/** What a word is found by; undefined for a word that tells nothing. */
export function termOf(word: string): string | undefined {
  const bare = beforeApostrophe(word).slice(0, LONGEST);
  if (bare === '' || NOISE.has(bare)) return undefined;
  if (bare.length === 1 && bare < '\x7f' && !/\d/.test(bare)) return undefined;
  const base = baseForm(bare);
  return ENGLISH.test(base) ? stemmer(base) : base;
}

export function isQuestion(text: string): boolean {
  return text.trimEnd().endsWith('?');
}

/** "Anna" of "Anna's". */
export function beforeApostrophe(word: string): string {
  const end = word.search(/['’]/);
  return end === -1 ? word : word.slice(0, end);
}

function pairsOf(word: string): string[] {
  if (!UNSPACED.test(word)) return [word];
  const characters = Array.from(word);
  if (characters.length < 3) return [word];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
