import { regExp } from '../regExp.ts';
import { ownWords } from './ownWords.ts';
import { english } from './requests/english.ts';
import { french, german, spanish } from './requests/others.ts';
import type { RequestKind, RequestTable } from './requests/row.ts';
import { sentencesOf } from './sentences.ts';
import { ownUntil } from './statements/fiction.ts';

/* What somebody asks of memory in plain words: to remember, to forget, to put right, or to say what it knows. */

export interface MemoryRequest {
  readonly kind: RequestKind;
  /** Of what, as it was written; nothing where all is meant, or what was said last. */
  readonly what: string;
  /** As it can be kept where no rule of statements makes more of it: in the user's own words. */
  readonly told: string;
  /** Where in the text it stands. */
  readonly start: number;
  readonly end: number;
}

export const requestTables: Readonly<Record<string, RequestTable>> = { english, german, french, spanish };

const LONGEST_TEXT = 20_000;
const LONGEST_SENTENCE = 600;
/** Looked for in every message: where none of them stands, nothing is asked of memory. */
const TELLING = regExp('iu')`
  remember|forget|memor|in mind|\bnote\b|for (?:future|your) reference|unlearn|\bwrong\b|mistake|incorrect|\bfalse\b
  |untrue|(?:not|n't|n’t|no longer) (?:right|true|correct|so)\b|\bknow\b|recall|stored|have learn|have saved
  |delete|erase|remove|wipe|\bclear\b|\breset\b|merke?n? dir|dir (?:bitte )?merken|notiere? dir|denke? (?:bitte )?daran
  |erinnere? dich|vergi?ss|lösche?|stimmt|das ist|falsch|weißt du|souviens|rappelle-toi|oublie|retiens|efface|supprime
  |\bfaux\b|n'est pas|sais|recuerda|acuérdate|olvid|en cuenta|anota|\bborra|elimina|no es|está mal|falso|sabes`;
/** Where in a sentence a request may begin. */
const BEGINNINGS =
  /(?:^|(?<=[,;:–—-] )|(?<=[,;:–—-] (?:and|but|und|aber|et|mais|y|pero) )|(?<= (?:and|but) ))(?=\S)/giu;
const MOST_BEGINNINGS = 20;
const MOST_REQUESTS = 50;
const ASKS = /\?\W*$/;

/** What the writer of a text asks of memory, in their own words, and not in a story or a quotation. */
export function requestsIn(text: string): readonly MemoryRequest[] {
  if (!TELLING.test(text)) return [];
  const shortened = text.slice(0, LONGEST_TEXT);
  const own = ownWords(shortened).slice(0, ownUntil(shortened)).replaceAll('’', "'");
  return requestsInOwn(own);
}

/** The same, of a text in which what is only shown is blanked out. */
function requestsInOwn(own: string): readonly MemoryRequest[] {
  const sentences = sentencesOf(own).filter(({ text: { length } }) => length <= LONGEST_SENTENCE);
  const requests: MemoryRequest[] = [];
  for (const { text, start, end } of sentences) {
    const found = requests.length < MOST_REQUESTS ? inSentence(text) : undefined;
    if (!found) continue;
    const { at, length, ...request } = found;
    // What is put right may be said in what follows.
    const after = request.kind === 'correct' ? own.slice(end, end + LONGEST_SENTENCE) : '';
    const what = bare(`${request.what}${after}`.trim());
    // "Forget that, I live in Oslo now": what follows is said, and asks for nothing.
    requests.push({ ...request, what, start: start + at, end: what === '' ? start + at + length : end });
  }
  return requests;
}

interface Found extends Pick<MemoryRequest, 'kind' | 'what' | 'told'> {
  readonly at: number;
  readonly length: number;
}

function inSentence(sentence: string): Found | undefined {
  if (!TELLING.test(sentence)) return undefined;
  const beginnings = Array.from(sentence.matchAll(BEGINNINGS), ({ index }) => index);
  for (const at of beginnings.slice(0, MOST_BEGINNINGS)) {
    const clause = sentence.slice(at);
    const isQuestion = ASKS.test(clause) && !MAY_ASK.test(clause);
    for (const { rows, told } of Object.values(requestTables))
      for (const { kind, pattern } of rows) {
        if (kind !== 'about' && isQuestion) continue;
        const found = pattern.exec(clause);
        if (!found) continue;
        const { what, topic, thing } = found.groups ?? {};
        const wanted = bare(what ?? topic ?? thing ?? '');
        return { kind, what: wanted, told: told(wanted), at, length: found[0].length };
      }
  }
  return undefined;
}

/** "Can you forget that?" asks for it all the same. */
const MAY_ASK =
  /^(?:\S+ ){0,2}(?:can|could|would|will|kannst|könntest|peux|puedes|podrías)[ -](?:you|du|tu)?/iu;
const POLITE = [
  'please',
  'ok',
  'okay',
  'thanks',
  'thank you',
  'bitte',
  'danke',
  'merci',
  'gracias',
  'por favor',
];
const SIGNS = ' .!?…;,\n\t';

/** Without the signs and the thanks at its end. */
function bare(what: string): string {
  let until = what.length;
  for (let before = -1; before !== until; ) {
    before = until;
    while (until > 0 && SIGNS.includes(what.charAt(until - 1))) until--;
    const left = what.slice(0, until).toLowerCase();
    const polite = POLITE.find(
      (words) => left.endsWith(words) && SIGNS.includes(left.at(-words.length - 1) ?? 'x'),
    );
    until -= polite?.length ?? 0;
  }
  return what.slice(0, until).trim();
}

/**
 * What of a user's text is evidence of them: their own words, without what they ask to be forgotten. The rest is
 * blanked out, so that places in it are places in the text.
 */
export function evidentWords(text: string): string {
  const own = ownWords(text);
  if (!FORGETS.test(own)) return own;
  let left = own;
  for (const { kind, start, end } of requestsInOwn(own.replaceAll('’', "'")))
    if (kind === 'forget' || kind === 'forget-all')
      left = left.slice(0, start) + left.slice(start, end).replace(/[^\n]/g, ' ') + left.slice(end);
  return left;
}

const FORGETS =
  /forget|remember|unlearn|delete|erase|remove|wipe|clear|reset|drop|vergi?ss|lösch|oublie|efface|supprime|olvida|borra|elimina/i;

const ASSENT = regExp('iu')`
  ^(?:yes|yep|yeah|yup|sure|ok|okay|of course|do it|do so|go ahead|please do|confirm|confirmed|ja|jawohl|klar|genau
  |mach das|tu das|oui|d'accord|vas-y|sí|si|claro|vale|hazlo|sim|sì|certo|да|так|tak|ano|áno|da|evet|igen|kyllä|joo
  |nai|ναι|はい|うん|是|是的|好|好的|네|응|نعم|כן|हाँ|हां|vâng|ya|iya)(?=$|[\s,.!。！])`;
const ALSO_SAID: ReadonlySet<string> = new Set(
  `yes please do it that this them both all of go ahead forget erase delete remove thanks thank you i am sure confirm
  ja bitte vergiss lösche das es sie alle alles danke sicher oui s'il te plaît oublie efface le la les tout merci sí por
  favor olvida borra lo los las eso todo gracias`.split(/\s+/),
);
const LONGEST_ASSENT = 80;

/** Whether somebody only says yes to what was asked before. */
export function isAssent(text: string): boolean {
  const words = ownWords(text.slice(0, LONGEST_TEXT)).trim().replaceAll('’', "'");
  const [first] = ASSENT.exec(words) ?? [];
  if (first === undefined || words.length > LONGEST_ASSENT) return false;
  const more = words.slice(first.length).match(/[\p{L}\p{N}']+/gu) ?? [];
  return more.every((word) => ALSO_SAID.has(word.toLowerCase()));
}
