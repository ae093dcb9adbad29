import { piece, regExp } from '../../regExp.ts';
import { stemsOf } from '../words.ts';
import type { Said } from './said.ts';

/** What a rule makes of a clause. */
export interface Draft {
  readonly slot: string;
  readonly value: string;
  /** A sentence about the user, in the third person. */
  readonly text: string;
  readonly negated?: boolean;
  readonly confidence?: number;
  readonly corrects?: boolean;
  readonly replaces?: string;
}

export type Groups = Readonly<Record<string, string | undefined>>;

export interface Rule {
  readonly pattern: RegExp;
  /** What may be denied and still says something: "I don't like", against "I don't live in". */
  readonly deniable?: boolean;
  make(groups: Groups, said: Said, words: Groups): Draft | readonly Draft[] | undefined;
}

const ADVERBS = piece`
  (?:(?:really|absolutely|just|also|currently|now|still|always|actually|totally|quite|very much|honestly
  |recently|already|usually|normally|typically|generally|mostly|often|truly|simply|only|both|all|too
  |definitely|personally|officially|originally|finally|genuinely|particularly|especially|deeply|mainly
  |primarily|presently|temporarily|permanently|do|so|rather|sort of|kind of|kinda|pretty|super|a bit
  |at the moment|lately|secretly|naturally|basically|proudly|happily|legally|clinically|completely|strictly
  |purely|fairly|extremely|incredibly|severely|deathly|highly|mildly|slightly|partially|nearly always
  |tend to|try to|have to) )*`;
const STOP = piece`
  [ ](?:and (?:i|my|we|our|he|she|it|they|you|do|can|that|am|live|work|have|love|like|would|would|so|need
  |want|was|is|will|the one)|but|because|so|since|which|who|whose|where|when|while|if|although|though|then
  |than i|as i|as well|i am|i live|i work|i have|i love|i like|my name|do you|can you|what|how|i|please
  |thanks|lol|btw|keep|except|unless|before i|after i|that i|that is|also|too)(?= |$)| [,;:.!?()…]|$`;
const parts: Readonly<Record<string, string>> = {
  I: '(?:i|we|(?:my|our) [a-z]+ and (?:i|me)|me and (?:my|our) [a-z]+) ',
  My: '(?:my|our) ',
  a: ADVERBS,
  is: "(?:is|was|are|'s) ",
  det: '(?:(?:a|an|the|my|our|some|this|one|another) )?',
  kin: piece`
    (?:(?<which>older|younger|elder|little|big|twin|other|second|first|oldest|youngest|eldest|middle|late
    |baby|step|half|new|ex) )?(?<kin>sister|brother|mother|father|mom|mum|mama|mommy|dad|daddy|papa|wife
    |husband|partner|spouse|son|daughter|girlfriend|boyfriend|fiancé|fiancée|fiance|fiancee|aunt|uncle
    |cousin|niece|nephew|grandma|grandmother|granny|grandpa|grandfather|stepmother|stepfather|stepson
    |stepdaughter|mother-in-law|father-in-law|sister-in-law|brother-in-law|grandson|granddaughter|baby|boss
    |manager|therapist|twin|boy|girl|child|kid)`,
  pet: piece`
    (?<pet>dog|cat|puppy|kitten|hamster|rabbit|bunny|parrot|bird|budgie|horse|pony|goldfish|fish|turtle
    |tortoise|snake|lizard|gecko|guinea pig|ferret|rat|mouse|chicken|hen|goat|pig|cow|donkey|iguana|canary
    |cockatiel|labrador|poodle|terrier|beagle|husky|retriever|german shepherd|dachshund|chihuahua|corgi
    |bulldog|pug|axolotl|hedgehog|llama|alpaca|sheep|duck)`,
  called: "(?:is |'s |are )?(?:called|named|name is|name 's) ",
  end: `(?=${STOP})`,
};

/** A pattern over the words of a clause, from its start; `{I}`, `{end}` and the like stand for the parts above. */
export function says(text: TemplateStringsArray, ...pieces: readonly string[]): RegExp {
  const pattern = piece(text, ...pieces).replace(/\{(\w+)\}/g, (whole, name: string) => parts[name] ?? whole);
  return new RegExp(`^${pattern}`, 'du');
}

/** Read backwards from the end: forwards, each of many such words would be tried as the first. */
const TRAILING = regExp('i')`
  $(?<=((?:[ ,]+(?:now|nowadays|these days|currently|too|as well|btw|by the way|lol|though|either|anymore
  |at all|a lot|very much|so much|the most|right now|at the moment|actually|today|please|thanks|haha|again
  |there|here|in general|in particular|especially|myself|already|for now|as of now|at present|instead|anyway
  |obviously|still|yet|more than anything|nice to meet you|keep|for work|and|or|not|really))+))`;

/** What a named group matched, as it was written. */
export function written(said: Said, match: RegExpExecArray): Groups {
  const places = match.indices?.groups ?? {};
  const found: Record<string, string | undefined> = {};
  for (const [name, place] of Object.entries(places)) {
    if (place) found[name] = clean(cut(said, place[0], place[1]));
  }
  return found;
}

function cut({ words, tokens, source }: Said, from: number, until: number): string {
  const begin = from + (/^ */.exec(words.slice(from, until))?.[0].length ?? 0);
  if (begin === until) return '';
  const first = tokens[words.slice(0, begin).split(' ').length - 1];
  const last = tokens[words.slice(0, until).trimEnd().split(' ').length - 1];
  return first && last ? source.slice(first.start, last.end) : '';
}

export function clean(value: string): string {
  const plain = value.replace(/\s+/g, ' ').trim();
  const trailing = TRAILING.exec(plain)?.[1] ?? '';
  return plain.slice(0, plain.length - trailing.length).replace(/^[\s,;:.]+|(?<![\s,;:.])[\s,;:.]+$/g, '');
}

/** A key for what a fact is about, the same for the forms of its words. */
export function keyOf(value: string): string {
  const stems = stemsOf(value.replace(/^(?:a|an|the|some|all|any|both)\s+/i, ''));
  return (stems.length > 0 ? stems : [value.toLowerCase()]).slice(0, 6).join('-');
}

/** Of one who speaks to one who is spoken of. */
export function inThirdPerson(text: string): string {
  return text
    .replace(/\b(?:I am|I'm|im|we are|we're)\b/gi, 'the user is')
    .replace(/\b(?:I have|I've)\b/g, 'the user has')
    .replace(/\b(?:my|our)\b/gi, 'their')
    .replace(/\b(?:myself|ourselves)\b/gi, 'themselves')
    .replace(/\b(?:me|us)\b/g, 'them')
    .replace(/\b(?:mine|ours)\b/gi, 'theirs')
    .replace(/\bI\b|\bi\b|\bwe\b/g, 'they');
}

const PASSING = regExp('i')`
  ^(?:it|its|this|that|these|those|them|him|her|you|your|yours|me|us|one|ones|what|how|when|where|why|who
  |which|all|everything|anything|nothing|something|everyone|someone|there|here|both|to|if|the way|the idea
  |my|mine|his|their|such|more|most|some|any|so|as|no|not|just|very|each|every|either|neither|another
  |other)\b(?! (?:kinds?|sorts?|types?) of)`;

/** A word that stands for what the conversation is about at the moment says nothing that lasts. */
export function isPassing(value: string): boolean {
  return PASSING.test(value) || value.length < 2;
}

const PRONOUN_LIKE = regExp('i')`
  ^(?:it|this|that|these|those|them|him|her|you|me|what|how|here|there|home
  |the (?:same|problem|issue|code|bug|following|first|second)|all|everything|something
  |my (?:own|computer|mind|way))\b`;

/** What stands where a name would, and means something of the talk or of the work at hand. */
export function isPronounLike(value: string): boolean {
  return PRONOUN_LIKE.test(value);
}
