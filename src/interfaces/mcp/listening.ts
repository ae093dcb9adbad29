import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { ToolRegistry } from '../../application/chat/toolRegistry.ts';
import { isHarkError } from '../../errors.ts';
import { topicOf } from '../../projections/scheduler/topic.ts';
import type { Deliveries, EventBatch, EventReader, Position } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import type { Kvstore } from '../kvstore.ts';
import { type AnyOperation, defineStream, type StreamMessage } from '../operation.ts';
import { followTopics, startOf, topicQuery } from '../topicStream.ts';

const TRY_AGAIN_MS = 1_000;

interface ListeningOptions {
  readonly registry: Pick<ToolRegistry, 'onChange'>;
  readonly kvstore: Kvstore;
  readonly eventTypes: readonly string[];
}

/** `GET /mcp`: what a client of 2025 is told. Without a key-value store there are no events, but tools change. */
export function listening({ registry, kvstore, eventTypes }: ListeningOptions): AnyOperation {
  return defineStream({
    name: 'mcp.listen',
    area: 'mcp',
    device: 'always',
    summary: "Changes of the tools, and the caller's events and the system's, as notifications of MCP",
    rest: { method: 'GET', path: '/mcp' },
    input: topicQuery,
    message: () =>
      z.object({ jsonrpc: z.literal('2.0'), method: z.string(), params: z.unknown().optional() }),
    errors: [],
    example: { input: {} },
    async run(query, { userId, device, signal, lastEventId }) {
      const { store } = kvstore.current ?? {};
      // The log is not for devices.
      if (!store || device) return notifications(registry, undefined, signal);
      const from = await startOf(store, { ...query, lastEventId }).catch(notWhileAway);
      const follow = (after: Position) =>
        followTopics(store, eventTypes, { userId, topics: query.topics, after }, signal);
      return notifications(registry, whenever(store, follow, from, signal), signal);
    },
  });
}

/** A store that is away must not keep anybody from being told of the tools. */
function notWhileAway(error: unknown): undefined {
  if (!isHarkError(error, 'KVSTORE_UNAVAILABLE')) throw error;
}

/** Goes on where it was when the store was away meanwhile. */
async function* whenever(
  store: EventReader & Deliveries,
  follow: (after: Position) => AsyncIterable<EventBatch>,
  from: Position | undefined,
  signal: AbortSignal,
): AsyncGenerator<readonly StoredEvent[]> {
  let after = from;
  while (!signal.aborted) {
    try {
      after ??= await store.head();
      for await (const { events, position } of follow(after)) {
        after = position;
        if (events.length > 0) yield events;
      }
      return;
    } catch (error) {
      notWhileAway(error);
      await wait(TRY_AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}

const toolsChanged: StreamMessage = {
  event: 'message',
  data: { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
};

/**
 * What a client of 2025 is told without having asked: that the tools changed, and what happens on its topics. Of a
 * slow reader nothing piles up: it is told once that the tools changed, and events wait in the log.
 */
async function* notifications(
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
