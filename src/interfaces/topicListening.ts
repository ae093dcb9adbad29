import { fairShare, hasTime } from '../fairShare.ts';
import { topicOf } from '../projections/scheduler/topic.ts';
import type { Deliveries, EventBatch, EventReader, Position } from '../store/port.ts';
import type { StoredEvent } from '../store/storedEvent.ts';
import type { Listening, StreamMessage } from './operation.ts';
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

interface PlacedMessage extends StreamMessage {
  readonly position: Position;
}

/** Somebody who is told together with others. */
interface Member {
  /** Everything up to here has been told. */
  after: Position;
  /** False when that was all that it can take now: it leaves, and goes on by itself from where it stands. */
  tell(messages: readonly PlacedMessage[]): boolean;
}

/**
 * Follows the log once for all who want the same of it. Whoever joins was told at least as much as they were; from
 * then on it misses nothing, and is told nothing twice. None of them holds up the others.
 */
class TopicFeed {
  readonly #members = new Map<Member, PromiseWithResolvers<boolean>>();
  readonly #toMessage: (event: StoredEvent) => PlacedMessage;
  readonly #onEmpty: () => void;
  #position: Position;
  #isOver = false;

  constructor(
    after: Position,
    batches: AsyncIterable<EventBatch>,
    toMessage: (event: StoredEvent) => PlacedMessage,
    onEmpty: () => void,
  ) {
    this.#position = after;
    this.#toMessage = toMessage;
    this.#onEmpty = onEmpty;
    this.#run(batches).then(
      () => this.#end((left) => left.resolve(false)),
      (error) => this.#end((left) => left.reject(error)),
    );
  }

  /**
   * Resolves when the member is told no more: with true if it left, and with false if there is no more to tell.
   * Undefined if it is behind.
   */
  join(member: Member): Promise<boolean> | undefined {
    if (this.#isOver || member.after < this.#position) return undefined;
    const left = Promise.withResolvers<boolean>();
    this.#members.set(member, left);
    return left.promise;
  }

  leave(member: Member): void {
    this.#members.get(member)?.resolve(true);
    this.#members.delete(member);
    if (this.#members.size > 0) return;
    this.#isOver = true;
    this.#onEmpty();
  }

  async #run(batches: AsyncIterable<EventBatch>): Promise<void> {
    for await (const { events, position } of batches) await this.#tell(events.map(this.#toMessage), position);
  }

  /**
   * Who joins meanwhile is come to as well: what it was told already is left out for it. With the last of them told,
   * and nothing in between, it is said how far they are.
   */
  async #tell(messages: readonly PlacedMessage[], until: Position): Promise<void> {
    const first = messages[0]?.position ?? until;
    for (const member of this.#members.keys()) {
      if (!hasTime()) await fairShare();
      if (!this.#members.has(member)) continue;
      const { after } = member;
      const news = after < first ? messages : messages.filter(({ position }) => position > after);
      member.after = Math.max(after, until);
      if (news.length > 0 && !member.tell(news)) this.leave(member);
    }
    this.#position = until;
  }

  #end(settle: (left: PromiseWithResolvers<boolean>) => void): void {
    this.#isOver = true;
    for (const left of this.#members.values()) settle(left);
    this.#members.clear();
    this.#onEmpty();
  }
}
