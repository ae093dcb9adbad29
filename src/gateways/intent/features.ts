import { FeatureCounts } from './featureCounts.ts';
import { kindNames, kindsOf } from './lexicon.ts';

/*
 * A text as a bag of hashed features, in groups that count alike however many features a group has. What a model
 * was trained on has to be what it is asked about: any change here needs a new training.
 */

/** Of a long text, its beginning and its end say what is wanted. */
const HEAD = 400;
const TAIL = 200;

export const groups = ['words', 'pairs', 'letters', 'kinds', 'frames', 'shape'] as const;

/** Of each group, how often a text has which feature. */
export type Features = readonly FeatureCounts[];

/** Used for one text after the other: what they are counted in would be most of what a text costs. */
const counts: Features = groups.map(() => new FeatureCounts());

const TOKEN = /[\p{L}\p{N}_]+(?:[+#](?![\p{L}\p{N}]))*|[^\s\p{L}\p{N}]/gu;
const SPACE = 0x20;
const ZERO = 0x30;
const WORD = /[\p{L}\p{N}_]/u;
const APOSTROPHES = /['’`´]/g;
const DIGITS = /\d+/g;

/** To be looked at before the next text is. */
export function featuresOf(text: string): Features {
  const cut = text.length > HEAD + TAIL ? `${text.slice(0, HEAD)} ${text.slice(-TAIL)}` : text;
  const tokens = cut.normalize('NFKC').replaceAll(APOSTROPHES, '').match(TOKEN) ?? [];
  const words: string[] = [];
  for (const token of tokens) if (WORD.test(token)) words.push(plain(token.toLowerCase()));
  for (const found of counts) found.clear();
  const [inWords, inPairs, inLetters, inKinds, inFrames, inShape] = counts;
  if (!inWords || !inPairs || !inLetters || !inKinds || !inFrames || !inShape) return counts;
  unigrams(words, inWords);
  pairs(words, inPairs);
  letters(words, inLetters);
  kindFeatures(words, inKinds);
  frames(words, inFrames);
  shape(cut, { tokens, words }, inShape);
  return counts;
}

/** One number is as good as another, but for its length. */
function plain(word: string): string {
  let digits = 0;
  for (let at = 0; at < word.length; at++) if (isDigit(word.charCodeAt(at))) digits++;
  if (digits === 0) return word;
  return digits === word.length ? '0'.repeat(Math.min(word.length, 5)) : word.replaceAll(DIGITS, '0');
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9;
}

function unigrams(words: readonly string[], found: FeatureCounts): void {
  for (const word of words) found.add(hash('w', word));
}

/** Neighbours, the edges of the text among them, and what stands two apart. */
function pairs(words: readonly string[], found: FeatureCounts): void {
  const edged = ['^', ...words, '$'];
  for (let at = 0; at + 1 < edged.length; at++) {
    const one = edged[at] ?? '';
    const next = edged[at + 1] ?? '';
    const third = edged[at + 2];
    found.add(hash('b', one, next));
    if (third !== undefined && third !== '$') found.add(hash('t', one, third));
    if (at === 0 && third !== undefined) found.add(hash('f', next, third));
  }
}

function letters(words: readonly string[], found: FeatureCounts): void {
  for (const word of words) {
    const framed = `_${word.slice(0, 24)}_`;
    for (let start = 0; start + 3 <= framed.length; start++) {
      let value = seedOf('c');
      for (let end = start; end < Math.min(framed.length, start + 5); end++) {
        value = mixed(value, framed.charCodeAt(end));
        if (end - start >= 2) found.add(value >>> 0);
      }
    }
  }
}

const MOST_KINDS = 12;

/** Which kinds of words are there, with which others, after which first word, and one right after the other. */
function kindFeatures(words: readonly string[], found: FeatureCounts): void {
  const first = words[0] ?? '';
  const present: number[] = [];
  let before: readonly number[] = [];
  for (const word of words) {
    const kinds = kindsOf(word);
    for (const kind of kinds) {
      if (!present.includes(kind)) present.push(kind);
      found.add(hash('k', nameOf(kind)));
      for (const earlier of before) found.add(hash('n', nameOf(earlier), nameOf(kind)));
    }
    before = kinds;
  }
  present.sort((one, other) => one - other);
  const most = Math.min(present.length, MOST_KINDS);
  for (let place = 0; place < most; place++) {
    const kind = present[place] ?? -1;
    found.add(hash('s', first, nameOf(kind)));
    for (let next = place + 1; next < most; next++)
      found.add(hash('p', nameOf(kind), nameOf(present[next] ?? -1)));
  }
}

/** What a sentence is made like, whatever it is about: small words stay, others are only of a kind, or of none. */
const SMALL = new Set(
  `a an the this that these those it its he she they them there here is are was were be been am do does did dont
  doesnt didnt have has had can could will would should shall may might must i im ive id me my mine we us our you your
  youre u and or but if when while because than then so not no to of in on at by for from with without about into over
  under between after before until since during up down out off as like all any some each every both either which
  what whats who whos whom whose where wheres why how hows many much more most less few long old far often lets let
  please just only still already again too also very`.split(/\s+/),
);

const frameNames = kindNames.map((name) => name.toUpperCase());

function frames(words: readonly string[], found: FeatureCounts): void {
  const parts = words.map((word) => {
    if (SMALL.has(word) || word.charCodeAt(0) === ZERO) return word;
    const [kind] = kindsOf(word);
    return kind === undefined ? '*' : (frameNames[kind] ?? '');
  });
  const edged = ['^', ...parts.filter((part, at) => part !== '*' || parts[at - 1] !== '*'), '$'];
  for (let at = 0; at + 1 < edged.length; at++) {
    let value = withText(seedOf('r'), edged[at] ?? '');
    for (let end = at + 1; end < Math.min(edged.length, at + 4); end++) {
      value = withText(mixed(value, SPACE), edged[end] ?? '');
      found.add(value >>> 0);
    }
  }
}

function nameOf(kind: number): string {
  return kindNames[kind] ?? '';
}

const SHAPES: readonly (readonly [string, RegExp])[] = [
  ['asks', /\?\s*$/],
  ['exclaims', /!\s*$/],
  ['call', /\w\(.{0,200}\)/],
  ['braces', /[{}[\];]|=>|->|::/],
  ['assigns', /\w\s*=+\s*\w/],
  ['fenced', /```|`[^`]+`/],
  ['camel', /\b[a-z]+[A-Z]\w*\b/],
  ['snake', /\w_\w/],
  ['file', /\w\.(?:js|ts|py|rs|go|java|c|cpp|h|sh|json|ya?ml|toml|html|css|sql|md|txt|csv)\b/i],
  ['option', /(?:^|\s)--?[a-z][\w-]*/],
  ['tag', /<\/?[a-z][^<>]*>/i],
  ['raises', /\b[A-Z]\w*(?:Error|Exception)\b/],
  ['path', /(?:^|\s)[~.]?\/[\w.-]+/],
  ['sum', /\d\s*[-+*/^×÷x]\s*\d/],
  ['equation', /\d?[a-z]\s*[-+^=]\s*\d|\d\s*=/],
  ['percent', /\d\s*(?:%|percent)/],
  ['money', /[$€£]\s*\d|\d\s*(?:[$€£]|euro|dollar|bucks)/i],
  ['clock', /\b\d{1,2}(?::\d\d|\s*(?:am|pm|h|uhr|o'?clock))\b/i],
  ['numbers', /\d\D+\d\D+\d/],
  ['number', /\d/],
  ['quotes', /["“„«].*["”“»]/],
  ['colon', /:\s/],
  ['lines', /\n/],
  ['address', /https?:|www\.|\w@\w/],
];

const shapes = SHAPES.map(([name, pattern]) => ({ feature: hash('h', name), pattern }));

interface Cut {
  readonly tokens: readonly string[];
  readonly words: readonly string[];
}

function shape(text: string, { tokens, words }: Cut, found: FeatureCounts): void {
  for (const { feature, pattern } of shapes) if (pattern.test(text)) found.add(feature);
  const first = words[0] ?? '';
  found.add(hash('l', String(Math.min(12, Math.ceil(Math.log2(words.length + 1) * 2)))));
  found.add(hash('1', first));
  found.add(hash('z', words.at(-1) ?? ''));
  if (tokens.length > words.length * 2) found.add(hash('h', 'marks'));
  let spoken = 0;
  for (const word of words) if (VOWEL.test(word) && !UNSPEAKABLE.test(word)) spoken++;
  found.add(hash('v', String(Math.round((3 * spoken) / Math.max(1, words.length)))));
}

const VOWEL = /[aeiouyäöüéèáíóú]/;
const UNSPEAKABLE = /[^aeiouy\d]{5}|(.)\1\1/;

/**
 * FNV-1a of one text, or of two with a space in between, which need not be put together. The name of the family is the
 * beginning, so that equal texts of two families differ.
 */
function hash(family: string, text: string, second?: string): number {
  const value = withText(seedOf(family), text);
  return (second === undefined ? value : withText(mixed(value, SPACE), second)) >>> 0;
}

function withText(before: number, text: string): number {
  let value = before;
  for (let at = 0; at < text.length; at++) value = mixed(value, text.charCodeAt(at));
  return value;
}

function seedOf(family: string): number {
  return mixed(0x811c9dc5, family.charCodeAt(0));
}

function mixed(value: number, code: number): number {
  return Math.imul(value ^ code, 0x01000193);
}
