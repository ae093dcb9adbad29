import { regExp } from '../../regExp.ts';
import type { Clause } from './clauses.ts';

/*
 * Whether somebody says a thing about himself and means it. In doubt he does not: what is remembered wrongly is
 * worse than what is asked once more.
 */

const INVERTED = regExp()`
  ^(?:do|does|did|is|are|am|was|were|can|could|should|shall|would|will|may|might|must|have|has|had|what
  |where|which|who|whom|whose|how|why|when) (?:i|we|my|our|you|your|it|the|that|there|this|he|she|they|a|an
  |else|if|about|one|kind|sort|much|many|does|do|did|is|are|was|would|should|could|can|will)\b`;
const ASKS =
  /(?:^| )(?:do|does|did|is|are|am|can|could|would|will|should|shall|have|has|what|where|which|who|how|why|when|any|know|got)(?: |$)/;

/** Of the sentence: nothing that it says is so. */
const SUPPOSED = regExp()`
  \b(?:if|unless|given|not (?:that|because)|in (?:this|my|that|the) (?:scenario|case|example|game|dream)
  |sake of argument|suppose|supposing|imagine|pretend|assume|assuming|hypothetically|theoretically|whether
  |wish|wishes|would have|let us say|lets say|let 's say|were i|otherwise|doubt|deny|denies|as though
  |for example|for instance|e\.g\.?|e\.g|in theory|fictional|example sentence)\b`;
const REPORTED = regExp()`
  \b(?:he|she|they|it|who|everyone|everybody|people|someone|somebody|nobody|one|you|friend|boss|mum|mom
  |mother|father|dad|wife|husband|doctor|customer|text|song|lyrics|error|profile|quote|message|email|mail
  |letter|article|book|title|character|narrator|sign|poster|caller|user|client|student|review|tweet|post
  |headline)(?: main)?(?: [a-z]+ly)? (?:said|says|say|saying|told|tells|asked|asks|claims?|claimed|thinks?
  |thought|believes?|believed|wrote|writes|sings?|sang|reads?|shouted|replied|answered|mentioned|insists?
  |insisted|suggests?|guess(?:es)?|assumes?|swears?|joked|jokes)\b|\b
  (?:said|says|told me|claims|asked|wrote|lyrics|quote|translate|rephrase|rewrite|proofread|paraphrase
  |summarize|summarise|correct|fix|spell|pronounce|conjugate|dialogue|story|poem|song|novel|movie|film|game
  |role|roleplay|role-play|sentence|phrase|example|scene|script|screenplay|caption|slogan|joke|riddle
  |compose|write|draft|say)\b`;
/** "The sticker reads I love …": whoever says it, it is not the user. */
const SPOKEN =
  /(?<!\b(?:i|we|as) )\b(?:reads|says|said|sings|goes|claims|states|writes|wrote|asks|asked|thinks|thought|believes|believed|knows|told)\b/;
const UNSURE = regExp()`
  \b(?:maybe|perhaps|probably|possibly|might|could|almost|nearly
  |i (?:guess|bet|think|suppose|believe|assume|wonder)|not (?:true|sure|certain|saying|claiming|implying
  |suggesting)|false that|not sure yet|seems?|apparently|supposedly|kind of wish)\b`;
const MOCKING = regExp('i')`
  \/s\b|🙄|😉|\byeah[, ]+right\b|\b(?:just |only )?kidding\b|\bj(?:k|\/k)\b|\bnot!|\bas if\b|\bsarcas
  |\bjoking\b|^(?:\s*(?:oh|ah))?,?\s*(?:sure|great|wonderful|fantastic|of course)[, ]+(?:i|because|like)\b
  |^\s*oh,? (?:great|sure|joy)|\bobviously\.?$|\btotally love\b|\bwho (?:does not|doesn't|says)\b`;

/** Whether a sentence is to be believed nowhere. `next` is the sentence after it. */
export function isMocking(sentence: string, next: string): boolean {
  return MOCKING.test(sentence) || /^\s*(?:\(?(?:just |only )?(?:kidding|joking)|jk\b|not!|\/s)/i.test(next);
}

const LEADS_UP = regExp('g')`
  \b(?:i must say|i should say|just so you know|if i remember (?:correctly|right)|if it (?:helps|matters)
  |if you (?:must|want to) know|to say)\b`;

/** Why a clause of a sentence is not taken at its word. */
export function isDoubtful(clause: Clause, sentence: string): boolean {
  const { before, words, opener } = clause;
  // "No, I meant …" leads up; "Who says" does not.
  const lead = `${before} ${opener}`.replace(LEADS_UP, '');
  if (SUPPOSED.test(lead) || REPORTED.test(lead) || SPOKEN.test(lead) || UNSURE.test(lead)) return true;
  if (/^(?:when|whenever|while|until|before|after|once|where|wherever)\b/.test(before)) return true;
  if (INVERTED.test(before) || INVERTED.test(words)) return true;
  if (/\?\W*$/.test(sentence) && !asksLater(words)) return true;
  return UNSURE_WITHIN.test(words);
}

const UNSURE_WITHIN = regExp()`
  ^(?:i|we) (?:(?:am|are) )?(?:hardly|barely|scarcely)\b|^(?:i|we) (?:am|are) (?:no|anything but|far from
  |nowhere near|neither)\b|^(?:i|we) (?:might|may|could|would(?! rather)|should|must|guess|bet|wish|almost
  |nearly|never said|doubt|pretend|imagine)\b|\bas if\b|, (?:maybe|perhaps|i guess|i think|not sure
  |not really|lol|you know)\b(?! it)|\b(?:or something|or so i think|in my dreams?|in a dream
  |in this (?:story|game|scenario)|in the (?:story|game))\b| if (?:i|you|it|we|they|he|she|the|only|there)\b`;

/** "I live in Berlin, do you know a dentist?": the question comes after. */
function asksLater(words: string): boolean {
  const pieces = words.split(/ [,;:.] | (?:and|but|so) /);
  return pieces.slice(1).some((piece) => ASKS.test(piece.split(' ').slice(0, 3).join(' ')));
}
