import { regExp } from '../../regExp.ts';

/* A text that asks for one: what stands in it of an "I" is not the user. */

const PLAYS = regExp('i')`
  \b(?:role-?play(?:ing)?|pretend|act as|act like|play(?:s|ing)? (?:a game|the role|devil)|let us play
  |let's play|lets play|imagine|in (?:my|the|this|our) (?:novel|story|game|book|song|movie|film|campaign
  |script|dream|poem|play)|(?:main|my|the) character|you are (?:a|an|the|my|now)|you're (?:a|an|the|my)
  |dungeon|once upon a time|lyrics|screenplay|fan ?fiction|persona)\b`;
/** "User: … Bot: …": a conversation that is shown. */
const SPEAKER = /(?=\p{Lu})(?<=^|[\n.!?]\s*)\p{Lu}\p{L}{1,14}: /gu;
const CASTS = /\b[Yy]ou(?:['’]re| are) \p{Lu}\p{L}+[.,;!]? (?:and )?I(?:['’]m| am)\b/u;
const INVENTS = regExp('i')`
  \b(?:write|compose|tell|make up|create|continue|invent|generate|draft|start)\b[^.!?\n]{0,40}\b
  (?:story|poem|song|tale|novel|dialogue|dialog|script|scene|monologue|limerick|haiku|joke|fiction
  |fairy ?tale|rap|verse|sketch|play)\b`;
const WORKS = regExp('i')`
  \b(?:translate|proofread|rewrite|rephrase|paraphrase|summari[sz]e|correct|fix|edit|improve|polish|shorten
  |check|how (?:do|would|can) (?:you|i) say|what does|example sentence|grammar|spell-?check)\b`;
const ON = regExp('i')`
  (?::|\bthis\b|\bfollowing\b|\bmy sentence\b|\binto\b|\bto (?:french|german|spanish|english|italian
  |formal)\b|\bin (?:french|german|spanish|japanese|italian|english)\b)`;
/** Somebody else's words come after the colon. */
const PASTES = regExp('i')`
  \bhere(?:['’]s| is| are) (?:my|the|an?|our) (?:\w+ )?(?:essay|text|draft|letter|bio|cv|resume|paragraph
  |e-?mail|story|speech|poem|post|abstract|statement|summary)\b|\b
  (?:e-?mail|letter|message|text|tweet|post|review|article|bio|speech|says|said|wrote|writes|error|customer
  |lyrics|quote|paragraph|note|log|reply|asked me|told me|sentence)\b[^\n.!?:]{0,30}:(?:\s|$)`;
const ENDS_PLAY = regExp('i')`
  \b(?:stop|end|quit|leave|out of character|back to reality|for real|no more|enough)\b[^.!?\n]{0,30}\b
  (?:role-?play|game|story|playing|pretend\w*|character|now|reality)\b|\bout of character\b
  |\bback to reality\b`;

/** How much of a text may be its writer's own: up to where invention or somebody else's words begin. */
export function ownUntil(text: string): number {
  const begins = [PLAYS, CASTS, INVENTS].map((pattern) => text.search(pattern)).filter((index) => index >= 0);
  const pasted = [worksFrom(text), text.search(PASTES), showsFrom(text)].filter((index) => index >= 0);
  return Math.min(
    text.length,
    ...begins.map((index) => sentenceStart(text, index)),
    ...pasted.map((index) => sentenceStart(text, index)),
  );
}

/** Where somebody is asked to work on words that follow in the same line; -1 where nobody is. */
function worksFrom(text: string): number {
  let from = 0;
  for (const line of text.split('\n')) {
    const asked = WORKS.exec(line);
    // The first to be asked has all in front of him that a later one has.
    if (asked && ON.test(line.slice(asked.index + asked[0].length))) return from + asked.index;
    from += line.length + 1;
  }
  return -1;
}

/** Where the first of two speakers begins who follow each other, with no line in between that is nobody's. */
function showsFrom(text: string): number {
  let last: { readonly index: number; readonly end: number } | undefined;
  for (const { index, 0: label } of text.matchAll(SPEAKER)) {
    if (last && !text.slice(last.end, index).trimEnd().includes('\n')) return last.index;
    last = { index, end: index + label.length };
  }
  return -1;
}

const BEGINS_PLAY = regExp('i')`
  \b(?:role-?play|let(?:'s| us|s) play a (?:game|role)|pretend (?:that )?(?:i|we|you)
  |act as (?:a|an|my|the|if)|you are (?:now )?(?:a|an|my|the) (?!very|great|bit|lot|good|real|genius|life))`;

/** Whether the conversation is play after this turn, when it was or was not before. */
export function isPlayAfter(text: string, wasPlay: boolean): boolean {
  if (ENDS_PLAY.test(text)) return false;
  return wasPlay || BEGINS_PLAY.test(text);
}

function sentenceStart(text: string, index: number): number {
  const before = text.slice(0, index);
  const last = Math.max(...['. ', '! ', '? ', '\n'].map((end) => before.lastIndexOf(end)));
  return last < 0 ? 0 : last + 1;
}
