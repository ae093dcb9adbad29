import { setImmediate as breath } from 'node:timers/promises';

/** Others get their turn after so much work. */
const LONGEST_TURN_MS = 2;

/** The same items; reading and working on them holds nobody up. */
export async function* unhurried<Item>(items: AsyncIterable<Item> | Iterable<Item>): AsyncGenerator<Item> {
  let since = performance.now();
  for await (const item of items) {
    yield item;
    if (performance.now() - since < LONGEST_TURN_MS) continue;
    await breath();
    since = performance.now();
  }
}
