import { ask, type Output } from '../../api/ask.ts';
import { attempt, tell } from '../../parts/toasts.tsx';
import { dayText } from '../../words/format.ts';
import { words } from './words.ts';

export type Conclusion = Output<'GET /api/memory/conclusions'>['conclusions'][number];

/** What changes memory, or follows it. */
export const memoryTopics = ['memory.*'];

/** Puts them aside: nobody is told of them any more, and for a time it can be taken back. */
export function dismiss(ids: readonly string[]): Promise<unknown> {
  return attempt(async () => {
    const { dismissed, restorableUntil } = await ask('POST /api/memory/conclusions/dismiss', {
      ids: [...ids],
    });
    const kept = words.forgetKept(dayText(restorableUntil));
    tell(`${words.forgotten(dismissed.length)}. ${kept}`, () =>
      ask('POST /api/memory/conclusions/restore', { ids: dismissed }),
    );
  });
}

export function restore(ids: readonly string[]): Promise<unknown> {
  return attempt(async () => {
    const { restored } = await ask('POST /api/memory/conclusions/restore', { ids: [...ids] });
    tell(words.restored(restored.length));
  });
}
