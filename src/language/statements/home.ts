import { piece, regExp } from '../../regExp.ts';
import { isNamed } from './person.ts';
import { type Draft, isPronounLike, type Rule, says } from './rule.ts';
import type { Said } from './said.ts';

const PLACE = piece`
  (?<place>[^,;:.!?()]+?)(?= (?:with|for|now|nowadays|these|since|right|currently|at the moment|because|not
  |where|to be|on my|by myself|alone|from|last|this|next|two|three|four|five|six|a few
  |an? (?:year|month|week)|\d+ (?:years|months)|in (?:the )?(?:19|20|june|may|july|august|september|october
  |november|december|january|february|march|april|summer|spring|autumn|fall|winter)[a-z0-9]*|when|after
  |before|yesterday|recently|and)(?= |$)|{end})`;
const ABSTRACT = regExp('i')`
  ^(?:hope|fear|peace|denial|exile|poverty|luxury|sin|harmony|silence|the moment|the past|the future
  |the present|(?:constant|total|complete|perpetual) |my (?:head|own|car|mind)
  |an? (?:dream|bubble|simulation|fantasy|lie|hurry|world)|interesting times
  |the (?:now|real world|shadow|clouds|middle of nowhere)|chaos|style|shame|pain|squalor|a society|constant
  |reality|dreams)`;

/** Where the user lives. */
export const homeRules: readonly Rule[] = [
  {
    pattern: says`home (?:is|has been|for {I}is)(?: now| currently)? ${PLACE}`,
    make: ({ place = '' }, said) => (isNamed(place) ? home(place, undefined, said) : undefined),
  },
  {
    pattern: says`
      {I}{a}(?:live|living|reside|stay permanently|am living|are living|have been living|have lived
      |am residing|am settled|settled|live together) (?:{a})?(?:just )?
      (?:in|at|on|(?<near>near|outside|outside of|close to|north of|south of|east of|west of|next to
      |by)) ${PLACE}`,
    make: ({ place = '', near }, said) => home(place, near, said),
  },
  {
    pattern: says`
      {I}{a}(?:am|are) {a}(?:based|located|living|settled|residing) {a}
      (?:in|at|(?<near>near|outside)) ${PLACE}`,
    make: ({ place = '', near }, said) => home(place, near, said),
  },
  {
    pattern: says`
      {I}{a}(?:have )?{a}(?:moved|relocated|moved back|moved here|emigrated|immigrated|moved over)
      (?: from (?<from>[^,;:.!?()]+?))? (?:to|into) ${PLACE}`,
    make: ({ place = '', from }, said) => moved(place, from, said),
  },
  {
    pattern: says`
      {My}(?:(?:current|new|permanent) )?(?:home|house|apartment|flat|place|residence) {is}
      (?:located )?in ${PLACE}`,
    make: ({ place = '' }, said) => home(place, undefined, said),
  },
];

function home(place: string, near: string | undefined, said: Said): Draft | undefined {
  const where = near ? `${near} ${place}` : place;
  if (!place || ABSTRACT.test(place) || isPronounLike(place) || !isPlaceLike(place, said)) return undefined;
  return {
    slot: 'home.city',
    value: where,
    text: `The user lives ${near ? '' : /^(?:\d|the \w+ floor)/.test(place) ? 'at ' : 'in '}${where}.`,
    ...(said.instead ? { replaces: said.instead } : {}),
  };
}

const KIND_OF_PLACE = regExp()`
  \b(?:city|town|village|suburb|countryside|flat|apartment|house|farm|island|dorm|condo|cabin|neighbou?rhood
  |studio|coast|mountains|van|boat|bungalow|cottage|sea|trailer|outskirts|downtown|uk|usa|us|south|north)\b`;

/** A name, a kind of place, or small letters throughout. */
function isPlaceLike(place: string, said: Said): boolean {
  if (isNamed(place)) return true;
  if (KIND_OF_PLACE.test(place)) return true;
  return (
    said.isLower &&
    place.split(' ').length <= 3 &&
    !/^(?:an?|the|my|this|that|with|on|to|hard|well|fine|like|more) /.test(place)
  );
}

function moved(place: string, from: string | undefined, said: Said): Draft | undefined {
  const draft = home(place, undefined, said);
  if (
    !draft ||
    /^(?:an? |the )?(?:different|next|other|new) (?:topic|question|desk|team|table|step|one)/.test(place)
  )
    return undefined;
  return { ...draft, corrects: from !== undefined, ...(from ? { replaces: from } : {}) };
}
