import { requestsIn } from './requests.ts';
import { tellingStemsOf } from './whoseWords.ts';
import { stemsOf } from './words.ts';

interface SaidTurn {
  readonly role: string;
  readonly text: string;
}

/** Whether a statement is of what somebody named. In doubt it is not. */
export function speaksOf(statement: string, what: string): boolean {
  const telling = tellingStemsOf(what);
  const wanted = telling.length > 0 ? telling : stemsOf(what);
  const stems = new Set(stemsOf(statement));
  return wanted.length > 0 && wanted.every((stem) => stems.has(stem));
}

/**
 * Which statements of a conversation the user asked to be forgotten later in it, by the turn that makes them. "Forget
 * that" means what was said just before.
 */
export function forgettingIn(turns: readonly SaidTurn[]): (statement: string, turn: number) => boolean {
  const mine = turns.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  const wishes = mine.flatMap((index, place) =>
    requestsIn(turns[index]?.text ?? '').flatMap(({ kind, what }) =>
      kind === 'forget' ? [{ what, from: what === '' ? mine[place - 1] : 0, until: index }] : [],
    ),
  );
  return (statement, turn) =>
    wishes.some(
      ({ what, from, until }) =>
        from !== undefined &&
        from <= turn &&
        turn <= until &&
        (what === '' ? turn < until : speaksOf(statement, what)),
    );
}
