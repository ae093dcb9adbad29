import { regExp } from '../../../regExp.ts';
import type { Draft } from '../rule.ts';
import type { Said } from '../said.ts';
import { clean, isPassing, keyOf } from '../wording.ts';

const OF_THE_MOMENT = regExp('i')`
  ^(?:to (?:say|think|know|ask|admit|be honest|have|see|get|hear|make|avoid|understand|point|break|bother
  |do (?:it|this|that))\b|my (?:chances|odds|new|point|code)|an? (?:table|ticket|refund|copy|list|summary
  |quick|good (?:answer|point))|being (?:able|told|asked|interrupted)|(?:\w+ )?
  (?:answer|response|idea|suggestion|error|bug|option|message|code|version|point)s?$)`;

const KNOWN_TO_ALL = regExp('u')`
  ^the (?:smell|taste|sound|sounds|feeling|feel|beach|sea|ocean|mountains|outdoors|rain|cold|heat|snow|sun
  |colou?r|forest|countryside|city|gym|theatre|theater|opera|piano|guitar|dark|winter|summer|autumn|spring
  |80s|90s|blues|wild|desert|quiet|heights)\b`;

/** "Coffee and my dog is called Biscuit": where something else is said. "My wife and my kids" are two that one loves. */
const NEXT_CLAUSE = regExp('is')`
  ,? (?:and|but|plus) (?:that )?(?:(?:i|we|i'm|we're|i've|we've) |(?:my|our) (?:\S+ ){1,4}(?:is|are|was|were|has|have
  |had|will|can|lives?|works?|likes?|loves?|hates?|plays?|speaks?)\b).*$`;

function isTopicOfTheMoment(thing: string): boolean {
  const isThe = /^the \p{Ll}/u.test(thing) && !KNOWN_TO_ALL.test(thing);
  return (
    isThe ||
    / (?:of|like) (?:that|this|it|these|those)\b|^option\b/i.test(thing) ||
    isPassing(thing) ||
    OF_THE_MOMENT.test(thing)
  );
}

export function likes(
  first: string,
  more: string,
  said: Said,
  dislikes: boolean,
  verb?: string,
): readonly Draft[] | undefined {
  const negated = dislikes !== (said.denied !== undefined && !dislikes);
  const things = [first, ...more.split(',')].flatMap((thing) => apart(clean(thing.replace(NEXT_CLAUSE, ''))));
  if (things.some(isTopicOfTheMoment)) return undefined;
  return things.map((thing) => ({
    slot: `preference.${keyOf(withoutPlace(thing))}`,
    value: thing,
    text: negated ? `The user does not like ${own(thing)}.` : `The user ${verb ?? 'likes'} ${own(thing)}.`,
    ...(negated ? { negated } : {}),
  }));
}

/** "Gardening and baking bread" are two; "salt and vinegar crisps" is one. */
function apart(thing: string): readonly string[] {
  const parts = thing
    .split(/ (?:and|or) /)
    .map((part) => part.replace(/^(?:and|or) /, '').trim())
    .filter(Boolean);
  return parts.length > 1 && parts.every((part) => /^\S*ing\b|^\S+$/.test(part))
    ? parts
    : thing
      ? [thing.replace(/^(?:and|or) /, '')]
      : [];
}

function withoutPlace(thing: string): string {
  return thing.replace(/ (?:on|in|at|with|for|during|by|from|when|of an) .*$/s, '');
}

function own(thing: string): string {
  return thing.replace(/\bmy\b/gi, 'their');
}

export function preferred(written: string, other: string | undefined): Draft | undefined {
  const thing = clean(written);
  const instead = other ? clean(other) : undefined;
  const isManner = /^(?:to \w+|(?:short|brief|concise|long|detailed|simple)\w* )/.test(thing);
  if (isTopicOfTheMoment(thing) && !isManner) return undefined;
  return {
    slot: `preference.${keyOf(withoutPlace(thing))}`,
    value: thing,
    text: `The user prefers ${own(thing)}${instead ? ` to ${own(instead)}` : ''}.`,
    ...(instead ? { replaces: instead } : {}),
  };
}

export function favourite(written: string, value: string, said: Said): Draft | undefined {
  const kind = clean(written)
    .toLowerCase()
    .replace('color', 'colour')
    .replace(/ of all time$/, '');
  const thing = clean(value).replace(/ (?:by far|hands down)$/, '');
  if (
    /\b(?:part|thing|bit|section|line|word|piece) (?:of|about|in|is) (?:your|this|that|the|it)|^(?:part|one|ones)$|^of\b/.test(
      kind,
    ) ||
    isPassing(thing) ||
    / of (?:your|this|that) /.test(said.words) ||
    /^the (?:last|first|second|third|one|same|former|latter)\b/i.test(thing)
  )
    return undefined;
  return {
    slot: `favourite.${kind.replace(/[^\p{L}\p{N}]+/gu, '-')}`,
    value: thing,
    text: `The user's favourite ${kind} is ${own(thing)}.`,
  };
}

export function instruction(order: string, said: Said): Draft | undefined {
  const isLasting = /\b(?:always|never|from now on|future|going forward)\b/.test(
    `${said.adverbial} ${said.words}`,
  );
  if (!isLasting || /\b(?:this|that|it|the following|above|below)\b/i.test(order)) return undefined;
  const negated = /\bnever\b/.test(said.words.split(' ').slice(0, 8).join(' ')) || said.denied !== undefined;
  const text = clean(order)
    .replace(/\bme\b/g, 'them')
    .replace(/\bmy\b/g, 'their');
  return {
    slot: `instruction.${keyOf(order)}`,
    value: clean(order),
    text: `The user asks ${negated ? 'never' : 'always'} to ${text}.`,
    ...(negated ? { negated } : {}),
  };
}
