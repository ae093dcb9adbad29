import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'vitest';
import { expireConversations } from '../../../src/commands/memory/forgetting.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { nothingDone } from '../../../src/events/turnEndings.ts';
import { findEndedTalk } from '../../../src/sagas/memory/retention.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import { anEpisode } from '../../commands/memory/sample.ts';
import { given } from '../../support/given.ts';

describe('talk that ended', () => {
  let log: Log;
  let at: number;
  beforeEach(async () => {
    log = await Log.open(new MemoryAdapter(), eventCatalog);
    at = 0;
  });

  const append = async (type: string, data: Record<string, unknown>, userId = 'ann') => {
    const place = { stream: `of-${userId}`, expected: 'any', userId } as const;
    const events = [{ type, data }];
    return (await log.append({ ...place, events, at: ++at, correlationId: 'c', causationId: null })).position;
  };
  const ends = (id: string, userId?: string) => {
    const data = { sessionId: `s-${id}`, conversationId: id, reason: 'idle', turns: 1 };
    return append('sessionEnded', data, userId);
  };
  const turn = (id: string, sessionId: string | null = null) => ({
    turnId: id,
    sessionId,
    conversationId: id,
  });
  const replies = (id: string, sessionId?: string) => {
    const said = {
      step: 1,
      provider: 'cloud-a',
      model: 'm',
      parts: [],
      reasoning: null,
      metadata: nothingDone,
    };
    return append('chat.reply.sent', { ...turn(id, sessionId), ...said, usage: nothingDone.usage });
  };
  const delegates = (id: string) => append('chat.turn.delegated', { ...turn(id), metadata: nothingDone });
  const answered = async (saga: string, position: number) => {
    assert.ok(await log.moveCursor(saga, await log.readCursor(saga), position));
  };
  const found = (endedBy: number, after = 0) => findEndedTalk(log, { userId: 'ann', after, endedBy });

  it('is a session that is over, and each turn by itself; not a session that goes on, nor that of another', async () => {
    await ends('session');
    await replies('going-on', 's');
    await ends('of-ben', 'ben');
    await replies('task');
    const last = await delegates('delegated');
    for (const saga of ['consolidate-sessions', 'remember-turns']) await answered(saga, last);
    const conversationIds = ['session', 'task', 'delegated'];
    assert.deepEqual(await found(at), { conversationIds, upTo: last, next: null });
    assert.deepEqual(await found(4), { conversationIds: ['session', 'task'], upTo: last - 1, next: 5 });
    assert.deepEqual(await found(at, 4), { conversationIds: ['delegated'], upTo: last, next: null });
  });

  it('is not looked at before memory is made of it, or that was given up', async () => {
    const delegated = await delegates('delegated');
    const ended = await ends('session');
    const replied = await replies('task');
    const upTo = (conversationIds: readonly string[], position: number) => {
      const next = position === replied ? null : position + 1;
      return { conversationIds, upTo: position, next };
    };
    assert.deepEqual(await found(at), upTo(['delegated'], delegated));
    await answered('consolidate-sessions', ended);
    assert.deepEqual(await found(at), upTo(['delegated', 'session'], ended));
    await answered('remember-turns', replied);
    assert.deepEqual(await found(at), upTo(['delegated', 'session', 'task'], replied));
  });

  it('is found in portions', async () => {
    for (let count = 0; count < 501; count++) await delegates(`t${count}`);
    const { conversationIds, upTo, next } = await found(at);
    assert.deepEqual([conversationIds.length, upTo, next], [500, 500, 501]);
  });

  it('is forgotten where no episode tells of it, settled where one does, and is looked at once', () => {
    const over = (conversationIds: readonly string[], settled: readonly string[]) => ({
      type: 'memory.conversations.expired',
      data: { conversationIds, upTo: 7, next: null, settled },
    });
    const input = { conversationIds: ['c1', 'c2'], after: 5, upTo: 7, next: null };
    given(expireConversations, anEpisode('e1', { conversationId: 'c1' }))
      .when(input)
      .gives(over(['c2'], ['c1']));
    given(expireConversations, over(['c2'], ['c1']))
      .when({ ...input, upTo: 8 })
      .givesNothing();
  });
});
