import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Conversation, Question, Session, Turn } from './conversations.ts';

/*
 * Chats over a year and questions of somebody who read them, in words of their own. Those held out were written before
 * it was known how search works, and only their totals are looked at: nothing is tuned to them. The others are there
 * to learn from. What a line is: see sessionOf.
 */
const folder = import.meta.dirname;

/** Two long friendships each, with names and with small talk in between. */
export const friends = {
  heldOut: () => [chat('heldOut', 'renataAndColin', 'Renata'), chat('heldOut', 'imaniAndViktor', 'Imani')],
  practised: () => [chat('practised', 'leilaAndOwen', 'Leila'), chat('practised', 'ninaAndMarcus', 'Nina')],
} as const;

/** One who asks an assistant for this and that over a year, and later what they said or were told. */
export const assistant = {
  heldOut: () => [chat('heldOut', 'assistant', 'user')],
  practised: () => [chat('practised', 'assistant', 'user'), chat('practised', 'secondAssistant', 'user')],
} as const;

function chat(set: string, name: string, user: string): Conversation {
  const [, ...parts] = readFileSync(join(folder, set, `${name}.txt`), 'utf8').split(/^== /m);
  const read = parts.map((part, place) => sessionOf(part.trim().split('\n'), `s${place}`, user));
  return {
    sessions: read.map(({ session }) => session),
    questions: read.flatMap(({ questions }) => questions),
  };
}

/** The day and hour, then the turns; a line with ? asks for what the turn above it tells. */
function sessionOf([day = '', ...lines]: readonly string[], id: string, user: string) {
  const turns: Turn[] = [];
  const questions: Question[] = [];
  for (const line of lines) {
    if (line.startsWith('? '))
      questions.push({ text: line.slice(2), shares: true, session: id, turn: turns.at(-1)?.id ?? '' });
    else if (!/^\w+: /.test(line)) turns.push(longer(turns.pop(), line));
    else turns.push(turnOf(line, `${id}:${turns.length}`, user));
  }
  const session: Session = { id, startedAt: Date.parse(`${day.replace(' ', 'T')}Z`), turns };
  return { session, questions };
}

function turnOf(line: string, id: string, user: string): Turn {
  const [speaker = '', ...words] = line.split(': ');
  const role = speaker === user ? 'user' : 'assistant';
  const isNamed = user !== 'user';
  return { id, ...(isNamed && { speaker }), role, text: words.join(': ') };
}

function longer(turn: Turn | undefined, line: string): Turn {
  if (!turn) throw new Error(`Nobody says: ${line}`);
  return { ...turn, text: `${turn.text}\n${line}` };
}
