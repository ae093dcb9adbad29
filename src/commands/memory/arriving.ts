import type { MemoryDataOf } from '../../events/memory.ts';

type Slice = NonNullable<MemoryDataOf<'memory.conversation.imported'>['slice']>;

/** Words that came before their episode, as far as they have come. */
export interface Arriving {
  /** Of which episode they are: an id may be used again, for another one. */
  readonly happenedAt: number;
  readonly of: number;
  /** The slice that comes next. */
  readonly next: number;
  /** When they are let go, should the others not come. */
  readonly until: number;
}

type Place = Pick<Slice, 'number' | 'of' | 'happenedAt'>;

/** The first slice of other words begins anew; what came before it is no part of them. */
export function isNextSlice(known: Arriving | undefined, slice: Place): boolean {
  return slice.number === (isOfThese(known, slice) ? known.next : 0);
}

export function hasCome(known: Arriving | undefined, slice: Place): boolean {
  return isOfThese(known, slice) && slice.number < known.next;
}

function isOfThese(known: Arriving | undefined, { of, happenedAt }: Place): known is Arriving {
  return known?.of === of && known.happenedAt === happenedAt;
}

/** None after the last one: the episode comes with that. */
export function arrivingAfter({ number, of, happenedAt, waitsUntil }: Slice): Arriving | undefined {
  return waitsUntil === undefined ? undefined : { happenedAt, of, next: number + 1, until: waitsUntil };
}
