import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

/** What has come by the end of the time is looked at first: a busy machine may not have let this process do so. */
const TURNS = 200;

/** What the work comes to. It fails where that takes longer than a timer of this process, which is held up with it. */
export async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const { signal } = over;
  const late = async () => {
    await wait(ms, undefined, { signal });
    for (let turns = 0; turns < TURNS; turns++) await nextTurn(undefined, { signal });
    throw new Error(`It takes longer than ${ms} ms`);
  };
  try {
    return await Promise.race([work, late()]);
  } finally {
    over.abort();
  }
}
