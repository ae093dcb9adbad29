import { type AskOptions, ask, type Output } from '../api/ask.ts';

export type Episode = Output<'GET /api/memory/episodes'>['episodes'][number];

const PAGE = 100;
/** Of those before, nobody waits for the answer. */
export const MOST_EPISODES = 1_000;

/** The newest first, more of them than the service tells at once. */
export async function newestEpisodes(
  past: { readonly at?: number },
  options: AskOptions,
): Promise<readonly Episode[]> {
  const all: Episode[] = [];
  let after = '';
  do {
    const { episodes, next = '' } = await ask(
      'GET /api/memory/episodes',
      { limit: PAGE, ...past, after },
      options,
    );
    all.push(...episodes);
    after = next;
  } while (after !== '' && all.length < MOST_EPISODES);
  return all;
}
