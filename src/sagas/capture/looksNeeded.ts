import { Observable } from 'rxjs';
import { captureEvents, segmentKept, segmentSealed } from '../../events/capture.ts';
import type { Capturing } from '../../projections/capture/capturing.ts';
import type { Deliveries } from '../../store/port.ts';
import type { Noted } from '../whenDue.ts';

interface Sources {
  readonly store: Pick<Deliveries, 'onAppended'>;
  readonly capturing: () => Capturing;
}

interface Wanted {
  /** Of an event: something is to be done because of it. */
  readonly isNews: (type: string) => boolean;
  /** Of what was there before. */
  readonly isOpen: (open: Capturing['byStream'][string]) => boolean;
}

/** What comes in goes on with the next look that is due anyway. */
const bringsWork: ReadonlySet<string> = new Set(
  captureEvents
    .map(({ type }) => type)
    .filter((type) => type !== segmentKept.type && type !== segmentSealed.type),
);

export const allThatIsOpen: Wanted = { isNews: (type) => bringsWork.has(type), isOpen: () => true };

export const recordings: Wanted = {
  isNews: (type) => type === segmentSealed.type,
  isOpen: ({ media }) => media.length > 0,
};

/** Whose captures are to be looked at, at once: of whom something was open at the beginning, and of whom there is news. */
export function looksNeeded(
  { store, capturing }: Sources,
  { isNews, isOpen }: Wanted,
): Observable<Noted<string>> {
  return new Observable((subscriber) => {
    const stopListening = store.onAppended((events) => {
      for (const { type, owner } of events) if (isNews(type)) subscriber.next({ at: 0, item: owner });
    });
    for (const open of Object.values(capturing().byStream))
      if (isOpen(open)) subscriber.next({ at: 0, item: open.userId });
    return stopListening;
  });
}
