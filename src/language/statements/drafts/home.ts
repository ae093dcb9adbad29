import { regExp } from '../../../regExp.ts';
import type { Draft } from '../rule.ts';
import type { Said } from '../said.ts';
import { isPronounLike } from '../wording.ts';
import { isNamed } from './person.ts';

const ABSTRACT = regExp('i')`
  ^(?:hope|fear|peace|denial|exile|poverty|luxury|sin|harmony|silence|the moment|the past|the future
  |the present|(?:constant|total|complete|perpetual) |my (?:head|own|car|mind)
  |an? (?:dream|bubble|simulation|fantasy|lie|hurry|world)|interesting times
  |the (?:now|real world|shadow|clouds|middle of nowhere)|chaos|style|shame|pain|squalor|a society|constant
  |reality|dreams)`;

export function home(place: string, near: string | undefined, said: Said): Draft | undefined {
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

export function moved(place: string, from: string | undefined, said: Said): Draft | undefined {
  const draft = home(place, undefined, said);
  if (
    !draft ||
    /^(?:an? |the )?(?:different|next|other|new) (?:topic|question|desk|team|table|step|one)/.test(place)
  )
    return undefined;
  return { ...draft, corrects: from !== undefined, ...(from ? { replaces: from } : {}) };
}
