import assert from 'node:assert/strict';
import { describe, it, vi } from 'vitest';
import type { ConversationItem } from '../../../src/application/voice/conversation.ts';
import { HarkError, isHarkError } from '../../../src/errors.ts';
import { finish, type Speech, text } from '../chat/process.ts';
import { handsFree, pushToTalk, silence, spoken, TestRooms } from './room.ts';

const reply: Speech = async function* () {
  yield text('One two three four five.');
  yield finish;
};

const typed = (id: string, said: string): ConversationItem => ({
  ...{ id, type: 'message', role: 'user', status: 'completed' },
  content: [{ type: 'input_text', text: said }],
});

/** The ids that the session would give next. */
function idsAfter(id: string, count: number): readonly string[] {
  const number = Number.parseInt(id.slice(-4), 36);
  return Array.from({ length: count }, (_one, index) => {
    return `${id.slice(0, -4)}${(number + index + 1).toString(36).padStart(4, '0')}`;
  });
}

describe('a session of voice goes on', () => {
  it('whatever ids a client gives its items', async () => {
    const rooms = await TestRooms.start(reply);
    const ann = rooms.enter(pushToTalk);
    await ann.say('hello', 3_000);
    const taken = idsAfter(ann.last('item_added').item.id, 6);
    for (const id of taken) ann.talk.add(typed(id, 'mine'), undefined);
    await ann.say('again', 3_000);
    assert.deepEqual(
      ann.all('response_done').map(({ response }) => response.status),
      ['completed', 'completed'],
    );
    assert.deepEqual(rooms.failures, []);
  });

  it('where a client gives the id of what is being said', async () => {
    const rooms = await TestRooms.start(reply);
    const ann = rooms.enter(handsFree);
    await ann.hear(silence(300), spoken('are you there'));
    const { itemId } = ann.last('speech_started');
    assert.throws(
      () => ann.talk.add(typed(itemId, 'mine'), undefined),
      (error) => isHarkError(error, 'BAD_REQUEST'),
    );
    await ann.hear(silence(1_000));
    await rooms.pace.pass(3_000);
    assert.equal(ann.last('transcript').text, 'are you there');
    assert.equal(ann.last('response_done').response.status, 'completed');
    assert.deepEqual(rooms.failures, []);
  });

  it('after what was said could not be kept, and what was heard is kept all the same', async () => {
    const rooms = await TestRooms.start(reply);
    rooms.isKeeping = true;
    rooms.isFull = true;
    const ann = rooms.enter(pushToTalk);
    await rooms.pace.pass(1);
    await ann.say('count', 500);
    ann.talk.cancel(undefined);
    await rooms.pace.pass(1_000);
    assert.equal(ann.last('response_done').response.status, 'cancelled');
    assert.ok(rooms.failures.some((error) => isHarkError(error, 'INTERNAL')));
    const [, said] = await rooms.history(ann.talk.sessionId);
    assert.match(said?.content ?? '', /^One two( three)?$/);
    await ann.say('again', 3_000);
    assert.equal(ann.last('response_done').response.status, 'completed');
  });

  it('where a sentence that was heard cannot be written down', async () => {
    const rooms = await TestRooms.start(async function* () {
      yield text('One two three four five six. Seven eight nine ten eleven twelve.');
      yield finish;
    });
    const ann = rooms.enter(pushToTalk);
    const { turns } = rooms.chat;
    const kept = vi.spyOn(turns, 'heard').mockRejectedValueOnce(new HarkError('NOT_READY'));
    await ann.say('count', 4_000);
    assert.ok(kept.mock.calls.length > 1);
    assert.deepEqual(
      rooms.failures.map((error) => isHarkError(error, 'NOT_READY')),
      [true],
    );
    assert.equal(ann.last('response_done').response.status, 'completed');
  });
});
