import { piece, regExp } from '../../regExp.ts';
import { clean, type Draft, isPassing, keyOf, type Rule, says } from './rule.ts';
import type { Said } from './said.ts';

const THING = piece`(?<thing>[^,;:.!?()]+?){end}`;
const MORE = piece`
  (?<more>(?: ,(?: and)? (?!i |we |my |but |so |not |and i |and my |do |can |especially |which |what |how )
  [^,;:.!?()]+?)*)(?= ,| [.;:!?(]|$)`;

/** What the user likes, dislikes, prefers and wants to be told how. */
export const preferenceRules: readonly Rule[] = [
  {
    pattern: says`
      {I}{a}have {a}(?:an? )?(?:soft spot|weakness|sweet tooth|passion|thing|love
      |fondness) for (?<thing>[^,;:.!?()]+?){end}`,
    make: ({ thing = '' }, said) => likes(thing, '', said, false),
  },
  {
    pattern: says`
      {My}(?:(?:all-?time|absolute|current|personal|number one) )*(?:absolute |all-?time |current )?
      (?:favou?rites?|go-to) (?<kind>[a-z][^,;:.!?()]{1,40}?) (?:is|are|was|has always been|have always been
      |of all time is|will always be) (?:probably |definitely |always |still |now |called )?
      (?<thing>[^;:.!?()]+?)(?= ,| because|{end})`,
    make: ({ kind = '', thing = '' }, said) => favourite(kind, thing, said),
  },
  {
    pattern: says`
      (?<thing>[^,;:.!?()]{2,60}?) (?:is|are) {My}(?:(?:all-?time|absolute|current
      |personal) )*favou?rites? (?<kind>[a-z][a-z ]{1,30}?){end}`,
    make: ({ kind = '', thing = '' }, said) =>
      /^(?:what|which|who|one of|this|that|it|my|your|there|here)\b/i.test(thing)
        ? undefined
        : favourite(kind, thing, said),
  },
  {
    pattern: says`
      {I}{a}prefer (?<thing>[^,;:.!?()]+?) (?:over|to|rather than|instead of|than|more than|, not
      |not) (?<other>[^,;:.!?()]+?){end}`,
    make: ({ thing = '', other = '' }) => preferred(thing, other),
  },
  {
    pattern: says`
      i would rather (?:have |get |see |use |drink |eat |take )?
      (?<thing>[^,;:.!?()]+?) (?:than|over|instead of) (?<other>[^,;:.!?()]+?){end}`,
    make: ({ thing = '', other = '' }) => preferred(thing, other),
  },
  {
    pattern: says`{I}{a}prefer ${THING}`,
    make: ({ thing = '' }, said) =>
      /^(?:not|if|that|when|to (?:not|know)|it|your|this|the (?:first|second|last|other|former|latter|one))\b/.test(
        thing,
      )
        ? undefined
        : preferred(thing, said.instead),
  },
  {
    pattern: says`
      {I}{a}(?:love|like|adore|enjoy|am enjoying|have loved|have liked|am loving|dig|cherish|loved
      |enjoyed) ${THING.replace('{end}', `${MORE}|{end}`).replace('(?<thing>', '(?<thing>')}`,
    deniable: true,
    make: ({ thing = '', more = '' }, said) => likes(thing, more, said, false),
  },
  {
    pattern: says`
      {I}{a}(?:am|are) {a}(?:an? )?(?:big |huge |massive |great |real |total |avid |die-hard |lifelong |
      long-?time )*(?:fan of|fans of|lover of|fond of|into|crazy about|mad about|keen on|obsessed with
      |passionate about|addicted to|a sucker for|partial to|devoted to|hooked on|nuts about|wild about
      |in love with|a supporter of) (?<thing>[^,;:.!?()]+?){end}`,
    deniable: true,
    make: ({ thing = '' }, said) => likes(thing, '', said, false),
  },
  {
    pattern: says`
      i am {a}(?:an? )(?:big |huge |massive |real |total |avid |die-hard |lifelong |long-?time )*
      (?<thing>[^,;:.!?()]{2,40}?) (?:fan|lover|supporter|enthusiast|aficionado|nerd|addict|buff|nut|geek
      |junkie){end}`,
    deniable: true,
    make: ({ thing = '' }, said) => likes(thing, '', said, false),
  },
  {
    pattern: says`
      {I}{a}(?:hate|dislike|detest|loathe|despise|can stand|could stand|can bear|can tolerate|can abide
      |am sick of|am tired of eating|am afraid of|am scared of|am terrified of|have a fear of
      |am not keen on) (?<thing>[^,;:.!?()]+?){end}`,
    deniable: true,
    make: ({ thing = '' }, said) => {
      const liking = / can (?:stand|bear|tolerate|abide) /.test(` ${said.words} `);
      return liking !== (said.denied === 'not')
        ? liking
          ? undefined
          : likes(thing, '', said, true)
        : likes(thing, '', said, true);
    },
  },
  {
    pattern: says`{I}{a}(?:care (?:much )?for|care about) (?<thing>[^,;:.!?()]+?){end}`,
    deniable: true,
    make: ({ thing = '' }, said) => (said.denied === 'not' ? likes(thing, '', said, true) : undefined),
  },
  {
    pattern: says`{I}{a}(?:collect|root for|support|cheer for|barrack for) (?<thing>[^,;:.!?()]+?){end}`,
    make: ({ thing = '' }, said) =>
      /\b(?:data|logs?|metrics|errors?|your|the (?:idea|plan|proposal|decision)|results|information)\b/i.test(
        thing,
      )
        ? undefined
        : likes(thing, '', said, false, said.words.includes('collect') ? 'collects' : 'supports'),
  },
  {
    pattern: regExp('du')`
        ^(?:(?:always|never) |from now on ,? ?|(?:in (?:the )?future|going forward) ,? ?)*
        (?<order>(?:answer|reply|respond|speak|write|use|give|call|address|talk|explain|keep|show|format
        |send|tell|remind|include|avoid|convert|translate|start|end|put|be) .{3,100}?)(?: [.!]|$)`,
    make: ({ order = '' }, said) => instruction(order, said),
  },
];

const OF_THE_MOMENT = regExp('i')`
  ^(?:to (?:say|think|know|ask|admit|be honest|have|see|get|hear|make|avoid|understand|point|break|bother
  |do (?:it|this|that))\b|my (?:chances|odds|new|point|code)|an? (?:table|ticket|refund|copy|list|summary
  |quick|good (?:answer|point))|being (?:able|told|asked|interrupted)|(?:\w+ )?
  (?:answer|response|idea|suggestion|error|bug|option|message|code|version|point)s?$)`;

const KNOWN_TO_ALL = regExp('u')`
  ^the (?:smell|taste|sound|sounds|feeling|feel|beach|sea|ocean|mountains|outdoors|rain|cold|heat|snow|sun
  |colou?r|forest|countryside|city|gym|theatre|theater|opera|piano|guitar|dark|winter|summer|autumn|spring
  |80s|90s|blues|wild|desert|quiet|heights)\b`;

function isTopicOfTheMoment(thing: string): boolean {
  const isThe = /^the \p{Ll}/u.test(thing) && !KNOWN_TO_ALL.test(thing);
  return (
    isThe ||
    / (?:of|like) (?:that|this|it|these|those)\b|^option\b/i.test(thing) ||
    isPassing(thing) ||
    OF_THE_MOMENT.test(thing)
  );
}

function likes(
  first: string,
  more: string,
  said: Said,
  dislikes: boolean,
  verb?: string,
): readonly Draft[] | undefined {
  const negated = dislikes !== (said.denied !== undefined && !dislikes);
  const things = [first, ...more.split(',')].flatMap((thing) => apart(clean(thing)));
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

function preferred(written: string, other: string | undefined): Draft | undefined {
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

function favourite(written: string, value: string, said: Said): Draft | undefined {
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

function instruction(order: string, said: Said): Draft | undefined {
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
