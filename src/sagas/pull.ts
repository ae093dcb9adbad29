import { defer, map, type Observable, type ObservableInput, repeat, takeWhile } from 'rxjs';

/** Something to be asked for the next of its values, as an asynchronous iterator is. */
export interface Source<Value> {
  [Symbol.asyncIterator](): { next(): ObservableInput<IteratorResult<Value, unknown>> };
}

/**
 * The source's values, each asked for only once `wanted` says so: RxJS by itself would take all that there are, as fast
 * as they come.
 */
export function pull<Value>(
  source: Source<Value>,
  wanted: () => ObservableInput<unknown>,
): Observable<Value> {
  return defer(() => {
    const values = source[Symbol.asyncIterator]();
    return defer(() => values.next()).pipe(
      repeat({ delay: wanted }),
      takeWhile(isValue),
      map(({ value }) => value),
    );
  });
}

function isValue<Value>(result: IteratorResult<Value, unknown>): result is IteratorYieldResult<Value> {
  return !result.done;
}
