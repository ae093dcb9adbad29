import { regExp } from '../../regExp.ts';
import { introduced, isNamed } from './person.ts';
import { clean, type Draft, isPronounLike, type Rule, says } from './rule.ts';
import type { Said } from './said.ts';
import { isJob } from './vocabulary.ts';

/** What the user does for a living, and what he studies. */
export const workRules: readonly Rule[] = [
  {
    pattern: says`{I}{a}(?:earn|make) (?:my|a|our) living as (?:an? )?(?<role>[^,;:.!?()]+?){end}`,
    make: ({ role = '' }) => asRole(role, undefined),
  },
  {
    pattern: says`
      {I}{a}(?:lead|manage|head|direct|run|coordinate|supervise) (?:the |an? )[^,;:.!?()]*?
      (?:team|department|group|office|lab|unit|project|division) at (?<place>[^,;:.!?()]+?){end}`,
    make: ({ place = '' }, said) =>
      isNamed(place) ? employer(place, undefined, 'at', said, place) : undefined,
  },
  {
    pattern: says`
      {I}(?:have )?{a}(?:handed|turned|gave|put) in my (?:notice|resignation) at (?<place>[^,;:.!?()]+?)
      (?= last| this| yesterday| today|{end})`,
    make: ({ place = '' }, said) => leftWork(place, said),
  },
  {
    pattern: says`
      {I}(?:am|are) in my (?<year>first|second|third|fourth|fifth|final|last) (?:year
      |semester) of (?<subject>[^,;:.!?()]+?)(?: at (?<place>[^,;:.!?()]+?))?{end}`,
    make: ({ subject = '', place }) => study(subject, place),
  },
  {
    pattern: says`
      i am (?<name>[^,]{2,30}?) (?:,|and) (?:an? |the )?(?<role>[^,;:.!?()]+?)
      (?: at (?<place>[^,;:.!?()]+?))?(?: from (?<from>[^,;:.!?()]+?))?{end}`,
    make: ({ name = '', role = '', place, from }, said) =>
      isJob(role)
        ? [introduced(name, said), ...asRole(role, place), ...fromPlace(from)].filter(
            (draft) => draft !== undefined,
          )
        : undefined,
  },
  {
    pattern: says`as an? (?<role>[a-z][a-z -]*?)(?: at (?<place>[^,;:.!?()]+?))? ,? ?(?:i|my|we) `,
    make: ({ role = '', place }) => (isJob(role) ? asRole(role, place) : undefined),
  },
  {
    pattern: says`
      (?:i am|i have been|we are) {a}(?:working as |employed as )?(?:(?:an?|the) )?(?<role>[^,;:.!?()]+?)
      (?: (?:at|for|with) (?<place>(?!the moment|a living|heart|[^,;:.!?()]* years?\b)[^,;:.!?()]+?))?
      (?: for [^,;:.!?()]*years?.*)?{end}`,
    make: ({ role = '', place }) => (isJob(role) ? asRole(role, place) : undefined),
  },
  {
    pattern: says`
      {I}{a}(?:work|am working|have been working|freelance|am freelancing|moonlight|volunteer|serve) {a}
      (?:full-time |part-time |full time |part time |freelance )?as (?:an? |the )?(?<role>[^,;:.!?()]+?)
      (?: (?:at|for|with) (?<place>[^,;:.!?()]+?))?(?: in [^,;:.!?()]+)?{end}`,
    make: ({ role = '', place }) => (isPronounLike(role) ? undefined : asRole(role, place)),
  },
  {
    pattern: says`
      {I}{a}(?:work|am working|have been working|have worked(?= (?:at|for) .* (?:since|for) )|am employed
      |volunteer|intern|am interning|am a volunteer) {a}(?:full-time |part-time |full time |part time |
      remotely |nights |days |weekends |shifts )?(?<how>at|for|with|by) (?<place>[^,;:.!?()]+?)
      (?= for (?:\w+ )?(?:years?|months?|about|over|almost|\d)
      | as | since | in (?:the )?[a-z]+ (?:department|team|field)|{end})
      (?: for [^,;:.!?()]*?(?:years|months)(?: now)?)?(?: as (?:an? |the )?(?<role>[^,;:.!?()]+?){end})?`,
    make: ({ place = '', role, how = '' }, said, { place: spoken = '' }) =>
      employer(place, role, how, said, spoken),
  },
  {
    pattern: says`
      {I}(?:have )?{a}(?:started|began|got|landed|accepted|took|have)
      (?: working| a (?:new )?(?:job|position|role|internship)| work) (?:at|with
      |for) (?<place>[^,;:.!?()]+?)(?: as (?:an? )?(?<role>[^,;:.!?()]+?))?{end}`,
    make: ({ place = '', role }, said) => employer(place, role, 'at', said, place),
  },
  {
    pattern: says`
      {I}(?:have )?{a}(?:quit|left|resigned from|got fired from|was fired from|was laid off from
      |stopped working (?:at|for))(?: {My}?job (?:at|with))? (?<place>[^,;:.!?()]+?)
      (?= last| this| in | after| to | yesterday| and|{end})`,
    make: ({ place = '' }, said) => leftWork(place, said),
  },
  {
    pattern: says`
      {I}{a}(?:work|am working|have worked|have been working|have a job|am) in (?:the )?
      (?<field>[a-z ]*?(?:marketing|finance|sales|it|tech|hr|human resources|healthcare|health care
      |education|insurance|logistics|retail|hospitality|construction|advertising|banking|publishing
      |journalism|consulting|agriculture|pharma|biotech|law|accounting|real estate|tourism|design|research
      |academia|media|engineering|manufacturing|customer service|gaming|fashion|aerospace|music|film
      |politics|security|procurement|government|software)(?: industry| sector| business| department)?)
      (?: at (?<place>[^,;:.!?()]+?))?{end}`,
    make: ({ field = '' }) => one('work.field', field, `The user works in ${field}.`),
  },
  {
    pattern: says`
      {My}(?:job|occupation|profession|job title|role|day job) {is}(?<det>an? |the )?
      (?<role>[^,;:.!?()]+?){end}`,
    make: ({ role = '', det }) =>
      det
        ? isJob(role)
          ? asRole(role, undefined)
          : undefined
        : /^(?:\w+ing \w|\p{Ll}+er$)/u.test(role) && !/ing (?:me|on|too|so|to)\b/.test(role)
          ? one('work.role', role, `The user's job is ${role}.`)
          : undefined,
  },
  {
    pattern: says`
      i am {a}(?:the )?(?<role>(?:ceo|cto|cfo|coo|head|director|owner|founder|co-founder|manager|vp
      |president|principal|dean|mayor|leader|editor)(?: of [^,;:.!?()]+?)?){end}`,
    make: ({ role = '' }) => asRole(role, undefined),
  },
  {
    pattern: says`
      {I}{a}(?:run|own|manage|operate|founded|started|co-founded) (?:an? |{My})
      (?<role>[^,;:.!?()]*?(?:bakery|shop|store|business|company|startup|start-up|restaurant|cafe|café|bar
      |farm|studio|agency|salon|practice|clinic|school|gym|pub|hotel|b&b|hostel|nursery|workshop|firm
      |brewery|bookshop|bookstore|garage|podcast|channel|blog|newsletter|charity|non-profit|nonprofit
      |consultancy|dental practice|food truck)[^,;:.!?()]*?){end}`,
    make: ({ role = '' }) => one('work.role', role, `The user runs a ${role}.`),
  },
  {
    pattern: says`{I}{a}teach (?<what>[^,;:.!?()]+?){end}`,
    make: ({ what = '' }) =>
      isPronounLike(what) ? undefined : one('work.role', `teaches ${what}`, `The user teaches ${what}.`),
  },
  {
    pattern: says`
      i (?:am|have been|have) {a}(?:(?<status>self-employed|self employed|unemployed|retired|between jobs
      |out of work|on (?:maternity|paternity|parental|sick) leave|a stay-at-home (?:mom|mum|dad|parent)
      |freelancing|jobless))`,
    make: ({ status = '' }) => one('work.status', status, `The user is ${status}.`),
  },
  {
    pattern: says`i {a}(?<status>retired|got laid off|lost my job)(?= |$)(?! (?:the|that|my|it))`,
    make: ({ status = '' }) => one('work.status', status, `The user ${status.replace('my', 'their')}.`),
  },
  {
    pattern: says`
      {I}{a}(?:study|am studying|am majoring in|major in|have been studying|am doing (?:an? |my )?
      (?:master(?: 's|s)?|phd|degree|bachelor(?: 's|s)?|doctorate|ba|bsc|msc|ma)(?: degree)? in
      |am getting (?:an? |my )?[a-z']+(?: 's)?(?: degree)? in|am (?:an? )?(?:[a-z-]+ )?
      (?:student|undergrad|undergraduate|freshman|sophomore) (?:of|in)) (?!for\b|hard|a lot|every|at\b|with
      |the\b|my\b|your\b|this|how|it\b)(?<aim>to (?:become|be) (?:an? )?)?(?<subject>[^,;:.!?()]+?)
      (?: at (?<place>[^,;:.!?()]+?))?{end}`,
    make: ({ subject = '', place, aim }) =>
      isPronounLike(subject)
        ? undefined
        : aim
          ? one('study.subject', subject, `The user studies to become a ${subject}.`)
          : study(subject, place),
  },
  {
    pattern: says`
      {I}{a}(?:study|am studying|am (?:an? )?(?:[a-z-]+ )?student|go to (?:college|university|school|uni)
      |went to (?:college|university|school|uni)|graduated|am enrolled
      |got my (?:degree|phd|bachelor(?: 's|s)?|master(?: 's|s)?))
      (?: in (?<subject>[^,;:.!?()]+?))? (?:at|from) (?<place>[^,;:.!?()]+?)(?= in \d| with |{end})`,
    make: ({ place = '', subject }) =>
      isNamed(place) || /universit|college|school/.test(place) ? study(subject, place) : undefined,
  },
  {
    pattern: says`
      i am {a}(?:an? )?(?<kind>[a-z-]* ?[a-z-]*student|undergrad|undergraduate|freshman|sophomore)
      (?=$| [,.;!]| and| so| but| who)`,
    make: ({ kind = '' }) => one('work.status', kind, `The user is a ${kind}.`),
  },
];

function one(slot: string, value: string, text: string): Draft | undefined {
  return value ? { slot, value, text } : undefined;
}

function asRole(role: string, place: string | undefined): readonly Draft[] {
  const kept = clean(role.replace(/ (?:in|from) (?:\p{Lu}.*)$/su, ''));
  const article = /^(?:[aeiou])/i.test(kept) ? 'an' : 'a';
  const known = /^(?:the|head|director|owner|founder|ceo|cto)\b/i.test(kept) ? '' : `${article} `;
  const drafts: Draft[] = [{ slot: 'work.role', value: kept, text: `The user works as ${known}${kept}.` }];
  const origin = / from (\p{Lu}.*)$/su.exec(role)?.[1];
  if (place && isNamed(place))
    drafts.push({ slot: 'work.employer', value: place, text: `The user works at ${place}.` });
  return [...drafts, ...fromPlace(origin)];
}

function fromPlace(place: string | undefined): readonly Draft[] {
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

function employer(
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

function leftWork(place: string, said: Said): Draft | undefined {
  if (!isNamed(place) || /^(?:the|my|our) \p{Ll}/u.test(place) || said.denied) return undefined;
  return {
    slot: 'work.employer',
    value: place,
    text: `The user no longer works at ${place}.`,
    negated: true,
    corrects: true,
  };
}

function study(subject: string | undefined, place: string | undefined): readonly Draft[] {
  const drafts: Draft[] = [];
  if (subject) drafts.push({ slot: 'study.subject', value: subject, text: `The user studies ${subject}.` });
  if (place)
    drafts.push({ slot: 'study.place', value: place, text: `The user studies or studied at ${place}.` });
  return drafts;
}
