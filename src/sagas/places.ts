import { Observable } from 'rxjs';
import { Semaphore } from '../application/semaphore.ts';

/**
 * Lets so many observables run at the same time: each begins when there is a place for it. Whoever unsubscribes while
 * its own waits has left the line.
 */
export function places(atOnce: number): <Result>(work: Observable<Result>) => Observable<Result> {
  const semaphore = new Semaphore(atOnce);
  return (work) => new Observable((subscriber) => semaphore.enter(() => work.subscribe(subscriber)));
}
