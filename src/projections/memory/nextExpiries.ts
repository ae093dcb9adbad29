import { conclusionDrawn, conclusionsDismissed } from '../../events/conclusions.ts';
import { conversationImported, episodeCreated, episodesExpired } from '../../events/episodes.ts';
import { conclusionMerged, conclusionPruned } from '../../events/maintenance.ts';
import { memoryErased } from '../../events/memory.ts';
import { defineProjection, type Handled } from '../projection.ts';

interface NextExpiry {
  readonly userId: string;
  readonly at: number;
}

interface NextExpiries {
  /** A user may be called `__proto__`, a stream not. */
  readonly byStream: Record<string, NextExpiry>;
}

const handles = [
  conversationImported,
  episodeCreated,
  conclusionDrawn,
  conclusionMerged,
  conclusionPruned,
  conclusionsDismissed,
  episodesExpired,
  memoryErased,
] as const;

/** When something of each user has next been kept for long enough; it may have been erased by then. */
export const nextExpiries = defineProjection({
  name: 'memory.nextExpiries',
  version: 6,
  handles,
  initial: (): NextExpiries => ({ byStream: {} }),
  apply({ byStream }, event) {
    const { stream, owner: userId } = event;
    const until = keptUntil(event);
    if (until === null) return;
    if (until !== undefined) {
      byStream[stream] = { userId, at: Math.min(byStream[stream]?.at ?? until, until) };
      return;
    }
    const next = event.type === episodesExpired.type ? event.data.next : null;
    if (next === null) delete byStream[stream];
    else byStream[stream] = { userId, at: next };
  },
});

/** Until when that is kept which the event is about, null where it is for good; undefined for one that ends something. */
function keptUntil(event: Handled<(typeof handles)[number]>): number | null | undefined {
  switch (event.type) {
    case conversationImported.type:
      return unopened(event).slice?.waitsUntil ?? null;
    // Put aside before it came here.
    case conclusionDrawn.type:
      return unopened(event).standing?.tended?.restorableUntil ?? null;
    case episodeCreated.type:
      return unopened(event).expiresAt;
    case conclusionMerged.type:
      return unopened(event).restorableUntil;
    case conclusionPruned.type:
      return unopened(event).restorableUntil;
    case conclusionsDismissed.type:
      return unopened(event).restorableUntil;
    default:
      return undefined;
  }
}

/** To open the words would take long, and does not say more. What was just written is there anyway. */
function unopened<Data>(event: Opened<Data>): Data {
  return event.isOpen ? event.data : event.sealed.data;
}

interface Opened<Data> {
  readonly isOpen: boolean;
  readonly data: Data;
  readonly sealed: { readonly data: Data };
}
