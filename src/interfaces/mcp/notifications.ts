import type { ToolRegistry } from '../../application/chat/toolRegistry.ts';
import { topicOf } from '../../projections/scheduler/topic.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import type { StreamMessage } from '../operation.ts';

const toolsChanged: StreamMessage = {
  event: 'message',
  data: { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
};

/**
 * What a client of 2025 is told without having asked: that the tools changed, and what happens on its topics. Of a
 * slow reader nothing piles up: it is told once that the tools changed, and events wait in the log.
 */
export async function* notifications(
  registry: Pick<ToolRegistry, 'onChange'>,
  events: AsyncIterable<readonly StoredEvent[]> | undefined,
  signal: AbortSignal,
): AsyncGenerator<readonly StreamMessage[]> {
  const news = new News(signal);
  const unsubscribe = registry.onChange(() => news.tellToolsChanged());
  const following = events && news.follow(events);
  try {
    for (;;) {
      const batch = await news.next();
      if (!batch) return;
      yield batch;
    }
  } finally {
    unsubscribe();
    await following;
  }
}

/** Two sources, one reader. */
class News {
  readonly #signal: AbortSignal;
  #toolsChanged = false;
  #waiting: readonly StoredEvent[] | undefined;
  #isOver = false;
  #wake = () => {};
  #taken = () => {};

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#end(), { once: true });
  }

  tellToolsChanged(): void {
    this.#toolsChanged = true;
    this.#wake();
  }

  /** Holds one batch at a time. */
  async follow(events: AsyncIterable<readonly StoredEvent[]>): Promise<void> {
    for await (const batch of events) {
      if (this.#isOver) break;
      this.#waiting = batch;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#taken = resolve;
      this.#wake();
      await promise;
    }
    this.#end();
  }

  async next(): Promise<readonly StreamMessage[] | undefined> {
    for (;;) {
      if (this.#isOver) return undefined;
      if (this.#toolsChanged) {
        this.#toolsChanged = false;
        return [toolsChanged];
      }
      if (this.#waiting) {
        const batch = this.#waiting.map(inMessage);
        this.#waiting = undefined;
        this.#taken();
        return batch;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      if (this.#signal.aborted) return undefined;
      await promise;
    }
  }

  #end(): void {
    this.#isOver = true;
    this.#taken();
    this.#wake();
  }
}

function inMessage(event: StoredEvent): StreamMessage {
  const params = { level: 'info', logger: topicOf(event), data: event };
  return {
    id: String(event.position),
    event: 'message',
    data: { jsonrpc: '2.0', method: 'notifications/message', params },
  };
}
