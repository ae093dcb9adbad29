import { z } from 'zod';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { activities, takenApart } from '../../projections/memory/activity.ts';
import { pageAfter, pageBefore, pageOfStream } from '../eventPages.ts';
import type { Kvstore } from '../kvstore.ts';
import { type AnyOperation, defineOperation, defineStream, written } from '../operation.ts';
import { TopicListeners } from '../topicListening.ts';
import { position, positionText, refuseBeyond, startOf, topicQuery, topics } from '../topicStream.ts';

const area = 'events';

const momentText = lazily(() => written(z.coerce.number().int().nonnegative()));

const envelope = lazily(() =>
  z.object({
    position: position(),
    id: z.string(),
    stream: z.string(),
    version: z.int(),
    type: z.string(),
    at: z.number(),
    userId: z.string().nullable(),
    correlationId: z.string(),
    causationId: z.string().nullable(),
    data: z.unknown(),
    /** There and true when its personal text was forgotten. */
    erased: z.boolean().optional(),
  }),
);

/** `eventTypes` are all that the log may hold; topics are matched against them. */
export function eventOperations(kvstore: Kvstore, eventTypes: readonly string[]): readonly AnyOperation[] {
  const listeners = new TopicListeners(eventTypes);
  return [
    defineOperation({
      name: 'events.list',
      area,
      device: 'never',
      summary: "The caller's events and the system's, oldest first",
      description:
        'Ask again with `after` set to the `next` of the answer before. `type` is the type of an ' +
        'event, or the topic under which it was published; `topics` are as for the stream. With `before` the page holds ' +
        'the last events before that position, and `next` is the `before` of the page before it, 0 where there is ' +
        'none; a `stream` is read forwards alone. ' +
        '`correlationId` finds what one cause set off; a page may be short or empty then, and its `next` ' +
        'leads on. `at` leaves out what happened after that moment (Unix ms).',
      rest: { method: 'GET', path: '/api/events' },
      input: () =>
        z.object({
          stream: z.string().min(1).max(256).optional(),
          type: z.string().min(1).max(128).optional(),
          topics: topics().optional(),
          correlationId: z.string().min(1).max(128).optional(),
          after: positionText().optional(),
          before: positionText().optional(),
          at: momentText().optional(),
          limit: written(z.coerce.number().int().min(1).max(1_000)).default(100),
        }),
      output: () => z.object({ events: z.array(envelope()), next: position() }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { type: 'config:changed', limit: 10 } },
      async run({ stream, after = 0, before, ...asked }, { userId }) {
        const { store } = kvstore.connected();
        await refuseBeyond(store, after);
        if (stream !== undefined && before !== undefined)
          throw new HarkError('VALIDATION_FAILED', {
            body: { issues: [{ path: ['before'], message: 'A stream is read from its beginning on' }] },
          });
        const wanted = { ...asked, userId };
        if (stream !== undefined) return pageOfStream(store, stream, after, wanted);
        return before === undefined
          ? pageAfter(store, eventTypes, after, wanted)
          : pageBefore(store, eventTypes, before, wanted);
      },
    }),
    defineOperation({
      name: 'events.activity',
      area,
      device: 'never',
      summary: 'When what is remembered changed, and which tool servers and models there are',
      description:
        'Oldest first, for a time bar. The newest changes come one by one and what is older in stretches, about a ' +
        'thousand in all, however long the log is. With `from` and `to`, what lies between comes one by one too, up ' +
        'to 2,000 changes.',
      rest: { method: 'GET', path: '/api/events/activity' },
      input: () => z.object({ from: momentText().optional(), to: momentText().optional() }),
      output: () =>
        z.object({
          changes: z.array(
            z.object({
              from: z.number(),
              to: z.number(),
              count: z.int(),
              type: z.string().nullable().describe('Of the event, where it is one'),
            }),
          ),
        }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { from: 0 } },
      async run({ from, to }, { userId }) {
        const { store, views } = kvstore.reachable();
        const isWhole = from === undefined && to === undefined;
        const window = { from: from ?? 0, to: to ?? Number.POSITIVE_INFINITY };
        const all = await Promise.all(
          activities.map(async (projection) => {
            const activity = await views.of(projection, userId);
            if (isWhole) return activity.stretches;
            return takenApart(store, projection.stream(userId), activity, window);
          }),
        );
        const changes = all.flat().map(({ from, to, count, type }) => ({ from, to, count, type }));
        return { changes: changes.sort((one, other) => one.to - other.to) };
      },
    }),
    defineStream({
      name: 'events.follow',
      area,
      device: 'never',
      summary: "The caller's events and the system's as they happen",
      description:
        'Each message has the position as its `id`, the topic as its `event` and the event as its `data`. ' +
        'What a scheduled task fired is a `schedule.task.fired` under the topic of the task, and ' +
        'what a workflow published a `workflow.topic.published` under its own. ' +
        '`Last-Event-ID` or `after` resumes with nothing lost and nothing twice; without either it starts now.',
      rest: { method: 'GET', path: '/api/events/stream' },
      input: topicQuery,
      message: envelope,
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { topics: 'config:changed,system.*' } },
      async run({ topics, after }, { userId, signal, lastEventId }) {
        const { store } = kvstore.connected();
        const from = await startOf(store, { after, lastEventId });
        return listeners.listen(store, { userId, topics }, from, signal);
      },
    }),
  ];
}
