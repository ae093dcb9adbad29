import { regExp } from '../../../regExp.ts';
import type { Draft } from '../rule.ts';
import type { Said } from '../said.ts';
import { isDemonym, isFirstName, isInvented, isTrait } from '../vocabulary.ts';
import { clean } from '../wording.ts';

export function fact(slot: string, value: string, text: (value: string) => string): Draft | undefined {
  return value ? { slot, value, text: text(value) } : undefined;
}

export function origin(place: string, how: string): Draft | undefined {
  if (!isNamed(place) && !/^(?:a|an|the) /.test(place) && place !== place.toLowerCase()) return undefined;
  if (
    /^(?:a|an|the|my|your|this|that|here|there) (?!.*\p{Lu})(?!(?:small|tiny|big|little)? ?(?:town|village|city|farm|island|suburb))/u.test(
      place,
    ) ||
    /^(?:here|there|work|home|it|him|her|them|mars|venus|hell|heaven|earth|(?:the )?(?:moon|future|(?:outer )?space))$/i.test(
      place,
    ) ||
    // Where somebody speaks from is not where they are from.
    /\b(?:department|team|office|company|agency|group|desk|division|support|school|class|firm|hotel|hospital|bank)$/i.test(
      place,
    )
  )
    return undefined;
  return fact('home.origin', place, (value) => `The user ${how} ${value}.`);
}

export function isNamed(value: string): boolean {
  return /(?:^|\s)\p{Lu}/u.test(value);
}

const NO_NAME = regExp('i')`
  ^(?:spelled|misspelled|pronounced|wrong|not|missing|misspelt|in|on|too|very|hard|easy|undefined|null|a|an
  |the|too|known|long|short|common|rare|written|mud|unique|of|from|irrelevant)\b`;

export function nameDraft(written: string, said: Said): Draft | undefined {
  const name = shortName(written, 4);
  if (!name || NO_NAME.test(name) || !(isNamed(name) || said.isLower)) return undefined;
  return { slot: 'name', value: name, text: `The user's name is ${name}.`, confidence: 0.95 };
}

export function nicknameDraft(written: string, said: Said): Draft | undefined {
  const name = shortName(written, 3);
  if (
    !name ||
    NO_NAME.test(name) ||
    !(isNamed(name) || (said.isLower && (isFirstName(name) || isShort(name))))
  )
    return undefined;
  return { slot: 'name.nickname', value: name, text: `The user is called ${name}.` };
}

const SHORT_NAME = regExp()`
  ^(?!sir|maybe|later|back|crazy|when|if|tomor|today|at|on|in|now|old|dumb|stupid|once|first|again|for|to|by
  |with|it|that|this|he|she|they|mad|lazy|daddy)[a-z]{2,8}$`;

/** "call me mo". */
function isShort(name: string): boolean {
  return SHORT_NAME.test(name);
}

/** "I'm Sarah" is a name; "I'm Dutch", "I'm OK", "I'm Batman" are none. */
export function introduced(written: string, said: Said): Draft | undefined {
  const name = /^(.+?)(?: (?:from|and|by the way|btw|the|a)(?: .*)?)?$/s.exec(written)?.[1] ?? '';
  const words = name.split(' ');
  if (words.length > 3 || isDemonym(name) || isInvented(name)) return undefined;
  const isName = words.every((word) => /^\p{Lu}[\p{Ll}'’-]+(?:\p{Lu}\p{Ll}+)?\.?$/u.test(word));
  const known = isFirstName(words[0] ?? '');
  if (isName ? !known && isOrdinary(name) : !(said.isLower && known && words.length === 1)) return undefined;
  return { slot: 'name', value: name, text: `The user's name is ${name}.`, confidence: known ? 0.9 : 0.75 };
}

const ORDINARY = regExp()`
  ^(?:Ok(?:ay)?|Not|So|Very|Sorry|Fine|Done|Here|Back|Ready|Christian|Deaf|Gay|Happy|Sad|Tired|Sure|Glad
  |Looking|Trying|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|June
  |July|August|September|October|November|December|Linux|Windows|Mac|Java|Python)\b`;

/** Capital letters at the start of what is no name: days, faiths, what one supports or is. */
function isOrdinary(name: string): boolean {
  return isTrait(name.toLowerCase()) || ORDINARY.test(name);
}

function shortName(written: string, most: number): string | undefined {
  const name = clean(written.replace(/ (?:and|but|by the way|btw|from|because|these days|so)\b.*$/is, ''));
  const words = name.split(' ');
  return name && words.length <= most && words.every((word) => /^[\p{L}'’.-]+$/u.test(word))
    ? name
    : undefined;
}

export function ageDraft(age: string, said: Said): Draft | undefined {
  const years = Number(age);
  if (years < 5 || years > 110) return undefined;
  const from = new Date(said.at).getUTCFullYear();
  return { slot: 'age', value: age, text: `The user is ${age} years old (said in ${from}).` };
}

export function traitDraft(written: string): Draft | undefined {
  const trait = clean(written.replace(/^(?:an?|the) /, ''));
  if (!isTrait(trait.toLowerCase())) return undefined;
  const article = /^(?:an?|the) /.exec(written)?.[0] ?? '';
  return {
    slot: `trait.${trait.toLowerCase().replaceAll(' ', '-')}`,
    value: trait,
    text: `The user is ${article}${trait}.`,
  };
}
