import { Thread } from './thread.ts';
import { letGoAll } from './unsent.ts';

const open = new Map<string, Thread>();
const MOST_OPEN = 4;

/** One for each session, also when the page is left and come back to. */
export function threadOf(sessionId: string): Thread {
  const thread = open.get(sessionId) ?? new Thread(sessionId);
  open.delete(sessionId);
  open.set(sessionId, thread);
  for (const [id, oldest] of open) {
    if (open.size <= MOST_OPEN) break;
    oldest.close();
    open.delete(id);
  }
  return thread;
}

/** What is forgotten is not shown again. */
export function closeThread(sessionId: string): void {
  letGoAll(sessionId);
  open.get(sessionId)?.close();
  open.delete(sessionId);
}
