/** What was said last is told word for word, however long it is. */
const KEPT_WHOLE = 4;

/**
 * How many of the oldest turns a summary has to stand for, so that what is left takes half of what it may: then it
 * is a while until the next summary. A turn goes as a whole, since a call of a tool without its result is nothing
 * that a provider takes.
 */
export function turnsToSumUp(costs: readonly number[], limit: number, summary: number): number {
  let room = limit / 2 - summary;
  let kept = 0;
  for (const cost of costs.toReversed()) {
    room -= cost;
    if (kept >= KEPT_WHOLE && room < 0) break;
    kept++;
  }
  return costs.length - kept;
}
