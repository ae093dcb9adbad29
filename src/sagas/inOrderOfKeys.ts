import {
  AsyncSubject,
  concatMap,
  filter,
  finalize,
  groupBy,
  map,
  mergeMap,
  type Observable,
  type OperatorFunction,
  takeWhile,
  tap,
} from 'rxjs';

interface Waiting<Trigger> {
  readonly trigger: Trigger;
  readonly isOver: AsyncSubject<void>;
}

/**
 * Answers each trigger after those of its key before it, and those of different keys side by side. What waits when the
 * signal comes is let go of as a whole: to begin and end each of a thousand would hold up the main thread.
 */
export function inOrderOfKeys<Trigger>(
  key: (trigger: Trigger) => string,
  answered: (trigger: Trigger) => Observable<Trigger>,
  signal: AbortSignal,
): OperatorFunction<Trigger, Trigger> {
  return (triggers) =>
    triggers.pipe(
      map((trigger): Waiting<Trigger> => ({ trigger, isOver: new AsyncSubject() })),
      groupBy(({ trigger }) => key(trigger), { duration: idle }),
      mergeMap((group) =>
        group.pipe(
          concatMap(({ trigger, isOver }) =>
            answered(trigger).pipe(
              finalize(() => {
                isOver.next();
                isOver.complete();
              }),
            ),
          ),
          // What ended after the signal may have ended because of it: it is rather answered twice than not at all.
          takeWhile(() => !signal.aborted),
        ),
      ),
    );
}

/** Emits when all that came of a group is over: a key is forgotten as soon as nothing of it waits. */
function idle<Trigger>(group: Observable<Waiting<Trigger>>): Observable<void> {
  let open = 0;
  return group.pipe(
    tap(() => open++),
    mergeMap(({ isOver }) => isOver),
    filter(() => --open === 0),
  );
}
