import { piece, regExp } from '../../regExp.ts';
import { type Token, tokensOf } from '../tokens.ts';

/** What a sentence says from one of its beginnings on. */
export interface Clause {
  /** Words with a space between, from the subject on; what only leads up to it is left out. */
  readonly words: string;
  readonly tokens: readonly Token[];
  /** Words before the subject that say when or how often. */
  readonly adverbial: string;
  /** Words of the sentence before all this. */
  readonly before: string;
  /** The tokens that led up to it: "actually", "remember that". */
  readonly opener: string;
}

/** Each of them may begin a clause, which goes on to the end. */
const MOST_TOKENS = 150;
const SUBJECT = /^(?:i|we|my|our|me)$/;
const PUNCTUATION = /^[,;:.!?()…]$/;
const JOINS = /^(?:and|but|so|because|since|as|while|although|though|plus|or|yet|that|hence|whereas)$/;

/** "Actually", "by the way", "for future reference": they change nothing of what follows. */
const OPENER = regExp()`
  ^(?:[,.!:;()] ?|(?:well|so|yeah|yep|yes|no|nope|nah|oh|ah|ok|okay|hi|hey|hello|thanks|thank you|great|cool
  |wait|hmm|um|uh|erm|haha|actually|honestly|frankly|personally|btw|fyi|also|and|but|because|since|as
  (?! an? )|anyway|anyways|look|listen|hence|plus|though|that|please|pls|correction|sorry|remember|note|like
  |see|basically|generally|unfortunately|sadly|luckily|fortunately|currently|nowadays|now|right now|today
  |lately|recently|finally|really|obviously|turns out|guess what|fun fact|fact|by the way|by the bye
  |at the moment|at present|these days|this year|in fact|of course|to be (?:honest|fair|clear|precise)|tbh
  |for what it is worth|just so you know|so you know|just fyi|as you know|as i said|as mentioned|as for me
  |for the record|for (?:future|your) reference|for context|some context|about me|a bit about me
  |for your information|in case you (?:need|want|wonder|are wondering|did not know)(?: to know| it)?
  |you should know|you know|i mean|i meant|i should (?:mention|add|say|tell you)
  |i (?:must|have to|can) (?:say|admit|confess)|i (?:forgot|want|wanted|need) to (?:mention|say|add
  |tell you)|let me (?:tell you|add|introduce myself)|to introduce myself|do not forget|never forget
  |keep in mind|bear in mind|keep it in mind|make a note|take note|note to self|remind yourself|just
  |if (?:i remember (?:correctly|right)|it (?:helps|matters)|you must know|you want to know)|there
  |(?:everyone|all|guys|folks|everybody)(?= [,!])|and yes|(?:hi|hello|hey) there
  |good (?:morning|evening|afternoon|day))(?= |$) ?)`;

const UNIT = piece`
  (?:day|morning|evening|night|afternoon|week|weekend|month|year|monday|tuesday|wednesday|thursday|friday
  |saturday|sunday|summer|winter|spring|autumn|fall)s?`;
const MONTHS = piece`(?:january|february|march|april|may|june|july|august|september|october|november|december)`;
const ADVERBIAL = new RegExp(
  piece`
    ^(?:(?:(?:on|in the|at|most|every|each|twice an?|once an?|last|next|this|since|until|before|after|during
    |by) (?:other |single |second )?${UNIT}(?: (?:morning|evening|night|afternoon)s?)?|in ${MONTHS}
    |in (?:19|20)\d\d|since (?:19|20)\d\d|yesterday|tomorrow|tonight|usually|normally|typically|often
    |sometimes|always|for (?:the (?:last|past) )?[\w-]+ years(?: now)?|(?:a few |[\w-]+ )?
    (?:days|weeks|months|years) ago)(?= |$)(?: ,)? ?)`,
);

/** Where a clause of somebody's own may begin: at the start, after a break, and where speech runs on. */
export function clausesOf(text: string, offset: number): readonly Clause[] {
  const tokens = tokensOf(text, offset).slice(0, MOST_TOKENS);
  const starts = tokens.flatMap((_, index) => (isStart(tokens, index) ? [index] : []));
  return [...starts.map((start) => clauseFrom(tokens, start)), ...continued(tokens)];
}

const CONTINUES =
  /^(?:work|live|love|like|hate|speak|play|drive|study|own|enjoy|teach|prefer|collect|run|am|usually|grew|moved|volunteer)$/;

/** "I live in Recife and work as a nurse": the second half has the subject of the first. */
function continued(tokens: readonly Token[]): readonly Clause[] {
  return tokens.flatMap((token, index) => {
    if (!/^(?:and|but)$/.test(at(tokens, index - 1)) || !CONTINUES.test(token.word)) return [];
    const subject = tokens.slice(0, index).findLastIndex((_, earlier) => SUBJECT.test(at(tokens, earlier)));
    if (!/^(?:i|we)$/.test(at(tokens, subject)) || !isStart(tokens, subject)) return [];
    const same = { word: at(tokens, subject), start: token.start, end: token.start };
    return [clauseFrom([...tokens.slice(0, index), same, ...tokens.slice(index)], index)];
  });
}

function isStart(tokens: readonly Token[], index: number): boolean {
  if (index === 0) return true;
  const [before = '', word = '', next = ''] = [
    at(tokens, index - 1),
    at(tokens, index),
    at(tokens, index + 1),
  ];
  if (PUNCTUATION.test(before)) return true;
  if (!SUBJECT.test(word)) return false;
  if (JOINS.test(before)) return !isJoinedSubject(tokens, index);
  // "hi im tom i live in berlin": no break is written, but a verb follows, and it is not "the city i live in".
  return RUN_ON.test(`${word} ${next}`) && AFTER_RUN_ON.test(before);
}

const RUN_ON =
  /^i (?:am|live|work|have|love|like|hate|speak|play|drive|study|prefer|moved)$|^my (?:name|birthday|favourite)$/;
const AFTER_RUN_ON = regExp()`
  ^(?!(?:think|say|said|that|if|when|where|what|why|how|who|which|city|place|one|thing|things|all|do|did|can
  |should|would|am|was|have|had|may|might|could|as|than|like|whether|wherever|because|not|place|way|time
  |house|people|everything|is|believe|guess|bet|know|wish|hope|says|thinks|means|unless|told|claim|claims
  |until|before|after|while|whenever|for|of|to|with|on|the|a|my|about|where|from|pretend|imagine|suppose
  |assume|doubt)$)`;

/** "my husband and i" is one who speaks, not a break. */
function isJoinedSubject(tokens: readonly Token[], index: number): boolean {
  return (
    at(tokens, index - 1) === 'and' &&
    /^(?:i|me)$/.test(at(tokens, index)) &&
    /^(?:my|our)$/.test(at(tokens, index - 3))
  );
}

function at(tokens: readonly Token[], index: number): string {
  return tokens[index]?.word ?? '';
}

function clauseFrom(tokens: readonly Token[], start: number): Clause {
  let words = tokens
    .slice(start)
    .map(({ word }) => word)
    .join(' ');
  const whole = words;
  let adverbial = '';
  for (let stripped = true; stripped; ) {
    const opener = OPENER.exec(words)?.[0] ?? '';
    words = words.slice(opener.length);
    const when = ADVERBIAL.exec(words)?.[0] ?? '';
    adverbial += when;
    words = words.slice(when.length);
    stripped = opener !== '' || when !== '';
  }
  const first = start + countWords(whole.slice(0, whole.length - words.length));
  return {
    words,
    tokens: tokens.slice(first),
    adverbial: adverbial.trim(),
    before: tokens
      .slice(0, start)
      .map(({ word }) => word)
      .join(' '),
    opener: whole.slice(0, whole.length - words.length).trim(),
  };
}

/** Of a piece that ends with a space; every token but one of two words ("any more") is one. */
function countWords(piece: string): number {
  return piece.split(' ').filter(Boolean).length;
}
