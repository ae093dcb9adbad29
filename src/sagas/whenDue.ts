import {
  defer,
  EMPTY,
  filter,
  merge,
  mergeMap,
  type Observable,
  type SchedulerLike,
  Subject,
  switchMap,
  tap,
  timer,
} from 'rxjs';
import { DueHeap } from './dueHeap.ts';

export interface Noted<Item> {
  readonly at: number;
  readonly item: Item;
}

/** Each of what is noted when its moment has come, in the order of the moments: one heap and one timer for all of it. */
export function whenDue<Item>(noted: Observable<Noted<Item>>, time: SchedulerLike): Observable<Item> {
  return defer(() => {
    const heap = new DueHeap<Item>();
    let ringsAt = Number.POSITIVE_INFINITY;
    const rung = new Subject<void>();
    const earlier = noted.pipe(
      tap(({ at, item }) => heap.push(at, item)),
      filter(({ at }) => at < ringsAt),
    );
    return merge(earlier, rung).pipe(
      switchMap(() => {
        ringsAt = heap.first;
        return ringsAt === Number.POSITIVE_INFINITY ? EMPTY : timer(new Date(ringsAt), time);
      }),
      mergeMap(() => {
        const due = [...dueIn(heap, time.now())];
        rung.next();
        return due;
      }),
    );
  });
}

function* dueIn<Item>(heap: DueHeap<Item>, now: number): Generator<Item> {
  for (let due = heap.takeDue(now); due; due = heap.takeDue(now)) yield due.item;
}
