import { useState } from 'preact/hooks';
import { ask, type Output, Refusal } from '../api/ask.ts';
import { askOnce } from '../api/askOnce.ts';
import { attempt } from './toasts.tsx';

type Stated = Output<'POST /api/memory/conclusions'>;

/**
 * States what is so, in the place of a belief where one is named. Where that was forgotten while somebody typed, it
 * is gone: this says so, and what is sent then is something new.
 */
export function useStatement(id: string | undefined) {
  const [isGone, setGone] = useState(false);
  const state = (text: string): Promise<Stated | undefined> =>
    attempt(async () => {
      try {
        const inItsPlace = id === undefined || isGone ? {} : ({ type: 'corrected', supersedes: id } as const);
        return await askOnce('POST /api/memory/conclusions', { text, ...inItsPlace });
      } catch (error) {
        if (!(error instanceof Refusal && error.status === 404)) throw error;
        setGone(true);
        return undefined;
      }
    });
  return { isGone, state };
}

/** Takes back what was stated: it is put aside, and what it replaced is believed again. */
export async function takeBack({ conclusion, replaced }: Stated): Promise<true> {
  const ids = replaced.map(({ id }) => id);
  if (ids.length > 0) await ask('POST /api/memory/conclusions/restore', { ids });
  await ask('POST /api/memory/conclusions/dismiss', { ids: [conclusion.id] });
  return true;
}
