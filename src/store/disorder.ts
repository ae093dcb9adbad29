import { fairShare, hasTime } from '../fairShare.ts';
import type { StoreAdapter } from './adapter.ts';
import type { Position } from './port.ts';

const PAGE = 1_024;
const MOST_NAMED = 10;

/** Gaps up to `head`, in words: a log whose positions or versions have any has lost something. */
export async function findDisorder(adapter: StoreAdapter, head: Position): Promise<string[]> {
  const found: string[] = [];
  const versions = new Map<string, number>();
  let position = 0;
  while (position < head && found.length < MOST_NAMED) {
    const page = await adapter.readAll({ after: position, until: head, limit: PAGE });
    for (const event of page) {
      if (event.position !== position + 1)
        found.push(`positions ${position + 1} to ${event.position - 1} are missing`);
      const version = (versions.get(event.stream) ?? 0) + 1;
      if (event.version !== version)
        found.push(
          `${event.stream} goes on with version ${event.version} at ${event.position}, not ${version}`,
        );
      versions.set(event.stream, event.version);
      position = event.position;
    }
    if (page.length === 0) found.push(`positions ${position + 1} to ${head} are missing`);
    if (page.length === 0) break;
    if (!hasTime()) await fairShare();
  }
  return found.slice(0, MOST_NAMED);
}
