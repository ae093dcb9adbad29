import { fairShare, hasTime } from '../fairShare.ts';
import type { StoreAdapter } from './adapter.ts';
import type { Position } from './port.ts';

const PAGE = 1_024;

/**
 * The last event up to `head` at or before a time, 0 when there is none. It looks from there back, and at every
 * event on the way: clocks may have been put back, so that times need not grow with positions.
 */
export async function positionAt(adapter: StoreAdapter, head: Position, time: number): Promise<Position> {
  for (let until = head; until > 0; until -= PAGE) {
    const page = await adapter.readAll({ after: Math.max(0, until - PAGE), until, limit: PAGE });
    const found = page.findLast(({ at }) => at <= time);
    if (found) return found.position;
    if (!hasTime()) await fairShare();
  }
  return 0;
}
