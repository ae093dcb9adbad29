import { ask } from '../api/ask.ts';

/** Takes back what was stated: it is put aside, and what it replaced is believed again. */
export async function takeBack(id: string, replaced: readonly string[]): Promise<true> {
  if (replaced.length > 0) await ask('POST /api/memory/conclusions/restore', { ids: [...replaced] });
  await ask('POST /api/memory/conclusions/dismiss', { ids: [id] });
  return true;
}
