import { stem, stemsOf } from './words.ts';

export interface KeywordTurn {
  readonly role: string;
  readonly text: string;
}

const MOST_KEYWORDS = 12;
const TOPIC_WORDS = 3;
const LONGEST = 100_000;
/** Words of talk about the talk: they say little of its subject. */
const SMALL_TALK = new Set(
  `thank hello hey sure okay ok actual really think know say tell ask question answer help good great nice well much many lot
  thing something anything everything way time day today just going want would like maybe right sorry sound happy look see new
  also still even back here there very only every because first second one two use used using work course let yeah hi bit
  remember love mean done try keep dont im ive anyway though just got amazing yesterday today tomorrow`
    .split(/\s+/)
    .map(stem),
);

/** What a conversation is about: its most telling words and phrases, the most telling first. */
export function keywordsOf(turns: readonly KeywordTurn[]): readonly string[] {
  const isTelling = remembered(isTellingWord);
  const keyOf = remembered(keyOfPhrase);
  const weights = new Map<string, { weight: number; shown: string }>();
  for (const { role, text } of turns) {
    for (const phrase of phrasesOf(text.slice(0, LONGEST), isTelling))
      count(weights, phrase, keyOf(phrase), role === 'user' ? 2 : 1);
  }
  const ranked = Array.from(weights.values()).sort((a, b) => b.weight - a.weight);
  return withoutParts(ranked.map(({ shown }) => shown)).slice(0, MOST_KEYWORDS);
}

/** A few words that name a conversation; empty when it is about nothing. */
export function topicOf(keywords: readonly string[]): string {
  return keywords.slice(0, TOPIC_WORDS).join(', ');
}

/** Words that stand beside each other with nothing empty between, at most three; single ones too. */
function phrasesOf(text: string, isTelling: (word: string) => boolean): readonly string[] {
  const runs = text.replace(/```[\s\S]*?(?:```|$)/g, ' . ').split(/[^\p{L}\p{M}\p{N}\s'’-]+|\n/u);
  return runs.flatMap((run) => {
    const words = run.split(/\s+/).map((word) => word.replace(/^['’-]+|(?:['’]s)?['’-]*$/gu, ''));
    return words.flatMap((word, index) => {
      if (!isTelling(word)) return [];
      const second = words[index + 1] ?? '';
      return isTelling(second) ? [word, `${word} ${second}`] : [word];
    });
  });
}

/** Of the same word there are many. */
function remembered<Value>(work: (text: string) => Value): (text: string) => Value {
  const cache = new Map<string, Value>();
  return (text) => {
    const value = cache.get(text) ?? work(text);
    cache.set(text, value);
    return value;
  };
}

function isTellingWord(word: string): boolean {
  if (word.length < 3 || /['’]/.test(word) || !/\p{L}/u.test(word)) return false;
  const [only = ''] = stemsOf(word.toLowerCase());
  return only !== '' && !SMALL_TALK.has(only);
}

function keyOfPhrase(phrase: string): string {
  return phrase
    .split(' ')
    .map((word) => stem(word.toLowerCase()))
    .join(' ');
}

function count(
  weights: Map<string, { weight: number; shown: string }>,
  phrase: string,
  key: string,
  of: number,
): void {
  const words = phrase.split(' ');
  const before = weights.get(key);
  // A name, a long word and a phrase that comes again tell more than a short word.
  const isName = /^\p{Lu}\p{Ll}/u.test(phrase);
  const weight = of * (words.length > 1 ? 0.7 : 1) * (isName ? 1.5 : 1) * (phrase.length > 6 ? 1.3 : 1);
  const shown =
    before && !/^\p{Lu}/u.test(before.shown) ? before.shown : isName ? phrase : phrase.toLowerCase();
  const again = before && words.length > 1 ? 2 : 1;
  weights.set(key, { weight: (before?.weight ?? 0) + weight * again, shown: before?.shown ?? shown });
}

/** A word that a better phrase has already is not told again. */
function withoutParts(ranked: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const phrase of ranked.slice(0, MOST_KEYWORDS * 3)) {
    const words = phrase.toLowerCase().split(' ').map(stem);
    const isKnown = kept.some((other) => {
      const others = other.toLowerCase().split(' ').map(stem);
      return words.every((word) => others.includes(word)) || others.every((word) => words.includes(word));
    });
    if (!isKnown) kept.push(phrase);
  }
  return kept;
}
