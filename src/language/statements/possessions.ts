import { piece, regExp } from '../../regExp.ts';
import { isNamed } from './person.ts';
import { clean, type Draft, inThirdPerson, isPassing, keyOf, type Rule, says } from './rule.ts';
import type { Said } from './said.ts';
import { isDemonym } from './vocabulary.ts';

const LANGUAGE = piece`
  (?:fluent |some |a (?:bit|little)(?: of)? |basic |good |broken |conversational |native |decent |perfect |
  both )*`;
/** Neither "and" nor "or" is of the list, or "or or or" could be read in more ways than there is time for. */
const listOf = (before: string) => `[a-z]+(?:(?: ,| and| or)+ ${before}(?!(?:and|or) )[a-z]+)*`;

/** What the user has, can and speaks. */
export const possessionRules: readonly Rule[] = [
  {
    pattern: says`
      i (?:am (?:bilingual|trilingual|multilingual)(?: in)?(?: :)?|(?:can )?get by in
      |grew up (?:with|speaking)|am able to speak|speak (?:two|three|four|five|six|several) languages
      (?: ,| :)?) (?<which>${listOf('')})`,
    make: ({ which = '' }) => languages(which),
  },
  {
    pattern: says`
      {I}(?:have )?{a}(?:swapped|traded|exchanged) (?:my|our) (?<old>[^,;:.!?()]+?) for (?:an? |the )?
      (?<new>[^,;:.!?()]+?){end}`,
    make: ({ old = '', new: now = '' }) =>
      isNamed(now)
        ? {
            slot: `possession.${keyOf(now)}`,
            value: now,
            text: `The user swapped ${inThirdPerson(old)} for ${now}.`,
            corrects: true,
            replaces: old,
          }
        : undefined,
  },
  {
    pattern: says`
      {I}have been {a}(?<what>(?!wait|try|work|look|us|think|hav|get|liv|do|go|wonder|struggl|read|us|hear
      |see|feel|mean|ask|tell|call|debug|search|stay|deal|tak|talk|sitt|stand|runn|writ|build|mak)[a-z]+ing)
      (?: [a-z]+)? (?:for (?:about |over |almost )?[a-z0-9]+ years|since )`,
    make: ({ what = '' }) => skill(what, `The user has been ${what} for years.`),
  },
  {
    pattern: says`
      {I}{a}(?:can )?(?:speak|know|understand|grew up speaking|also speak) ${LANGUAGE}
      (?<which>${listOf(LANGUAGE)})(?=$| [.;!,]| fluently| at| with| but| since| very| well| quite| because
      | and| natively)`,
    make: ({ which = '' }) => languages(which),
  },
  {
    pattern: says`
      i am {a}(?:fluent|a native speaker|native speaker|proficient|conversational|bilingual|trilingual
      |learning|studying|teaching myself)(?: (?:in|of))? (?<which>${listOf('')})
      (?=$| [.;!,]| on| at| with| because| for| right| since| and| so| but| in)`,
    make: ({ which = '' }, said) =>
      languages(which, /learning|studying|teaching/.test(said.words) ? 'is learning' : undefined),
  },
  {
    pattern: says`{My}(?:native|first|mother|second|main|native) (?:language|tongue) {is}(?<which>[a-z]+)`,
    make: ({ which = '' }) => languages(which),
  },
  { pattern: says`i am {a}a native (?<which>[a-z]+) speaker`, make: ({ which = '' }) => languages(which) },
  {
    pattern: says`
      {I}{a}(?:(?:can )?play|have (?:been )?play(?:ing|ed)|am learning(?: to play)?
      |have been playing) (?:the )?(?<what>[a-z -]*?(?:guitar|bass|piano|violin|viola|cello|drums?|flute
      |clarinet|saxophone|sax|trumpet|trombone|ukulele|harp|organ|accordion|banjo|keyboard|oboe|harmonica
      |chess|tennis|football|soccer|basketball|volleyball|badminton|squash|golf|rugby|hockey|cricket
      |baseball|softball|poker|bridge|go|darts|table tennis|ping pong|padel|handball|dungeons|d&d
      |video games|board games))(?=$| [.;!,]| in| for| since| with| on| at| every| and| twice| once| but
      | a (?:bit|little)| semi| professionally| competitively)`,
    make: ({ what = '' }) => skill(what, `The user plays ${what}.`),
  },
  {
    pattern: says`{I}{a}know how to (?<what>[^,;:.!?()]+?){end}`,
    make: ({ what = '' }) =>
      /\b(?:this|that|it|the|you|him|her|them)\b/.test(what)
        ? undefined
        : skill(what, `The user knows how to ${what}.`),
  },
  {
    pattern: says`
      {I}{a}(?:can|am able to) (?<verb>code|program|cook|swim|sail|ski|dance|sing|juggle|knit|sew|drive
      |ride a [a-z]+|surf|touch-type|touch type|type \d+ words[a-z ]*|draw|paint|do a handstand|play by ear
      |fly a plane|read music|speak sign language)(?<what> in [^,;:.!?()]+?| [a-z]+ well)?{end}`,
    make: ({ verb = '', what = '' }) =>
      skill(clean(`${verb} ${what}`), `The user can ${clean(`${verb} ${what}`)}.`),
  },
  {
    pattern: says`
      i am {a}(?:good|great|skilled|experienced|proficient|an expert|terrible|bad|excellent|talented
      |well-versed) (?:at|in|with) (?<what>[^,;:.!?()]+?){end}`,
    make: ({ what = '' }, said) =>
      isPassing(what) || /^(?:remembering|the)\b/.test(what)
        ? undefined
        : skill(what, `The user is ${/terrible|bad /.test(said.words) ? 'not good' : 'good'} at ${what}.`),
  },
  {
    pattern: says`
      {I}(?:have )?{a}(?:drive|own|ride|just bought|bought|have bought|purchased|got myself|bought myself
      |have owned|inherited|have just bought|recently bought|recently purchased) (?<thing>
      (?:an? |two |three |\d+ |{My}|some )[^,;:.!?()]+?|[a-z]+ (?:guitars|bikes|cars|houses)){end}`,
    deniable: true,
    make: ({ thing = '' }, said) => possession(thing, said),
  },
  {
    pattern: says`
      {I}{a}(?:have|have got|use) (?<thing>(?:an? |two |three |four |\d+ |my )?[^,;:.!?()]+?){end}`,
    make: ({ thing = '' }, said) => has(thing, said),
  },
  {
    pattern: says`
      {I}(?:have )?{a}(?:sold|got rid of|gave away|have given away|crashed|totalled|traded in) (?:my
      |our) (?<thing>[^,;:.!?()]+?)(?= for| last| to|{end})`,
    make: ({ thing = '' }, said) =>
      said.denied
        ? undefined
        : {
            slot: `possession.${keyOf(thing)}`,
            value: thing,
            text: `The user no longer has a ${thing}.`,
            negated: true,
            corrects: true,
          },
  },
  {
    pattern: says`
      {I}(?:have )?{a}(?:switched|changed|upgraded|went) (?:from (?<old>[^,;:.!?()]+?)) to (?:an? |the )?
      (?<new>[^,;:.!?()]+?){end}`,
    make: ({ old = '', new: now = '' }) =>
      isNamed(now) || /^[a-z]*[A-Z]/.test(now)
        ? {
            slot: `possession.${keyOf(now)}`,
            value: now,
            text: `The user switched from ${old} to ${now}.`,
            corrects: true,
            replaces: old,
          }
        : undefined,
  },
];

const SKILL_LANGUAGES = regExp()`
  ^(?:english|sign language|mandarin|cantonese|arabic|hebrew|hindi|urdu|bengali|tamil|telugu|punjabi|marathi
  |gujarati|malayalam|kannada|swahili|farsi|latin|esperanto|tagalog|yoruba|igbo|hausa|zulu|afrikaans|xhosa
  |amharic|gaelic|welsh|pashto|kurdish|mongolian|tibetan|khmer|lao|burmese|malay|bahasa|luxembourgish
  |galician|flemish|norwegian|castilian|yiddish|somali|quechua|maori|hawaiian|klingon|bosnian|macedonian
  |azerbaijani|uzbek|asl|bsl)$`;

const NO_LANGUAGE = regExp('i')`
  ^(?:american|british|european|asian|african|latino|latina|hispanic|swiss|austrian|belgian|canadian|mexican
  |brazilian|scot|brit|aussie|kiwi|australian)$`;

function languages(which: string, verb = 'speaks'): readonly Draft[] | undefined {
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

function skill(what: string, text: string): Draft {
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
function has(thing: string, said: Said): Draft | undefined {
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

function possession(thing: string, said: Said): Draft | undefined {
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
