import { HarkError } from '../errors.ts';
import type { EventBatch, LogRange, Position } from './port.ts';
import type { StoredEvent } from './storedEvent.ts';
import type { Tail } from './tail.ts';

interface Followed {
  readonly tail: Tail;
  readonly readAll: (range: LogRange) => AsyncIterable<EventBatch>;
}

/** What there is in a log, and then what comes: who keeps up never reads, who falls behind reads on from there. */
export async function* follow(
  followed: Followed,
  range: LogRange,
  signal: AbortSignal,
): AsyncGenerator<EventBatch> {
  const watch = followed.tail.watch(signal, (event) => isIn(range, event));
  try {
    yield* batches(followed, range, signal, () => watch.next());
  } finally {
    watch.end();
  }
}

async function* batches(
  { tail, readAll }: Followed,
  range: LogRange,
  signal: AbortSignal,
  moved: () => Promise<void>,
): AsyncGenerator<EventBatch> {
  let { after } = range;
  const { restarts } = tail;
  let isOver = signal.aborted;
  while (!isOver) {
    if (restarts !== tail.restarts)
      throw new HarkError('KVSTORE_UNAVAILABLE', { message: 'Another log took the place of this one' });
    const recent = tail.since(after);
    if (!recent) {
      let since = tail.position;
      for await (const batch of readAll({ ...range, after })) {
        after = batch.position;
        yield* held(tail, batch, since);
        since = tail.position;
      }
      isOver = signal.aborted;
    } else if (recent.length > 0) {
      after = recent.at(-1)?.position ?? after;
      const events = recent.filter((event) => isIn(range, event));
      yield* held(tail, { events, position: after }, tail.position);
      isOver = signal.aborted;
    } else {
      // What was heard before the end is handed out.
      if (signal.aborted) return;
      await moved();
    }
  }
}

/** Whoever takes it may keep it for a day, as what delivers to a receiver that is away. */
function* held(tail: Tail, batch: EventBatch, since: Position): Generator<EventBatch> {
  const letGo = tail.hold(batch.events, since);
  try {
    yield batch;
  } finally {
    letGo();
  }
}

function isIn({ userId, types }: LogRange, event: StoredEvent): boolean {
  if (types && !types.has(event.type)) return false;
  return userId === undefined || event.userId === null || event.userId === userId;
}
