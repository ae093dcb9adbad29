import { topicOf } from '../projections/scheduler/topic.ts';
import type { Deliveries, EventBatch, EventReader, Position } from '../store/port.ts';
import type { StoredEvent } from '../store/storedEvent.ts';
import type { Listening, StreamMessage } from './operation.ts';
import { type Member, type PlacedMessage, TopicFeed } from './topicFeed.ts';
import { followTopics, type TopicChoice } from './topicStream.ts';

/** Tells of topics. Those who want the same and keep up are told together; whoever is behind reads the log itself. */
export class TopicListeners {
  readonly #eventTypes: readonly string[];
  readonly #feeds = new Map<string, TopicFeed>();

  /** `eventTypes` are all that the log may hold. */
  constructor(eventTypes: readonly string[]) {
    this.#eventTypes = eventTypes;
  }

  listen(
    store: EventReader & Deliveries,
    choice: TopicChoice,
    from: Position,
    signal: AbortSignal,
  ): Listening {
    const follow = (after: Position, until: AbortSignal) =>
      followTopics(store, this.#eventTypes, { ...choice, after }, until);
    const feedAt = (after: Position) => {
      const key = JSON.stringify([choice.userId, choice.topics]);
      // To begin with, somebody has to be at the end: the others would have to wait for what they know.
      return this.#feeds.get(key) ?? (after < store.delivered ? undefined : this.#begin(key, after, follow));
    };
    return new TopicListening(follow, feedAt, from, signal);
  }

  #begin(key: string, after: Position, follow: Follow): TopicFeed {
    const ending = new AbortController();
    const feed = new TopicFeed(after, follow(after, ending.signal), toMessage, () => {
      ending.abort();
      if (this.#feeds.get(key) === feed) this.#feeds.delete(key);
    });
    this.#feeds.set(key, feed);
    return feed;
  }
}

type Follow = (after: Position, until: AbortSignal) => AsyncIterable<EventBatch>;

class TopicListening implements Listening {
  readonly #follow: Follow;
  readonly #feedAt: (after: Position) => TopicFeed | undefined;
  readonly #signal: AbortSignal;
  #after: Position;

  constructor(
    follow: Follow,
    feedAt: (after: Position) => TopicFeed | undefined,
    from: Position,
    signal: AbortSignal,
  ) {
    this.#follow = follow;
    this.#feedAt = feedAt;
    this.#after = from;
    this.#signal = signal;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly StreamMessage[]> {
    for await (const { events, position } of this.#follow(this.#after, this.#signal)) {
      this.#after = position;
      yield events.map(toMessage);
    }
  }

  join(tell: Member['tell']): Promise<boolean> | undefined {
    const feed = this.#feedAt(this.#after);
    const member = { after: this.#after, tell };
    const left = feed?.join(member);
    if (!feed || !left) return undefined;
    const leave = () => feed.leave(member);
    this.#signal.addEventListener('abort', leave, { once: true });
    if (this.#signal.aborted) leave();
    return left.finally(() => {
      this.#signal.removeEventListener('abort', leave);
      this.#after = member.after;
    });
  }
}

function toMessage(event: StoredEvent): PlacedMessage {
  const { position } = event;
  return { id: String(position), event: topicOf(event), data: event, position };
}
