import { ask } from '../../api/ask.ts';
import { confirmed } from '../../parts/dialog.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { words } from './words.ts';

export function undoAll(timestamp: number) {
  return ask('POST /api/memory/maintain/history/:timestamp/undo', { timestamp });
}

/** Takes back all that a sweep did, once the person has agreed. */
export async function undoSweep(timestamp: number): Promise<void> {
  const { undoAllTitle: title, undoAllText: text, undoAll: action } = words;
  if (!(await confirmed({ title, text, action }))) return;
  const done = await attempt(() => undoAll(timestamp));
  if (done) tell(words.undoneAll(done.undone.length, done.left.length));
}

/** Takes back what a sweep did to one conclusion or episode. False where nobody could be asked. */
export async function undoOne(timestamp: number, id: string): Promise<boolean> {
  const input = { timestamp, ids: [id] };
  const done = await attempt(() => ask('POST /api/memory/maintain/history/:timestamp/undo', input));
  if (done) tell(done.undone.length > 0 ? words.undone : words.changedSince);
  return done !== undefined;
}
