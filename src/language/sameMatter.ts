import { tellingStemsOf } from './whoseWords.ts';
import { stem, stemsOf } from './words.ts';

/** Of what each row speaks of, somebody has one at a time: another word on it may take the place of the first. */
const matters: readonly (readonly [matter: string, words: string])[] = [
  ['home', 'live lives living reside resides moved move home wohnt wohne lebt habite vive'],
  ['work', 'work works working job employed employer employs arbeitet trabaja travaille'],
  ['age', 'old age aged year years turned birthday alt años ans'],
  [
    'marriage',
    'married divorced single engaged widowed separated wife husband spouse verheiratet geschieden',
  ],
  ['children', 'child children kid kids baby babies son sons daughter daughters kind kinder'],
  ['name', 'named name called heißt'],
];
const matterOf: ReadonlyMap<string, string> = new Map(
  matters.flatMap(([matter, words]) => words.split(' ').map((word) => [stem(word), matter] as const)),
);

/** People and animals who are somebody's: what is so of them is not so of the user. */
const KIN =
  'husband wife partner spouse boyfriend girlfriend fiancé fiancée son daughter child kid baby mother mum mom father ' +
  'dad parent brother sister sibling grandmother grandma grandfather grandpa uncle aunt cousin niece nephew friend ' +
  'boss colleague neighbour neighbor roommate flatmate cat dog mann frau tochter sohn kind mutter vater bruder ' +
  'schwester freund freundin chef kollege nachbar mari femme fille fils mère père frère sœur ami amie marido esposa ' +
  'hija hijo madre padre hermano hermana amigo amiga';
const kin: ReadonlySet<string> = new Set(KIN.split(' ').map(stem));
const LEAST_SHARED = 0.25;

/**
 * Whether a later word can be one on what an earlier one says: both share a word that tells something, in the user's
 * own words, or are on one of the things of which somebody has one at a time. Who concludes may be wrong, or lie.
 */
export function isOnSameMatter(later: string, earlier: string, own: ReadonlySet<string>): boolean {
  return sharesOwnWord(later, earlier, own) || hasSameMatter(later, earlier);
}

/** How much two statements have in common, from 0 to 1: nothing, where they are of different things. */
export function closeness(one: string, other: string): number {
  const [first, second] = [toldStems(one), toldStems(other)];
  const all = first.union(second).size;
  const share = all === 0 ? 0 : first.intersection(second).size / all;
  if (hasSameMatter(one, other)) return Math.max(share, 0.5);
  const telling = new Set(tellingStemsOf(one));
  return tellingStemsOf(other).some((word) => telling.has(word)) ? share : 0;
}

function toldStems(text: string): ReadonlySet<string> {
  return new Set(stemsOf(text).filter((word) => word !== 'user'));
}

function sharesOwnWord(later: string, earlier: string, own: ReadonlySet<string>): boolean {
  const [first, second] = [new Set(tellingStemsOf(later)), new Set(tellingStemsOf(earlier))];
  const shared = [...first.intersection(second)].filter((word) => own.has(word)).length;
  return shared > 0 && shared / Math.min(first.size, second.size) >= LEAST_SHARED;
}

function hasSameMatter(one: string, other: string): boolean {
  const matter = mattersIn(one);
  return !matter.isDisjointFrom(mattersIn(other)) && isOfSamePeople(one, other, matter);
}

/** Where the user's mother lives says nothing of where the user does. */
function isOfSamePeople(one: string, other: string, matter: ReadonlySet<string>): boolean {
  if (matter.has('marriage') || matter.has('children')) return true;
  const [first, second] = [kinIn(one), kinIn(other)];
  return first.symmetricDifference(second).size === 0;
}

function mattersIn(text: string): ReadonlySet<string> {
  return new Set(stemsOf(text).flatMap((word) => matterOf.get(word) ?? []));
}

function kinIn(text: string): ReadonlySet<string> {
  return new Set(stemsOf(text).filter((word) => kin.has(word)));
}

function speaksOfKin(text: string): boolean {
  const matter = mattersIn(text);
  return kinIn(text).size > 0 || matter.has('marriage') || matter.has('children');
}

const OF_USER =
  /^(?:the |der |die |le |la |l['’]|el )?(?:user|nutzer(?:in)?|benutzer|utilisat\p{L}+|usuari\p{L}+)(?!['’]s|\p{L})/iu;
const OF_OTHERS = regExpOfKin();
const OWN_SUBJECT = /(?<![\p{L}'’])(?:i|me|we|us|ich|mir|mich|wir|uns|je|moi|nous|yo|nosotros)(?!\p{L})/iu;

/** Of sentences, those that share a word with a statement. */
export function sayingSome(statement: string, sentences: readonly string[]): readonly string[] {
  const telling = new Set(tellingStemsOf(statement));
  return sentences.filter((sentence) => stemsOf(sentence).some((word) => telling.has(word)));
}

/**
 * Whether a statement puts on the user what the sentences that it rests on say of somebody else: of "my husband Tom is
 * allergic to shellfish", that the user is.
 */
export function isOfSomebodyElse(statement: string, saying: readonly string[]): boolean {
  if (!OF_USER.test(statement) || speaksOfKin(statement)) return false;
  return saying.length > 0 && saying.every((one) => OF_OTHERS.test(one) && !OWN_SUBJECT.test(one));
}

function regExpOfKin(): RegExp {
  const words = KIN.replaceAll(' ', '|');
  return new RegExp(
    `^\\W*(?:my|our|meine?|unsere?|mon|ma|notre|mi|nuestr[oa]) (?:\\p{L}+ )?(?:${words})s?(?!\\p{L})`,
    'iu',
  );
}
