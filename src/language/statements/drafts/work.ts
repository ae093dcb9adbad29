import { regExp } from '../../../regExp.ts';
import type { Draft } from '../rule.ts';
import type { Said } from '../said.ts';
import { clean, isPronounLike } from '../wording.ts';
import { isNamed } from './person.ts';

export function one(slot: string, value: string, text: string): Draft | undefined {
  return value ? { slot, value, text } : undefined;
}

export function asRole(role: string, place: string | undefined): readonly Draft[] {
  const kept = clean(role.replace(/ (?:in|from) (?:\p{Lu}.*)$/su, ''));
  const article = /^(?:[aeiou])/i.test(kept) ? 'an' : 'a';
  const known = /^(?:the|head|director|owner|founder|ceo|cto)\b/i.test(kept) ? '' : `${article} `;
  const drafts: Draft[] = [{ slot: 'work.role', value: kept, text: `The user works as ${known}${kept}.` }];
  const origin = / from (\p{Lu}.*)$/su.exec(role)?.[1];
  if (place && isNamed(place))
    drafts.push({ slot: 'work.employer', value: place, text: `The user works at ${place}.` });
  return [...drafts, ...fromPlace(origin)];
}

export function fromPlace(place: string | undefined): readonly Draft[] {
  return place && isNamed(place)
    ? [{ slot: 'home.origin', value: place, text: `The user is from ${place}.` }]
    : [];
}

const KIND_OF_EMPLOYER = regExp('i')`
  \b(?:hospital|school|company|startup|start-up|bank|university|restaurant|shop|store|library|office|hotel
  |clinic|agency|firm|factory|café|cafe|government|city of|airport|museum|farm|lab|charity|nonprofit|ngo
  |airline|supermarket|call center|bakery|brewery|council|army|navy|police)\b`;

const TIME_OR_MANNER = regExp('i')`
  ^(?:a living|an? (?:while|bit|year|month)|\d|home|night|the moment|weekends|(?:\w+ )?
  (?:years|months|hours|days)|least|once|full|hand|present)\b`;

export function employer(
  place: string,
  role: string | undefined,
  how: string,
  said: Said,
  spoken: string,
): readonly Draft[] | undefined {
  const isTime = TIME_OR_MANNER.test(spoken);
  const isKind = KIND_OF_EMPLOYER.test(place);
  if (
    isTime ||
    isPronounLike(place) ||
    !(isNamed(place) || isKind || (said.isLower && how !== 'with' && place.split(' ').length <= 2))
  )
    return undefined;
  if (how === 'with' && !isNamed(place)) return undefined;
  const isVolunteer = /^(?:i|we) (?:\w+ly )?volunteer/.test(said.words);
  const verb = isVolunteer ? 'volunteers at' : 'works at';
  const employed: Draft = {
    slot: isVolunteer ? 'work.volunteering' : 'work.employer',
    value: place,
    text: `The user ${verb} ${place}.`,
  };
  return [employed, ...(role ? asRole(role, undefined) : [])];
}

export function leftWork(place: string, said: Said): Draft | undefined {
  if (!isNamed(place) || /^(?:the|my|our) \p{Ll}/u.test(place) || said.denied) return undefined;
  return {
    slot: 'work.employer',
    value: place,
    text: `The user no longer works at ${place}.`,
    negated: true,
    corrects: true,
  };
}

export function study(subject: string | undefined, place: string | undefined): readonly Draft[] {
  const drafts: Draft[] = [];
  if (subject) drafts.push({ slot: 'study.subject', value: subject, text: `The user studies ${subject}.` });
  if (place)
    drafts.push({ slot: 'study.place', value: place, text: `The user studies or studied at ${place}.` });
  return drafts;
}
