import { chatEventTypes, readChatEvent } from '../../events/chat.ts';
import { beginExchange, continueExchange, type Exchange } from '../../projections/chat/exchange.ts';
import { findReceived } from '../../projections/chat/received.ts';
import type { EventReader } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { Transcript } from './transcript.ts';

/**
 * A turn that this process does not run: it is over, or another process runs it. It is followed as long as whoever
 * asked for it listens; then, or when the log goes away, it is left as it was known last.
 */
export class RecordedTurn {
  readonly turnId: string;
  readonly transcript = new Transcript();
  readonly place: Pick<Exchange, 'turnId' | 'sessionId'>;
  readonly #ended = Promise.withResolvers<Exchange>();
  #exchange: Exchange;

  private constructor(exchange: Exchange) {
    this.turnId = exchange.turnId;
    this.place = exchange;
    this.#exchange = exchange;
  }

  /** As far as it is known. */
  get begun(): Exchange {
    return this.#exchange;
  }

  get ended(): Promise<Exchange> {
    return this.#ended.promise;
  }

  /** A turn of this user, followed until one of the signals. */
  static async find(
    store: EventReader,
    userId: string,
    turnId: string,
    until: readonly AbortSignal[],
  ): Promise<RecordedTurn | undefined> {
    const event = await findReceived(store, userId, turnId);
    if (!event) return undefined;
    const turn = new RecordedTurn(beginExchange(event.data, event.at));
    const seen = await turn.#readUp(store, event);
    void turn.#follow(store, { userId, after: seen }, until);
    return turn;
  }

  /** What there is already: whoever asks to go on somewhere in it has to find it. */
  async #readUp(store: EventReader, { stream, version, position }: StoredEvent): Promise<number> {
    let seen = position;
    for await (const events of store.readStream(stream, { fromVersion: version + 1 })) {
      this.#take(events);
      seen = events.at(-1)?.position ?? seen;
      if (this.#exchange.end) break;
    }
    return seen;
  }

  async #follow(
    store: EventReader,
    range: { userId: string; after: number },
    until: readonly AbortSignal[],
  ): Promise<void> {
    if (this.#exchange.end) return;
    const over = new AbortController();
    const leave = () => over.abort();
    for (const signal of until) signal.addEventListener('abort', leave, { once: true });
    if (until.some(({ aborted }) => aborted)) leave();
    try {
      for await (const { events } of store.follow({ ...range, types: chatEventTypes }, over.signal)) {
        this.#take(events);
        if (this.#exchange.end) leave();
      }
    } catch {
      // The log went away. That the listener hears no more tells it to come back.
    } finally {
      for (const signal of until) signal.removeEventListener('abort', leave);
      this.transcript.close();
      this.#ended.resolve(this.#exchange);
    }
  }

  #take(events: readonly StoredEvent[]): void {
    for (const stored of events) {
      const event = readChatEvent(stored);
      if (!event || !('turnId' in event.data) || event.data.turnId !== this.turnId) continue;
      this.#exchange = continueExchange(this.#exchange, event, stored.at);
    }
    this.transcript.catchUp(this.#exchange);
    if (this.#exchange.end) this.#ended.resolve(this.#exchange);
  }
}
