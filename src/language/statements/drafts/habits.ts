import { regExp } from '../../../regExp.ts';
import type { Draft } from '../rule.ts';
import type { Said } from '../said.ts';
import { clean, inThirdPerson, isPassing, keyOf } from '../wording.ts';
import { isNamed } from './person.ts';

export function routine(written: string, what: string = written): Draft | undefined {
  const kept = clean(written);
  if (
    isPassing(what) ||
    /\b(?:error|exception|warning|bug|code|script|api|function|this|that|it|you|crash\w*|fails?)\b/i.test(
      kept,
    )
  )
    return undefined;
  return {
    slot: `routine.${keyOf(what)}`,
    value: kept,
    text: `The user ${third(inThirdPerson(kept))}.`,
    confidence: 0.8,
  };
}

const OPINION_OR_ONCE = regExp()`
  ^(?:like|love|prefer|hate|get|see|forget|do|say|agree|feel|find|end up|lose|miss|thought|wanted|assumed
  |wondered|enjoy|recommend)\b`;

export function isLasting(what: string): boolean {
  return !OPINION_OR_ONCE.test(what) && /^\S+ \S/.test(what);
}

/** "Go running" is "goes running". */
export function third(what: string): string {
  const [verb = '', ...rest] = what.split(' ');
  if (
    /ing$|ed$|s$/.test(verb) &&
    !/^(?:dress|miss|pass|guess|cross|need|feed|bring|sing|swing|discuss|bless)$/.test(verb)
  )
    return what;
  const ending = /(?:o|x|ch|sh|ss)$/.test(verb) ? 'es' : 's';
  const inflected = /[^aeiou]y$/.test(verb)
    ? `${verb.slice(0, -1)}ies`
    : verb === 'have'
      ? 'has'
      : `${verb}${ending}`;
  return [inflected, ...rest].join(' ');
}

/** What "my X is Y" tells of the moment, of an opinion or of what the talk is about. */
const MOMENTARY = regExp('i')`
  \b(?:question|problem|issue|guess|point|understanding|opinion|code|function|app|script|server|program
  |query|bug|error|idea|plan|task|goal|head|heart|screen|internet|connection|request|concern|worry|argument
  |answer|thought|feeling|bad|fault|mistake|pleasure|apologies|mind|test|build|file|output|input|data
  |database|table|list|array|first|second|next|last|main|only|biggest|current|version|message|mail box
  |boyfriend|friend|colleague|neighbou?r|coworker|roommate|flatmate|girlfriend|sister|brother|mother|father
  |mom|mum|dad|wife|husband|son|daughter|partner|cousin|aunt|uncle|kid|kids|child|parents|favou?rites?|name
  |birthday|teacher|flight|suggestion|impression|experience|preference|job|dream|day|week|life|world
  |intention|hope|fear|theory|hypothesis|advice|assumption|recommendation|choice|text|essay|sentence|story
  |novel|character|project|homework|assignment|website|site|page|repo|branch|model|dog|cat|expectation
  |memory|doctor|baby|time|turn|brain|body|stomach|back|eyes|work|thing|situation|take|response|reply)\b`;

const ATTRIBUTES = regExp('i')`
  \b(?:size|type|address|e-?mail|phone number|number|code|pin|password|plate|licen[cs]e|height|weight|zip
  |postcode|postal code|zodiac|star sign|sign|hometown|handle|username|nickname|surname|last name
  |middle name|maiden name|account|locker|timezone|time zone|salary|budget|major|team|car|bike|laptop
  |computer|phone|camera|tablet|guitar|editor|browser|os|operating system|hair|eye colou?r|eyes|shoe|ring
  |shirt|religion|gate|room|office|desk|seat|airline|bank|insurance|provider|gym|school|university|church
  |club|band|instrument|sport|hobby|hobbies|passion|diet|blood|wedding|doctor|dentist|vet|landlord
  |supervisor|professor|coach|assistant|trainer|mentor|company|business|blog|channel|podcast|book|shop
  |printer|router|keyboard|mouse|monitor|watch|boat|motorbike|scooter|van|truck|garden|house|specialty
  |speciality|field|expertise|weakness|strength|wife's name|stack|framework|distro|setup|ethnicity|heritage
  |ancestry|degree|thesis|accent|allergies|side job|side project|hair colou?r)s?$`;

const STATE = regExp('i')`
  ^(?:not|broken|slow|down|dead|black|bad|fine|ok|okay|good|great|new|old|missing|lost|stolen|wrong|too|very
  |so|really|full|empty|being|getting|in|on|at|making|running|going
  |a (?:mess|disaster|bit|lot|little|problem|nightmare|pain|joke)|the (?:best|worst|same|only|problem|one)
  |acting|killing|hard|easy|ready|unknown|invalid|null|undefined|about|to|wet|dirty|clean|gone|stuck|frozen
  |hurting|red|sore)\b`;

const ANY_VALUE = regExp()`
  (?:size|type|hair|eyes?|colou?r|hobby|hobbies|passion|religion|sign|field|major|password|heritage
  |specialty|sport|instrument|diet|expertise|browser|editor|os)$`;

export function attribute(written: string, value: string, said: Said): Draft | undefined {
  const what = clean(written).toLowerCase();
  const kept = clean(value);
  const isNoun = ATTRIBUTES.test(what);
  if (
    !isNoun ||
    (MOMENTARY.test(what) &&
      !/(?:garage|gate|door|alarm|entry|access|postal|zip) code$|doctor$|school|number|(?:last|middle|maiden) name$/.test(
        what,
      )) ||
    isPassing(kept)
  )
    return undefined;
  const isValue =
    isNamed(kept) ||
    /\d|@|\/|^(?:an?|the) /.test(kept) ||
    (said.isLower && kept.split(' ').length <= 3) ||
    ANY_VALUE.test(what);
  const isState = STATE.test(kept);
  if (!isValue || (isState && !/colou?r|hair|eyes/.test(what)) || kept.length > 80) return undefined;
  return {
    slot: `attribute.${what.replaceAll(' ', '-')}`,
    value: kept,
    text: `The user's ${what} is ${inThirdPerson(kept)}.`,
    confidence: 0.85,
  };
}
