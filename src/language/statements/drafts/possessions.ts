import { regExp } from '../../../regExp.ts';
import type { Draft } from '../rule.ts';
import type { Said } from '../said.ts';
import { isDemonym } from '../vocabulary.ts';
import { clean, inThirdPerson, isPassing, keyOf } from '../wording.ts';
import { isNamed } from './person.ts';

const SKILL_LANGUAGES = regExp()`
  ^(?:english|sign language|mandarin|cantonese|arabic|hebrew|hindi|urdu|bengali|tamil|telugu|punjabi|marathi
  |gujarati|malayalam|kannada|swahili|farsi|latin|esperanto|tagalog|yoruba|igbo|hausa|zulu|afrikaans|xhosa
  |amharic|gaelic|welsh|pashto|kurdish|mongolian|tibetan|khmer|lao|burmese|malay|bahasa|luxembourgish
  |galician|flemish|norwegian|castilian|yiddish|somali|quechua|maori|hawaiian|klingon|bosnian|macedonian
  |azerbaijani|uzbek|asl|bsl)$`;

const NO_LANGUAGE = regExp('i')`
  ^(?:american|british|european|asian|african|latino|latina|hispanic|swiss|austrian|belgian|canadian|mexican
  |brazilian|scot|brit|aussie|kiwi|australian)$`;

export function languages(which: string, verb = 'speaks'): readonly Draft[] | undefined {
  const all = which
    .split(/ ?(?:,|\band\b|\bor\b) ?/i)
    .map((one) =>
      one
        .replace(
          /^(?:(?:fluent|some|basic|good|broken|conversational|native|decent|perfect|both|a (?:bit|little)(?: of)?) )+/i,
          '',
        )
        .trim(),
    )
    .filter((one) => SKILL_LANGUAGES.test(one.toLowerCase()) || (isDemonym(one) && !NO_LANGUAGE.test(one)));
  if (all.length === 0) return undefined;
  return all.map((one) => ({
    slot: `language.${one.toLowerCase()}`,
    value: one,
    text: `The user ${verb} ${one}.`,
  }));
}

export function skill(what: string, text: string): Draft {
  return { slot: `skill.${keyOf(what)}`, value: what, text };
}

const MOMENTARY = regExp('i')`
  \b(?:question|questions|problem|problems|issue|issues|idea|ideas|error|errors|bug|list|file|files|function
  |functions|code|table|array|string|script|meeting|call|cold|flu|fever|headache|feeling|doubt|doubts|time
  |minute|minutes|hour|hours|moment|look|point|chance|request|favou?r|plan|plans|appointment|deadline|exam
  |test|interview|option|options|choice|dream|nightmare|lot|bit|few|couple|way|reason|right|hunch|suspicion
  |class|column|row|number|numbers|text|document|essay|image|photo|picture|project|task|homework|assignment
  |something|nothing|anything|everything|one|ones|thing|things|fun|trouble|difficulty|access|experience
  |friend|friends|colleague|neighbou?r|boss|memory|good|great|hard|day|week|month|year|weekend|evening
  |variable|data|dataset|server|component|page|form|button|loop|query|ticket|tickets|crush|hangover|cough
  |sore|pain|job|recipe|suggestion|concern|concerns|comment|thought|thoughts|clue|opinion|preference|to|been
  |had|no|never|character|link|tab|window|story|riddle|joke|guest|guests|visitor|visitors|party|discussion
  |conversation|message|email|guess|theory|hypothesis|sister|brother|son|daughter|wife|husband|kids|children
  |mother|father|dog|cat|allergy|appetite|work|breakfast|lunch|dinner|coffee|flight|train|word|words
  |language|line|lines|knowledge|background|degree|contract|account|subscription|branch|repo|repository
  |module|package|version|commit|container|cluster|node|method|api|endpoint|endpoint|app|website|site
  |database|model|eggs|milk|flour|leftover|leftovers)\b`;

const LASTING_THING = regExp('i')`
  \b(?:car|bike|bicycle|motorbike|motorcycle|scooter|van|truck|boat|house|apartment|flat|cabin|cottage
  |garden|piano|guitar|laptop|computer|desktop|phone|tablet|camera|telescope|printer|console|tv
  |record player|sewing machine|greenhouse|pool|farm|caravan|camper|motorhome|bookcase|tattoo|tattoos|garage
  |workshop|beard|piercing|3d printer|kayak|surfboard|drone|balcony|allotment|collection|vinyl|iphone
  |macbook|thinkpad|playstation|xbox|switch|kindle|android|pixel|tesla|e-bike|ebike|watch|smartwatch
  |air fryer|espresso machine|oven|grill|heat pump|solar panels)s?\b`;

/** "I have …" is said of most things; what lasts has a make, or is of a kind that one keeps. */
export function has(thing: string, said: Said): Draft | undefined {
  const kept = thing.replace(/^my /i, '');
  const isThing = /^(?:an?|two|three|four|\d+) /i.test(kept) || isNamed(kept);
  if (!isThing || MOMENTARY.test(kept) || isPassing(kept)) return undefined;
  const isKept = LASTING_THING.test(kept);
  const isMade =
    /\s\p{Lu}[\p{L}\d-]+\s[\p{Lu}\d][\p{L}\d-]*|^\p{Lu}[\p{L}\d]+ \d/u.test(kept) ||
    /^an? \p{Lu}\w+ [\p{Lu}\d]/u.test(kept) ||
    /^an? (?:\p{Ll}+ )?(?:old|new|used|second-hand|vintage|red|blue|black|white|green|silver|yellow) \p{Lu}/u.test(
      kept,
    );
  if (!isKept && !isMade) return undefined;
  if (/^use$/.test(said.words.split(' ')[1] ?? '') && !isKept) return undefined;
  return { slot: `possession.${keyOf(kept)}`, value: kept, text: `The user has ${kept}.`, confidence: 0.75 };
}

/** Where, when and what else: no part of the thing. */
const BOUGHT_HOW = regExp('is')`
  [ ](?:for (?:this|that|the)|at (?:the|a)|from (?:the|a|my)|on (?:sale|amazon|ebay)|last|yesterday|today
  |because|(?:and|then) (?:\w+ed|took|went|got|sold|put|am|is|it)) ?.*$`;

const NO_POSSESSION = regExp('i')`
  ^(?:an? )?(?:that|mistake|mistakes|risk|hard bargain|lot|ticket|tickets|coffee|sandwich|drink|gift|present
  |bargain|pizza|beer|groceries|some|food|bit|while)\b`;

export function possession(thing: string, said: Said): Draft | undefined {
  const kept = clean(thing.replace(/^(?:my|our) /i, '').replace(BOUGHT_HOW, ''));
  const isOdd =
    isPassing(kept) ||
    NO_POSSESSION.test(kept) ||
    /\b(?:groceries|milk|bread|flowers|tickets?|cake|castle)\b/.test(kept);
  if (isOdd || said.denied === 'ended')
    return said.denied === 'ended' && !isOdd
      ? {
          slot: `possession.${keyOf(kept)}`,
          value: kept,
          text: `The user no longer has ${kept}.`,
          negated: true,
        }
      : undefined;
  const drives = / (?:drive|ride) /.test(said.words.slice(0, 30));
  const negated = said.denied === 'not';
  const verb = drives ? (negated ? 'does not drive' : 'drives') : negated ? 'does not own' : 'owns';
  return {
    slot: `possession.${keyOf(kept)}`,
    value: kept,
    text: `The user ${verb} ${inThirdPerson(kept)}.`,
    ...(negated ? { negated } : {}),
  };
}
