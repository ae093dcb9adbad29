import {
  catchError,
  EMPTY,
  ignoreElements,
  mergeMap,
  Observable,
  ReplaySubject,
  Subject,
  takeUntil,
  tap,
} from 'rxjs';

/**
 * Lets so many observables run at the same time: each begins when there is a place for it. Whoever unsubscribes while
 * its own waits has left the line.
 */
export function places(atOnce: number): <Result>(work: Observable<Result>) => Observable<Result> {
  const line = new Subject<Observable<never>>();
  line.pipe(mergeMap((work) => work, atOnce)).subscribe();
  return (work) =>
    new Observable((caller) => {
      const left = new ReplaySubject<void>(1);
      line.next(
        work.pipe(
          tap(caller),
          ignoreElements(),
          catchError(() => EMPTY),
          takeUntil(left),
        ),
      );
      return () => left.next();
    });
}
