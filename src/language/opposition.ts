import type { Claim } from './claim.ts';
import { stem } from './words.ts';

/** Why two statements may not both be true. */
export type OppositionSign = 'topic' | 'negation' | 'opposites' | 'numbers' | 'values' | 'names';

/** From this share of what the shorter one speaks of, two statements speak of the same. */
const SAME_SUBJECT = 0.34;

/** Of what is in one group, only one side is true at a time. */
const groups: readonly (readonly string[])[] = [
  [
    'like likes love loves enjoy enjoys prefer prefers adore adores',
    'hate hates dislike dislikes avoid avoids detest',
  ],
  ['married', 'single', 'divorced', 'widowed', 'engaged'],
  ['vegetarian vegan', 'meat steak beef pork chicken bacon'],
  ['morning mornings early', 'night nights evening evenings late'],
  ['alive living', 'dead died deceased'],
  ['left', 'right'],
  ['rent rents renting', 'own owns owned'],
  ['employed', 'unemployed jobless', 'retired'],
  ['introvert introverted', 'extrovert extroverted'],
  ['always often frequently', 'rarely seldom hardly'],
  ['daily', 'weekly', 'monthly', 'yearly'],
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  ['spring', 'summer', 'autumn fall', 'winter'],
  ['red', 'blue', 'green', 'yellow', 'black', 'white', 'purple', 'orange', 'pink', 'brown'],
  ['mother mum mom', 'father dad'],
  ['brother', 'sister'],
  ['north', 'south', 'east', 'west'],
  ['cheap', 'expensive'],
  ['quiet silent', 'loud noisy'],
  ['remote remotely', 'office onsite'],
  ['sober teetotal abstinent', 'beer wine whisky whiskey drinks'],
];

/** By stem, the group and the side on which it stands. */
const sides: ReadonlyMap<string, readonly [group: number, side: number]> = new Map(
  groups.flatMap((group, at) =>
    group.flatMap((words, side) =>
      words.split(' ').map((word) => [stem(word), [at, side] as const] as const),
    ),
  ),
);

export interface Opposition {
  readonly signs: readonly OppositionSign[];
  /** How much it speaks for a contradiction, from 0. */
  readonly weight: number;
}

/** What in the words of two statements speaks for a contradiction; `sameTopic` when both are known to be about one thing. */
export function oppositionOf(one: Claim, other: Claim, sameTopic: boolean): Opposition {
  const shared = sharedBy(one.stems, other.stems);
  const overlap = shared / Math.max(1, Math.min(one.stems.size, other.stems.size));
  const isSameSubject = overlap >= SAME_SUBJECT || sameTopic;
  const found: [OppositionSign, number][] = [];
  if (sameTopic) found.push(['topic', 2.5]);
  if (isSameSubject && one.denied !== other.denied) found.push(['negation', 2 * overlap]);
  const isShort = Math.min(one.stems.size, other.stems.size) === 1;
  if ((shared > 0 || isShort) && areOpposite(one, other)) found.push(['opposites', shared > 0 ? 2 : 1]);
  if (isSameSubject && differ(one.numbers, other.numbers)) found.push(['numbers', 1.5 * overlap]);
  // Each has something that the other has not: what only adds to the other does not contradict it.
  if (isSameSubject && shared < one.stems.size && shared < other.stems.size) found.push(['values', overlap]);
  if (one.names.size > 0 && !one.names.isDisjointFrom(other.names)) found.push(['names', 0.5]);
  return {
    signs: found.map(([sign]) => sign),
    weight: found.reduce((sum, [, weight]) => sum + weight, 0),
  };
}

function areOpposite(one: Claim, other: Claim): boolean {
  for (const word of one.stems) {
    const [group, side] = sides.get(word) ?? [];
    if (group === undefined || other.stems.has(word)) continue;
    for (const against of other.stems) {
      const [otherGroup, otherSide] = sides.get(against) ?? [];
      if (otherGroup === group && otherSide !== side && !one.stems.has(against)) return true;
    }
  }
  return false;
}

function differ(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (one.size === 0 || other.size === 0) return false;
  return !one.isSubsetOf(other) && !other.isSubsetOf(one);
}

/** Counted, and not collected: it is asked of a hundred thousand pairs. */
function sharedBy(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared++;
  return shared;
}
