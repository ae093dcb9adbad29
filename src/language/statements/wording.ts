import { regExp } from '../../regExp.ts';
import { stemsOf } from '../words.ts';

/** Read backwards from the end: forwards, each of many such words would be tried as the first. */
const TRAILING = regExp('i')`
  $(?<=((?:[ ,]+(?:now|nowadays|these days|currently|too|as well|btw|by the way|lol|though|either|anymore
  |at all|a lot|very much|so much|the most|right now|at the moment|actually|today|please|thanks|haha|again
  |there|here|in general|in particular|especially|myself|already|for now|as of now|at present|instead|anyway
  |obviously|still|yet|more than anything|nice to meet you|keep|for work|and|or|not|really))+))`;

export function clean(value: string): string {
  const plain = value.replace(/\s+/g, ' ').trim();
  const trailing = TRAILING.exec(plain)?.[1] ?? '';
  return plain.slice(0, plain.length - trailing.length).replace(/^[\s,;:.]+|(?<![\s,;:.])[\s,;:.]+$/g, '');
}

/** A key for what a fact is about, the same for the forms of its words. */
export function keyOf(value: string): string {
  const stems = stemsOf(value.replace(/^(?:a|an|the|some|all|any|both)\s+/i, ''));
  return (stems.length > 0 ? stems : [value.toLowerCase()]).slice(0, 6).join('-');
}

/** Of one who speaks to one who is spoken of. */
export function inThirdPerson(text: string): string {
  return text
    .replace(/\b(?:I am|I'm|im|we are|we're)\b/gi, 'the user is')
    .replace(/\b(?:I have|I've)\b/g, 'the user has')
    .replace(/\b(?:my|our)\b/gi, 'their')
    .replace(/\b(?:myself|ourselves)\b/gi, 'themselves')
    .replace(/\b(?:me|us)\b/g, 'them')
    .replace(/\b(?:mine|ours)\b/gi, 'theirs')
    .replace(/\bI\b|\bi\b|\bwe\b/g, 'they');
}

const PASSING = regExp('i')`
  ^(?:it|its|this|that|these|those|them|him|her|you|your|yours|me|us|one|ones|what|how|when|where|why|who
  |which|all|everything|anything|nothing|something|everyone|someone|there|here|both|to|if|the way|the idea
  |my|mine|his|their|such|more|most|some|any|so|as|no|not|just|very|each|every|either|neither|another
  |other)\b(?! (?:kinds?|sorts?|types?) of)`;

/** A word that stands for what the conversation is about at the moment says nothing that lasts. */
export function isPassing(value: string): boolean {
  return PASSING.test(value) || value.length < 2;
}

const PRONOUN_LIKE = regExp('i')`
  ^(?:it|this|that|these|those|them|him|her|you|me|what|how|here|there|home
  |the (?:same|problem|issue|code|bug|following|first|second)|all|everything|something
  |my (?:own|computer|mind|way))\b`;

/** What stands where a name would, and means something of the talk or of the work at hand. */
export function isPronounLike(value: string): boolean {
  return PRONOUN_LIKE.test(value);
}
