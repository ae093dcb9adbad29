import { piece, regExp } from '../../regExp.ts';
import { dateIn } from '../dates.ts';
import { clean, type Draft, type Rule, says } from './rule.ts';
import type { Said } from './said.ts';

const NAME = piece`(?<name>[\p{L}'-]+(?: (?!and|is|who|but|so|in|at|has|was)[\p{L}'-]+)?)`;
const NAMES = piece`(?<name>[\p{L}'-]+(?:(?: ,| ,? ?and) [\p{L}'-]+)+)`;
const COUNT = piece`(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+|twin|triplet|no|several|many)`;
const CHILDREN = piece`
  (?:(?:little|young|small|grown|grown-up|adult|teenage|older|younger|beautiful|lovely|wonderful|adopted
  |twin) )*(?:kids|children|boys|girls|sons|daughters|twins|siblings|sisters|brothers|grandchildren
  |grandkids|toddlers|teenagers|stepchildren|nephews|nieces)`;

/** The people and animals that the user lives with: who there is, what they are called, how old they are. */
export const familyRules: readonly Rule[] = [
  {
    pattern: says`
      {My}{kin} (?:'s (?:first )?name (?:is|was|'s)|(?:is|was|are|'s) (?:called|named)|named|called)
      (?: actually| now)? ${NAME}(?=$| [,.;!()]| and| but| not| who| who| so| by| she| he| from| btw| in| is
      | has| was| lives| works)`,
    make: ({ name = '', kin = '', which }, said) => relative(kin, which, name, said),
  },
  {
    pattern: says`
      (?:{My})(?<kin>parents|kids|children|sons|daughters|brothers|sisters|twins|boys|girls|siblings
      |grandparents)(?: 's? names)? (?:are|'s names are)(?: called| named)? ${NAMES}
      (?=$| [,.;!]| but| so| who)`,
    make: ({ name = '', kin = '' }, said) => relative(kin, undefined, name, said),
  },
  {
    pattern: says`{My}{kin} ,? ?${NAME}(?= [a-z,'])`,
    make: ({ name = '', kin = '', which }, said) => relative(kin, which, name, said),
  },
  {
    pattern: says`
      {I}{a}(?:have|have got|had|got|adopted) (?:an? |one |{My})?
      (?:[a-z-]+ ){0,2}?{kin} (?:called|named|, called|, named|whose name is|by the name of|,) ${NAME}
      (?=$| [,.;!]| and| but| who| so| in)`,
    make: ({ name = '', kin = '', which }, said) => relative(kin, which, name, said),
  },
  {
    pattern: says`
      {I}(?:named|called|are naming|will name) {My}?(?<kin>baby|son|daughter|newborn|dog|cat|puppy|kitten
      |little boy|little girl) ${NAME}(?=$| [,.;!]| and| after| because)`,
    make: ({ name = '', kin = '' }, said) =>
      /dog|cat|puppy|kitten/.test(kin) ? petNamed(kin, name, said) : relative(kin, undefined, name, said),
  },
  {
    pattern: says`
      {I}{a}(?:am|are|have been|got|get) {a}(?:married|engaged) to ${NAME}
      (?=$| [,.;!]| and| for| since| in| last| but)`,
    make: ({ name = '' }, said) => relative('partner', undefined, name, said, true),
  },
  {
    pattern: says`
      i (?:am|have been|got|became) {a}(?:an? )?(?<status>single|married|divorced|engaged|widowed|separated
      |widow|widower|newlywed|single (?:mom|mum|mother|dad|father|parent)|in a relationship
      |in a long-distance relationship|recently divorced|happily married)
      (?=$| [,.;!]| and| but| so| with| for| in| on| last| since| now| who| at|\s\d)`,
    make: ({ status = '' }) => ({
      slot: 'family.status',
      value: status,
      text: `The user is ${/^(?:single \w|widow)/.test(status) && !/widowed/.test(status) ? `a ${status}` : status}.`,
    }),
  },
  {
    pattern: says`
      (?:being|as) an? (?<status>single|married|divorced) (?<kind>mom|mum|mother|dad|father|parent|man|woman
      |person) `,
    make: ({ status = '', kind = '' }) => ({
      slot: 'family.status',
      value: `${status} ${kind}`,
      text: `The user is a ${status} ${kind}.`,
    }),
  },
  {
    pattern: says`
      i am {a}(?:an? )?(?:single |proud |married |divorced |working |busy |new |young )*
      (?:mom|mum|mother|dad|father|parent|grandmother|grandfather|grandparent) (?:of|to) (?<count>${COUNT}
      (?: ${CHILDREN})?)(?=$| [,.;!]| and| so| but| who| aged| with)`,
    make: ({ count = '' }) => ({
      slot: 'family.children',
      value: count,
      text: `The user is a parent of ${count}.`,
    }),
  },
  {
    pattern: says`
      {I}{a}(?:have|have got|are raising|am raising) (?<count>${COUNT} ${CHILDREN})
      (?=$| [,.;!:]| and| so| but| who| aged| at| together| with| called| named| in)
      (?: (?:called|named|,|:) ${NAMES})?`,
    make: ({ count = '', name }, said) => children(count, name, said),
  },
  {
    pattern: says`
      {I}{a}(?:have|have got) (?:an? |one )(?<count>(?:older|younger|big|little|twin|baby|elder|half|step
      |new|newborn|\d+[- ]year[- ]old|[a-z]+[- ]year[- ]old|teenage|grown)?[ ]?
      (?:sister|brother|daughter|son|baby|child|kid|wife|husband|girlfriend|boyfriend|fiancé|fiancée|partner
      |stepson|stepdaughter|grandson|granddaughter))(?: , ${NAME})?
      (?=$| [,.;!]| and| so| but| who| in| at| now)`,
    make: ({ count = '', name }, said) => sibling(count, name, said),
  },
  {
    pattern: says`
      {My}{kin} (?:is|turns|turned|just turned|will be|will turn)
      (?: now| about to turn| turning)? (?<age>\d{1,3})(?: years old| years| months old| now)?
      (?=$| [,.;!]| on| in| this| next| and| today| tomorrow| last)`,
    make: ({ kin = '', age = '', which }) => ({
      slot: `family.${keyOfKin(kin, which)}.age`,
      value: age,
      text: `The user's ${kinOf(kin, which)} is ${age}.`,
    }),
  },
  {
    pattern: says`
      {My}(?<kin>kids|children|sons|daughters|twins|boys|girls) (?:are|turn|turned) (?<age>\d{1,2}
      (?:(?: ,)? (?:and )?\d{1,2})*)(?: years old)?(?=$| [,.;!]| and| now)`,
    make: ({ kin = '', age = '' }) => ({
      slot: `family.${kin}.age`,
      value: age,
      text: `The user's ${kin} are ${age}.`,
    }),
  },
  {
    pattern: says`
      {My}(?:[a-z]+ )?{pet} (?:'s name (?:is|was|'s)|(?:is|'s) (?:called|named)|named|called
      |, (?!is|who|has|and|she|he)(?=[a-z]+ ,)|)(?: now)? ?${NAME}
      (?=$| [,.;!]| and| but| who| is| has| was| likes| loves| because| she| he| keeps| ,| needs| sleeps
      | hates| always| just)`,
    make: ({ pet = '', name = '' }, said) => petNamed(pet, name, said),
  },
  {
    pattern: says`
      {I}{a}(?:have|have got|own|adopted|rescued|got|just got|recently adopted|are getting|keep)
      (?: an?| {My}?| one| another)? (?:[a-z-]+ ){0,2}?{pet} (?:called|named|whose name is|by the name of
      |, named|, called|,) ${NAME}(?=$| [,.;!]| and| but| who| from| yesterday| last| in| so)`,
    make: ({ pet = '', name = '' }, said) => petNamed(pet, name, said),
  },
  {
    pattern: says`
      {I}{a}(?:have|have got|own|adopted|rescued|keep|foster)(?: got)? (?<count>
      (?:${COUNT}) (?:[a-z-]+ ){0,2}?(?:dogs?|cats?|puppy|puppies|kittens?|hamsters?|rabbits?|bunn(?:y|ies)
      |parrots?|horses?|pon(?:y|ies)|goldfish|fish|turtles?|tortoises?|snakes?|guinea pigs?|ferrets?
      |chickens|hens|goats?|budgies|bees|bee hives|labradors?|poodle|corgi|beagle|husky|retriever
      |golden retriever|dachshund|greyhounds?|german shepherd))
      (?=$| [,.;!]| and| but| who| so| at| that| named| called| in| from| last| with| yesterday)`,
    make: ({ count = '' }) =>
      /^no\b/.test(count)
        ? undefined
        : { slot: `pet.${petOf(count)}`, value: count, text: `The user has ${count}.` },
  },
  {
    pattern: says`{My}{kin} 's birthday {is}(?:on |in |the )?(?<day>[^;:!?()]+)$`,
    make: ({ kin = '', day = '', which }, said) => birthdayOf(kin, which, day, said),
  },
];

function kinOf(kin: string, which: string | undefined): string {
  return which && !/^new$/.test(which) ? `${which} ${kin}` : kin;
}

function keyOfKin(kin: string, which: string | undefined): string {
  const same: Readonly<Record<string, string>> = {
    mom: 'mother',
    mum: 'mother',
    mama: 'mother',
    mommy: 'mother',
    dad: 'father',
    daddy: 'father',
    papa: 'father',
    grandma: 'grandmother',
    granny: 'grandmother',
    grandpa: 'grandfather',
    fiance: 'fiancé',
    fiancee: 'fiancé',
    fiancée: 'fiancé',
    newborn: 'baby',
  };
  const key = same[kin] ?? kin;
  return which &&
    /older|younger|elder|little|big|twin|other|second|step|half|oldest|youngest|eldest|middle|ex/.test(which)
    ? `${which}-${key}`
    : key;
}

const NO_NAME = regExp('i')`
  ^(?:a|an|the|is|very|not|so|really|my|in|on|at|and|from|sick|ill|here|there|coming|getting|going|visiting
  |pregnant|great|old|young|years|two|three|also|called|just|who|has|was|had|said|says|told|asked|likes
  |loves|works|lives|with|always|he|she|it|they|too|to|for|of|being|moving|turning|doing|home|back|dead|well
  |fine|ok|allergic|mad|angry|sad|happy)\b`;

/** In a text with capital letters a name has one. */
function isName(name: string, said: Said): boolean {
  const ordinary = NO_NAME;
  return (
    !ordinary.test(name) &&
    (said.isLower || name.split(/ (?:and )?|, /).every((word) => /^\p{Lu}/u.test(word)))
  );
}

function relative(
  kin: string,
  which: string | undefined,
  written: string,
  said: Said,
  married = false,
): Draft | undefined {
  const name = nameIn(written, said);
  if (!isName(name, said)) return undefined;
  const many = /s$/.test(kin) && kin !== 'boss';
  return {
    slot: `family.${keyOfKin(kin, which)}.name`,
    value: name,
    text: married
      ? `The user is married or engaged to ${name}.`
      : `The user's ${kinOf(kin, which)} ${many ? 'are' : 'is'} called ${name}.`,
    confidence: 0.9,
    ...(said.instead ? { replaces: said.instead } : {}),
  };
}

function children(count: string, names: string | undefined, said: Said): readonly Draft[] {
  const isSibling = /sisters|brothers|siblings|nephews|nieces|grand/.test(count);
  const slot = isSibling ? `family.${count.split(' ').at(-1)}` : 'family.children';
  const text = piece`The user has ${/^no\b/.test(count) ? 'no children' : count}.`;
  const named = names && isName(names, said) ? `${text.slice(0, -1)}: ${clean(names)}.` : text;
  return [{ slot, value: count, text: named }];
}

function sibling(count: string, name: string | undefined, said: Said): Draft {
  const kin = count.trim().split(' ').at(-1) ?? count;
  if (name && isName(name, said))
    return {
      slot: `family.${keyOfKin(kin, undefined)}.name`,
      value: name,
      text: `The user's ${kin} is called ${name}.`,
    };
  return {
    slot: `family.${keyOfKin(kin, undefined)}`,
    value: count.trim(),
    text: `The user has ${/^[aeiou]/.test(count.trim()) ? 'an' : 'a'} ${count.trim()}.`,
  };
}

function petNamed(pet: string, written: string, said: Said): Draft | undefined {
  const name = nameIn(written, said);
  if (!isName(name, said)) return undefined;
  return {
    slot: `pet.${pet.replaceAll(' ', '-')}.name`,
    value: name,
    text: `The user's ${pet} is called ${name}.`,
    confidence: 0.9,
  };
}

function petOf(count: string): string {
  const last = count.split(' ').at(-1) ?? '';
  return last.replace(/ies$/, 'y').replace(/(?<!fish|s)s$/, '');
}

function birthdayOf(kin: string, which: string | undefined, day: string, said: Said): Draft | undefined {
  const named = dateIn(day, said.at);
  if (!named) return undefined;
  return {
    slot: `date.${keyOfKin(kin, which)}.birthday`,
    value: day,
    text: `The birthday of the user's ${kinOf(kin, which)} is ${day} (${named.date}).`,
  };
}

/** The words with a capital letter that it begins with; all of them in a text without capital letters. */
function nameIn(written: string, said: Said): string {
  const capital = /^\p{Lu}[\p{L}'’-]*(?:(?:,? and |, | )\p{Lu}[\p{L}'’-]*)*/u.exec(written)?.[0];
  return clean(said.isLower ? written : (capital ?? written));
}
