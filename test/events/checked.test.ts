import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { z } from 'zod';
import { messageReceived, readChatEvent, replySent } from '../../src/events/chat.ts';
import { dataOf, defineEvent, personal } from '../../src/events/definition.ts';
import { newKey } from '../../src/store/sealing.ts';
import { StoredEvent } from '../../src/store/storedEvent.ts';

const noted = defineEvent('noted', { data: z.object({ text: personal(z.string()), times: z.number() }) });

function written(data?: unknown): StoredEvent {
  const at = { position: 1, stream: 'notes', version: 1, at: 0, userId: 'anna' };
  const by = { correlationId: 'c', causationId: null, subject: 'user' };
  const raw = { ...at, ...by, type: 'noted', schema: 1, data: '{"text":null,"times":2}', sealed: newKey() };
  return new StoredEvent(raw, noted, newKey(), data);
}

describe('reading an event by its definition', () => {
  it('holds what was read back against the schema', () => {
    assert.deepEqual(dataOf(noted, { type: 'noted', data: { text: 'so', times: 1, more: 1 } }), {
      text: 'so',
      times: 1,
    });
    assert.throws(() => dataOf(noted, { type: 'noted', data: { text: 'so', times: 'often' } }));
    assert.throws(() => readChatEvent({ type: replySent.type, data: {} }));
  });

  it('takes what this process wrote as the schema made it, and as an event of its type only', () => {
    const data = { text: 'so', times: 2 };
    assert.equal(dataOf(noted, written(data)), data);
    assert.throws(() => dataOf(messageReceived, written(data)));
    assert.equal(readChatEvent(written(data)), undefined);
  });

  it('does not take what is read back, or was erased since, for what was written', () => {
    assert.equal(written().checked, false);
    const event = written({ text: 'so', times: 2 });
    assert.equal(event.checked, true);
    event.erase();
    assert.equal(event.checked, false);
    assert.deepEqual(dataOf(noted, event), { text: null, times: 2 });
  });
});
