import { z } from 'zod';
import { EventStream } from '../eventStream.ts';
import type { RestClient } from '../restClient.ts';

const TOPIC = 'notification.created';

const listed = z.object({
  notifications: z.array(
    z.looseObject({ id: z.string(), text: z.string(), sessionId: z.string().nullish() }),
  ),
});
type Notification = z.output<typeof listed>['notifications'][number];

interface RemindersOptions {
  readonly client: RestClient;
  /** The conversation that goes on now. */
  readonly sessionId: () => string;
  readonly tell: (reminder: Notification) => void;
}

/**
 * Tells what is said in the conversation by itself: reminders, and answers to scheduled prompts. The stream of events
 * only says when to look; what there is to tell is the user's own list. Talking goes on without it when it fails.
 * Resolves, with what stops it, when everything from then on is told.
 */
export async function followReminders({ client, sessionId, tell }: RemindersOptions): Promise<() => void> {
  const known = new Set((await unread(client)).map(({ id }) => id));
  const stopped = new AbortController();
  const look = async () => {
    for (const one of await unread(client)) {
      if (known.has(one.id)) continue;
      known.add(one.id);
      if (one.sessionId === sessionId()) tell(one);
    }
  };
  const stream = new EventStream({
    async connect(headers, signal) {
      stopped.signal.throwIfAborted();
      const both = AbortSignal.any([signal, stopped.signal]);
      const response = await client.request('api/events/stream', { query: { topics: TOPIC }, headers }, both);
      // What came in between is in no stream.
      await look();
      return response;
    },
    onLost: () => undefined,
  });
  const follow = async () => {
    for await (const { event } of stream.messages()) if (event === TOPIC) await look();
  };
  follow().catch(() => undefined);
  return () => stopped.abort();
}

/** Oldest first. */
async function unread(client: RestClient): Promise<readonly Notification[]> {
  return (await client.get('api/notifications', listed, { unread: 'true' })).notifications.toReversed();
}
