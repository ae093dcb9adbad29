import { ask, type Input, type Output } from './ask.ts';

export type PastEvent = Output<'GET /api/events'>['events'][number];

const A_PAGE = 1_000;
/** The log is read from its beginning: of a very long one the beginning alone is shown, rather than none in a minute. */
const MOST_PAGES = 20;

/** The newest events that are wanted, oldest first. */
export async function newestEvents(
  which: Pick<Input<'GET /api/events'>, 'stream' | 'type'>,
  isWanted: (event: PastEvent) => boolean,
  most: number,
): Promise<readonly PastEvent[]> {
  let newest: PastEvent[] = [];
  let after: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { events, next } = await ask('GET /api/events', {
      ...which,
      limit: A_PAGE,
      ...(after === undefined ? {} : { after }),
    });
    newest = [...newest, ...events.filter(isWanted)].slice(-most);
    if (events.length < A_PAGE) return newest;
    after = String(next);
  }
  return newest;
}
