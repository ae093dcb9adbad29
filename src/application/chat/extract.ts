import { ownWords, shownWords } from '../../language/ownWords.ts';
import type { PastTurn } from './pastTurns.ts';
import { cut } from './toolOutput.ts';

const LONGEST_SAID = 240;
const LONGEST_READ = 4_000;
/** A sentence shorter than this says too little by itself. */
const SHORT_SENTENCE = 40;

/**
 * What was said, in its own words and without a model: how each message begins, the newest turns first to have room,
 * and up to half of it what was noted before.
 */
export function extract(earlier: string | null, turns: readonly PastTurn[], most: number): string {
  const noted = earlier === null ? [] : [cut(earlier, Math.floor(most / 2))];
  let left = most - noted.join('').length;
  const kept: string[] = [];
  for (const turn of turns.toReversed()) {
    const notes = notesOf(turn);
    if (notes === '' || notes.length + 1 > left) continue;
    kept.unshift(notes);
    left -= notes.length + 1;
  }
  return [...noted, ...kept].join('\n');
}

function notesOf({ messages, origin }: PastTurn): string {
  const notes = messages.flatMap((message) => {
    if (message.role === 'tool') return [];
    if (message.role === 'user') {
      const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join(' ');
      return origin === 'user' ? notesOfUser(text) : noteOf('Prompt', text);
    }
    const tools = (message.toolCalls ?? []).map(({ name }) => name).join(', ');
    return [...noteOf('Assistant', message.text), ...noteOf('Tools used', tools)];
  });
  return notes.join('\n');
}

/** What users only show is not noted as what they say. */
function notesOfUser(text: string): readonly string[] {
  const beginning = cut(text, LONGEST_READ);
  const own = ownWords(beginning);
  return [...noteOf('User', own), ...noteOf('Quoted by the user', shownWords(beginning, own))];
}

function noteOf(who: string, text: string): readonly string[] {
  const said = beginningOf(text);
  return said === '' ? [] : [`${who}: ${said}`];
}

const SENTENCE_END = /[.!?](?=\s|$)|[。！？]/g;

function beginningOf(text: string): string {
  const plain = cut(text, 4 * LONGEST_SAID)
    .replace(/\s+/g, ' ')
    .trim();
  const end = Array.from(plain.matchAll(SENTENCE_END), ({ index }) => index + 1).find(
    (at) => at >= SHORT_SENTENCE,
  );
  return cut(plain.slice(0, end), LONGEST_SAID);
}
