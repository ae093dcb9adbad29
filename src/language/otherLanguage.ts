import { tellingStemsOf, type WhoseWords } from './whoseWords.ts';

/*
 * A model that sums up what somebody said in German in an English sentence shares no word with them. What it rests on
 * is then a quotation: it has to stand in what the user said, word for word, and the sentence still may hold no word
 * that only others said.
 */

/** Small words that tell a language from those beside it. */
const tables: Readonly<Record<string, string>> = {
  english: "the my is are and with have has from this that you they i'm don't it's who which",
  german:
    'der die das und ich ist nicht mein meine meinen bin ein eine einen mit auf für habe wir uns zu im den dem',
  french: "le les je j'ai suis est et mon ma mes nous avec dans pour pas une des du au",
  spanish: 'el los las soy y mi mis con en una tengo me gusta muy no es del al estoy vivo',
  italian: 'il gli sono è mio mia con non ho di che una vivo sto mi nel alla',
  dutch: 'het een ik ben niet mijn met van heb op aan zijn woon ook',
  portuguese: 'o os sou eu meu minha não com uma tenho em moro gosto da do',
};
const languagesOf = new Map<string, string[]>();
for (const [language, words] of Object.entries(tables))
  for (const word of words.split(' ')) languagesOf.set(word, [...(languagesOf.get(word) ?? []), language]);

/** By its small words; undefined where it has none that are known. */
function languageOf(text: string): string | undefined {
  const counts = new Map<string, number>();
  for (const word of text
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}']+/gu) ?? [])
    for (const language of languagesOf.get(word) ?? []) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

const SHORTEST_QUOTATION = 4;

/** Whether a quotation stands in a text, whatever its case, its spaces and the signs around it. */
export function isQuotedFrom(quotation: string, text: string): boolean {
  const wanted = plain(quotation);
  return (
    wanted.length >= SHORTEST_QUOTATION && tellingStemsOf(wanted).length > 0 && plain(text).includes(wanted)
  );
}

function plain(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words?.join(' ') ?? '';
}

/**
 * Whether a statement can say in its language what is quoted from a text in another. A name may be called otherwise
 * there, and a number may be written out; where the quotation has digits, they are the same.
 */
export function isTranslated(
  statement: string,
  { quotation, from }: { readonly quotation: string; readonly from: string },
  words: WhoseWords,
): boolean {
  const language = languageOf(statement);
  if (language === undefined || language === languageOf(from)) return false;
  const digits = new Set(quotation.match(/\d+/g));
  const areSame = (statement.match(/\d+/g) ?? []).every((one) => digits.size === 0 || digits.has(one));
  return areSame && tellingStemsOf(statement).every((word) => words.own.has(word) || !words.others.has(word));
}
