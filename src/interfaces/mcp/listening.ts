import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { ToolRegistry } from '../../application/chat/toolRegistry.ts';
import { isHarkError } from '../../errors.ts';
import type { Deliveries, EventBatch, EventReader, Position } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import type { Kvstore } from '../kvstore.ts';
import { type AnyOperation, defineStream } from '../operation.ts';
import { followTopics, startOf, topicQuery } from '../topicStream.ts';
import { notifications } from './notifications.ts';

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
    summary: "Changes of the tools, and the caller's events and the system's, as notifications of MCP",
    rest: { method: 'GET', path: '/mcp' },
    input: topicQuery,
    message: z.object({ jsonrpc: z.literal('2.0'), method: z.string(), params: z.unknown().optional() }),
    errors: [],
    example: { input: {} },
    async run(query, { userId, signal, lastEventId }) {
      const { store } = kvstore.current ?? {};
      if (!store) return notifications(registry, undefined, signal);
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
