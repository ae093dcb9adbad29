import { Observable } from 'rxjs';

/** Emits once, as soon as the signal is aborted, or at once where it is already. */
export function aborted(signal: AbortSignal): Observable<void> {
  return new Observable((subscriber) => {
    const end = () => {
      subscriber.next();
      subscriber.complete();
    };
    if (signal.aborted) return end();
    signal.addEventListener('abort', end, { once: true });
    return () => signal.removeEventListener('abort', end);
  });
}
