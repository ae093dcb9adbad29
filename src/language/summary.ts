import { regExp } from '../regExp.ts';
import { evidentWords } from './requests.ts';
import { type Sentence, sentencesOf } from './sentences.ts';
import { stemsOf } from './words.ts';

export interface SummaryTurn {
  readonly role: string;
  readonly name?: string | null;
  readonly text: string;
}

interface Candidate {
  readonly turn: number;
  readonly index: number;
  readonly text: string;
  readonly stems: readonly string[];
  readonly score: number;
}

const USUAL_LENGTH = 600;
const LONGEST_SENTENCE = 280;
const LONGEST_TURN = 20_000;
const GREETING = regExp('i')`
  ^(?:hi|hey|hello|thanks?|thank you|great|ok(?:ay)?|sure|yes|no|cool|nice|perfect|awesome
  |good (?:morning|evening|night)|bye|goodbye|you(?:['’]| a)re welcome|good|fine|right|all ?right|done
  |got it|no problem|sounds good|of course|certainly|i see|hallo|danke)\b[^.]{0,30}[.!]?$`;
const OFFER = regExp('i')`
  ^(?:let me know|feel free|i hope|is there anything|how can i|happy to help|glad|would you like
  |do you want me|sure[,!]|of course|great question|as an ai)`;
const DECISION = regExp('i')`
  \b(?:decided|decide|agreed|agree|will|going to|plan|planned|chose|choose|settled|booked|ordered|scheduled
  |deadline|due|must|need to|prefer|always|never|remember|important|changed|moved|instead|no longer|because
  |conclusion|solved|fixed|works now|finished|done)\b`;
const OF_ONESELF = /\b(?:i|my|we|our|i'm|i've)\b/i;

/**
 * The sentences that carry a conversation, as they were said and with who said them, in their order and within a
 * length. Nothing is added: a summary of greetings is empty.
 */
export function summaryOf(turns: readonly SummaryTurn[], longest = USUAL_LENGTH): string {
  const candidates = scored(turns);
  const chosen: Candidate[] = [];
  // Each part costs the space that parts it from the next; the last one has none.
  let left = longest + 1;
  for (const candidate of candidates.toSorted((a, b) => b.score - a.score)) {
    const cost = candidate.text.length + labelOf(turns[candidate.turn]).length + ': '.length + 1;
    if (candidate.score <= 0 || cost > left || chosen.some((other) => isSame(other, candidate))) continue;
    chosen.push(candidate);
    left -= cost;
  }
  return told(
    chosen.sort((a, b) => a.turn - b.turn || a.index - b.index),
    turns,
  );
}

function scored(turns: readonly SummaryTurn[]): readonly Candidate[] {
  const said = turns.flatMap(({ role, text }, turn) =>
    sentencesOf(withoutCode(saidIn(role, text.slice(0, LONGEST_TURN)))).map((sentence, index) => ({
      turn,
      index,
      ...plain(sentence),
    })),
  );
  const spread = new Map<string, number>();
  for (const { stems } of said) for (const one of new Set(stems)) spread.set(one, (spread.get(one) ?? 0) + 1);
  return said.map((one) => ({ ...one, score: score(one, turns[one.turn], spread) }));
}

/** What users only show, or ask to be forgotten, is not told as what they say. */
function saidIn(role: string, text: string): string {
  return role === 'user' ? evidentWords(text) : text;
}

function withoutCode(text: string): string {
  return text.replace(/```[\s\S]*?(?:```|$)/g, '\n').replace(/^#+ |^[*-] |\*\*/gm, '');
}

function plain({ text }: Sentence): { readonly text: string; readonly stems: readonly string[] } {
  const short =
    text.length <= LONGEST_SENTENCE
      ? text
      : `${text.slice(0, text.lastIndexOf(' ', LONGEST_SENTENCE - 1))} …`;
  return { text: short.replace(/\s+/g, ' '), stems: stemsOf(short) };
}

function score(
  { text, stems, index }: Omit<Candidate, 'score'>,
  turn: SummaryTurn | undefined,
  spread: ReadonlyMap<string, number>,
): number {
  if (stems.length === 0 || GREETING.test(text) || OFFER.test(text)) return 0;
  const isUser = turn?.role === 'user';
  // Words that come back are the subject of the talk; a word that stands in all of it tells less.
  const central = Array.from(new Set(stems)).reduce((sum, one) => sum + Math.log1p(spread.get(one) ?? 0), 0);
  const told = central / Math.sqrt(stems.length + 3);
  const facts =
    (/\d/.test(text) ? 0.5 : 0) + (/\s\p{Lu}\p{Ll}/u.test(text) ? 0.6 : 0) + (DECISION.test(text) ? 0.7 : 0);
  const own = isUser && OF_ONESELF.test(text) ? 1.2 : 0;
  const asks = text.endsWith('?') ? (isUser ? -0.3 : -1.5) : 0;
  return told + facts + own + asks + (isUser ? 0.6 : 0) + (index === 0 ? 0.3 : 0);
}

function isSame(one: Candidate, other: Candidate): boolean {
  const words = new Set(one.stems);
  const shared = other.stems.filter((stem) => words.has(stem)).length;
  return shared > 0 && shared / Math.min(words.size, new Set(other.stems).size) > 0.8;
}

function told(chosen: readonly Candidate[], turns: readonly SummaryTurn[]): string {
  let last: string | undefined;
  const parts = chosen.map(({ turn, text }) => {
    const label = labelOf(turns[turn]);
    const part = label === last ? text : `${label}: ${text}`;
    last = label;
    return part;
  });
  return parts.join(' ');
}

function labelOf(turn: SummaryTurn | undefined): string {
  if (turn?.name) return turn.name;
  if (turn?.role === 'prompt') return 'Prompt';
  return turn?.role === 'user' ? 'User' : 'Assistant';
}
