import type { PastTurn } from './pastTurns.ts';
import { cut } from './toolOutput.ts';

const LONGEST_SAID = 240;
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

function notesOf({ messages }: PastTurn): string {
  const notes = messages.flatMap((message) => {
    if (message.role === 'tool') return [];
    if (message.role === 'user') {
      const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join(' ');
      return noteOf('User', text);
    }
    const tools = (message.toolCalls ?? []).map(({ name }) => name).join(', ');
    return [...noteOf('Assistant', message.text), ...noteOf('Tools used', tools)];
  });
  return notes.join('\n');
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
