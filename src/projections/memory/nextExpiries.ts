import { conclusionDrawn } from '../../events/conclusions.ts';
import { conclusionMerged, conclusionPruned } from '../../events/maintenance.ts';
import { conversationImported, episodeCreated, episodesExpired, memoryErased } from '../../events/memory.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { defineProjection } from '../projection.ts';

interface NextExpiry {
  readonly userId: string;
  readonly at: number;
}

interface NextExpiries {
  /** A user may be called `__proto__`, a stream not. */
  readonly byStream: Record<string, NextExpiry>;
}

/** When something of each user has next been kept for long enough; it may have been erased by then. */
export const nextExpiries = defineProjection<NextExpiries>({
  name: 'memory.nextExpiries',
  version: 5,
  handles: [
    conversationImported.type,
    episodeCreated.type,
    conclusionDrawn.type,
    conclusionMerged.type,
    conclusionPruned.type,
    episodesExpired.type,
    memoryErased.type,
  ],
  initial: () => ({ byStream: {} }),
  apply({ byStream }, event) {
    const { stream, type, userId } = event;
    const user = userId ?? '';
    const until = keptUntil(event);
    if (until === null) return;
    if (until !== undefined) {
      byStream[stream] = { userId: user, at: Math.min(byStream[stream]?.at ?? until, until) };
      return;
    }
    const next = type === episodesExpired.type ? episodesExpired.data.parse(event.data).next : null;
    if (next === null) delete byStream[stream];
    else byStream[stream] = { userId: user, at: next };
  },
});

/** Until when that is kept which the event is about, null where it is for good; undefined for one that ends something. */
function keptUntil(event: StoredEvent): number | null | undefined {
  // To open the words would take long, and does not say more. What was just written is there anyway.
  const data = event.checked ? event.data : event.sealed.data;
  switch (event.type) {
    case conversationImported.type:
      return conversationImported.data.parse(data).slice?.waitsUntil ?? null;
    // Put aside before it came here.
    case conclusionDrawn.type:
      return conclusionDrawn.data.parse(data).standing?.tended?.restorableUntil ?? null;
    case episodeCreated.type:
      return episodeCreated.data.parse(data).expiresAt;
    case conclusionMerged.type:
      return conclusionMerged.data.parse(data).restorableUntil;
    case conclusionPruned.type:
      return conclusionPruned.data.parse(data).restorableUntil;
    default:
      return undefined;
  }
}
