import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { eventCatalog } from '../../src/events/catalog.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';

describe('the text of a notification', () => {
  const context = { at: 1, userId: 'ann', correlationId: 'c', causationId: null, expected: 'any' } as const;
  const data = { title: 'Mum', text: 'Call mum', by: 'schedule', channels: [] };
  const told = { ...data, notificationId: 'said', conversationId: 't1' };
  const apart = { ...data, notificationId: 'apart' };
  const episode = { episodeId: 'e1', conversationId: 't1' };

  for (const [what, type, forgotten, left] of [
    [
      'goes with the conversation in which it was said',
      'memory.episodes.erased',
      { episodes: [episode] },
      ['apart'],
    ],
    [
      'goes with the notification, where it was said nowhere else',
      'notification.removed',
      { notificationId: 'apart' },
      ['said'],
    ],
    ['goes with all that there is of the user', 'memory.erased', {}, []],
  ] as const)
    it(what, async () => {
      const log = await Log.open(new MemoryAdapter(), eventCatalog);
      const events = [told, apart].map((one) => ({ type: 'notification.created', data: one }));
      await log.append({ ...context, stream: 'notifications-ann', events });
      await log.append({ ...context, stream: 'memory-ann', events: [{ type, data: forgotten }] });
      const readable: string[] = [];
      for await (const page of log.readStream('notifications-ann'))
        for (const event of page) {
          const { notificationId, title, text } = Object(event.data);
          if (text !== null || title !== null) readable.push(notificationId);
        }
      assert.deepEqual(readable, left);
    });
});
