import { EMPTY, type MonoTypeOperatorFunction, Observable, of, repeat } from 'rxjs';

/** Emits once, as soon as the signal is aborted, or at once where it is already. */
export function aborted(signal: AbortSignal): Observable<void> {
  return new Observable((subscriber) => {
    const end = () => {
      subscriber.next();
      subscriber.complete();
    };
    if (signal.aborted) return end();
    signal.addEventListener('abort', end);
    return () => signal.removeEventListener('abort', end);
  });
}

/** Subscribes anew whenever it has ended, until the signal. */
export function repeatUntil<Value>(signal: AbortSignal): MonoTypeOperatorFunction<Value> {
  return repeat({ delay: () => (signal.aborted ? EMPTY : of(undefined)) });
}
