import { piece } from '../../regExp.ts';
import { KIN } from '../kin.ts';
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

/** A row of a table. What stands in it as an example is a test of it (`test/language/tables.test.ts`). */
export interface Rule {
  readonly pattern: RegExp;
  /** What may be denied and still says something: "I don't like", against "I don't live in". */
  readonly deniable?: boolean;
  /** Of what the named groups matched, as it was written and as it is compared. */
  yields(written: Groups, said: Said, words: Groups): Draft | readonly Draft[] | undefined;
  /** What somebody says, then each thing that this row tells of it, behind its slot: `home.city: The user …`. */
  readonly examples: readonly (readonly [said: string, ...told: string[]])[];
  /** Of which this row tells nothing, however much it looks like it. */
  readonly counterExamples: readonly string[];
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
  kin: piece`
    (?:(?<which>older|younger|elder|little|big|twin|other|second|first|oldest|youngest|eldest|middle|late
    |baby|step|half|new|ex) )?(?<kin>${KIN}|mama|mommy|daddy|papa|granny|stepmother|stepfather|stepson
    |stepdaughter|mother-in-law|father-in-law|sister-in-law|brother-in-law|grandson|granddaughter|baby|boss
    |manager|therapist|twin|boy|girl|child|kid)`,
  pet: piece`
    (?<pet>dog|cat|puppy|kitten|hamster|rabbit|bunny|parrot|bird|budgie|horse|pony|goldfish|fish|turtle
    |tortoise|snake|lizard|gecko|guinea pig|ferret|rat|mouse|chicken|hen|goat|pig|cow|donkey|iguana|canary
    |cockatiel|labrador|poodle|terrier|beagle|husky|retriever|german shepherd|dachshund|chihuahua|corgi
    |bulldog|pug|axolotl|hedgehog|llama|alpaca|sheep|duck)`,
  name: piece`(?<name>[\p{L}'-]+(?: (?!and|is|who|but|so|in|at|has|was)[\p{L}'-]+)?)`,
  count: piece`(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+|twin|triplet|no|several|many)`,
  end: `(?=${STOP})`,
};

/** A pattern over the words of a clause, from its start; `{I}`, `{end}` and the like stand for the parts above. */
export function says(text: TemplateStringsArray, ...pieces: readonly string[]): RegExp {
  const pattern = piece(text, ...pieces).replace(/\{(\w+)\}/g, (whole, name: string) => parts[name] ?? whole);
  return new RegExp(`^${pattern}`, 'du');
}
