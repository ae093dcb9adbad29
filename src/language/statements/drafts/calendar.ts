import { regExp } from '../../../regExp.ts';
import { dateIn, upcoming } from '../../dates.ts';
import type { Draft } from '../rule.ts';
import type { Said } from '../said.ts';
import { clean, inThirdPerson, isPassing, keyOf } from '../wording.ts';

const TASK = regExp('i')`
  \b(?:the (?:code|bug|server|app|error|problem|settings|test|following|second|first|last|file|script
  |function)|this(?! (?:year|summer|winter|spring|autumn|fall|month|week))|that|it|install|sort|print|parse
  |debug|compile|docker|python|array|function|script|query|api|database|file|json|code|error|test|parser
  |figure out|understand|know|ask|find out|find|see if|check|try|use|get (?:this|it)|make (?:it|this)
  |do (?:it|this))\b`;

export function isTask(what: string): boolean {
  return TASK.test(what);
}

function stamped(phrase: string, said: Said): string | undefined {
  const named = dateIn(phrase, said.at);
  if (!named) return undefined;
  const date = upcoming(named.date, said.at);
  return named.time ? `${date} ${named.time}` : date;
}

export function birthday(when: string, said: Said, born: boolean): Draft | undefined {
  const named = dateIn(/^\d{4}/.test(when) ? `in ${when}` : when, said.at);
  if (!named) return undefined;
  return {
    slot: 'date.birthday',
    value: clean(when),
    text: born
      ? `The user was born on ${named.date.replace(/^--/, '')}.`.replace(/on (\d{4})\./, 'in $1.')
      : `The user's birthday is ${clean(when)} (${named.date}).`,
  };
}

export function anniversary(when: string, said: Said): Draft | undefined {
  const named = dateIn(when, said.at);
  const kind = /\bwork\b/.test(said.words) ? 'work' : 'wedding';
  return (
    named && {
      slot: `date.anniversary.${kind}`,
      value: clean(when),
      text: `The user's ${kind} anniversary is ${clean(when)} (${named.date}).`,
    }
  );
}

export function appointment(written: string, when: string, said: Said): Draft | undefined {
  const day = stamped(when, said);
  const what = clean(written.replace(/^(?:an?|my|our|the|another) /i, ''));
  if (!day || (/^(?:meeting|call|test)$/.test(what) && !/\d/.test(when)) || /^(?:feeling|chance)/.test(what))
    return undefined;
  const head = what.replace(/ (?:with|at|for|to|in) .*$/s, '');
  return {
    slot: `appointment.${keyOf(head)}`,
    value: `${what} ${clean(when)}`,
    text: `The user has ${/^[aeiou]/i.test(what) ? 'an' : 'a'} ${inThirdPerson(what)} on ${day}.`,
    ...(said.instead ? { replaces: said.instead } : {}),
  };
}

export function engagement(what: string, when: string, said: Said): Draft | undefined {
  const day = stamped(when, said);
  if (!day) return undefined;
  if (/^(?:flying|travel|visiting|moving|leaving)/.test(what) && !/\d{4}-\d\d-\d\d/.test(day))
    return plan(`${what} ${when}`, said);
  return {
    slot: `appointment.${keyOf(what)}`,
    value: `${what} ${clean(when)}`,
    text: `The user is ${inThirdPerson(what)} on ${day}.`,
  };
}

const LATER_SEASON = regExp('i')`
  \bnext (?:week|weekend|summer|winter|spring)\b|\b(?:in|this) (?:spring|summer|autumn|fall|winter|january
  |february|march|april|may|june|july|august|september|october|november|december)\b`;

/** "I'm going to" is a plan when it takes longer than the conversation: it has a day, or a place. */
export function intended(what: string, said: Said): Draft | undefined {
  const isJourney = /^(?:going to|flying to|moving to|travell?ing to|visiting) (?:the )?\p{Lu}/u.test(what);
  const isLife = /^(?:retiring|expecting|buying|starting|getting|running)/.test(what);
  const day = dateIn(what, said.at);
  if (/\b(?:now|today|tonight|bed|sleep|the store|try|work on it|test)\b/i.test(what) || isTask(what))
    return undefined;
  return isJourney || day || isLife || LATER_SEASON.test(what)
    ? plan(what.replace(/^going to (?=\p{Ll})/u, ''), said, /^going to \p{Ll}/u.test(what))
    : undefined;
}

/** "Planning the next sprint" and "training a network" are work; "planning a trip" and "training for a race" are not. */
function isTaskOfTheDay(words: string, what: string): boolean {
  if (/^(?:i|we) (?:am |are )?(?:\w+ly )?train(?:ing)? (?!for )/.test(words)) return true;
  const isBare = /^(?:i|we) (?:am |are )?(?:\w+ly )?(?:plan|planning) (?!to |on |for )/.test(words);
  return (
    isBare &&
    !/\b(?:trip|wedding|party|holidays?|vacation|move|visit|journey|celebration|retirement|honeymoon|reunion|tour|hike)\b/i.test(
      what,
    )
  );
}

/** "Visit Japan" and "run a marathon", against "visit every node" and "run the tests". */
function isLifePlan(what: string): boolean {
  if (/^become /.test(what)) return /^become an? /.test(what);
  if (/^(?:visit|run|move|climb|hike|buy)\b/.test(what))
    return (
      /^\S+ (?:to |back |around )?(?:an? |my |our |half |\p{Lu})/u.test(what) && !/\b\d+ ?px\b/.test(what)
    );
  return / /.test(what) || /^retire/.test(what);
}

function howPlanned(words: string, what: string, isVerb: boolean): string {
  const [, aim] =
    / (saving|save|training|train|preparing|studying)(?: up)? for /.exec(words.slice(0, 40)) ?? [];
  if (aim && !isVerb) return aim.startsWith('sav') ? 'is saving for' : 'is preparing for';
  if (/ing\b/.test(what.split(' ')[0] ?? ''))
    return / (?:plan|think|consider|hop|aim|intend)/.test(words.slice(0, 30)) ? 'is planning' : 'is';
  return /^(?:an?|my|our|the) /i.test(what) ? 'is planning' : 'plans to';
}

const WISHES = regExp()`
  ^(?:i|we) (?:would|am dying|am about|am thinking|am considering|am trying|am looking|look|am getting
  |am preparing|am training|am studying|train)`;

const TRIED_FOR_LIFE = regExp()`
  ^(?:quit|lose|gain|save|learn|become|get (?:fit|in shape|pregnant)|eat|drink|sleep|stop|cut|conceive
  |exercise|read more|be more|reduce|have (?:a baby|kids))\b`;

export function plan(written: string, said: Said, isVerb = false): Draft | undefined {
  const what = clean(written.replace(/^(?:to|of|on) /, ''));
  const { words } = said;
  if (isPassing(what) || isTask(what) || what.length < 4 || /\bone$/.test(what)) return undefined;
  if (isVerb && !isLifePlan(what)) return undefined;
  if (
    /\b(?:would like|would love|dying|about|look(?:ing)? forward|thinking|considering|getting ready)\b/.test(
      words.slice(0, 30),
    ) &&
    !isVerb &&
    !/^(?:switch|mov|buy|chang|quit|start|retir|learn|get|adopt|becom|go(?:ing)? )/.test(what)
  )
    return undefined;
  if (
    /\b(?:would (?:like|love))\b/.test(words.slice(0, 16)) &&
    !/\b(?:some ?day|one day|next|this (?:year|summer)|in \d{4})\b/.test(words)
  )
    return undefined;
  if (/ trying /.test(words.slice(0, 24)) && !TRIED_FOR_LIFE.test(what)) return undefined;
  if (WISHES.test(words) && /^(?:help|know|ask)/.test(what)) return undefined;
  if (
    / (?:stud(?:y|ying)|train(?:ing)?|promised?|decided) (?!for)/.test(words.slice(0, 26)) &&
    / to (?:become|be) /.test(words.slice(0, 34))
  )
    return undefined;
  if (!isVerb && isTaskOfTheDay(words, what)) return undefined;
  const day = stamped(what, said);
  const kind = howPlanned(words, what, isVerb);
  return {
    slot: `plan.${keyOf(what)}`,
    value: what,
    text: `The user ${kind} ${inThirdPerson(what)}${day ? ` (${day})` : ''}.`,
  };
}
