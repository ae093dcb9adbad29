import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { z } from 'zod';
import { HarkError, isHarkError } from '../../src/errors.ts';
import { readChatEvent } from '../../src/events/chat.ts';
import { defineEvent, type EventDefinition, isEvent, personal } from '../../src/events/definition.ts';
import { replySent } from '../../src/events/turnEndings.ts';
import { messageReceived } from '../../src/events/turns.ts';
import { newKey } from '../../src/store/sealing.ts';
import { StoredEvent } from '../../src/store/storedEvent.ts';

const noted = defineEvent('noted', {
  data: () => z.object({ text: personal(z.string()), times: z.number() }),
});

interface Written {
  readonly data: unknown;
  /** What this process made of it, where it wrote it. */
  readonly parsed?: unknown;
  readonly definition?: EventDefinition;
  readonly sealed?: Uint8Array;
}

function stored({ data, parsed, definition = noted, sealed }: Written): StoredEvent {
  const at = { position: 1, stream: 'notes', version: 1, at: 0, userId: 'anna' };
  const by = { correlationId: 'c', causationId: null, subject: 'user' };
  const raw = { ...at, ...by, type: definition.type, schema: 1, data: JSON.stringify(data) };
  return new StoredEvent({ ...raw, sealed: sealed ?? null }, definition, sealed && newKey(), parsed);
}

function writtenHere(parsed: unknown): StoredEvent {
  return stored({ data: { text: null, times: 2 }, parsed, sealed: newKey() });
}

function isDamaged(error: unknown): boolean {
  return error instanceof HarkError && isHarkError(error, 'LOG_DAMAGED') && !error.message.includes('often');
}

describe('what is read back from the log', () => {
  it('is held against the schema, and does not say what does not fit', () => {
    assert.deepEqual(stored({ data: { text: 'so', times: 1, more: 1 } }).data, { text: 'so', times: 1 });
    assert.throws(() => stored({ data: { text: 'so', times: 'often' } }).data, isDamaged);
    assert.throws(() => stored({ data: { text: null, times: 'often' } }).sealed, isDamaged);
    assert.throws(() => readChatEvent(stored({ data: {}, definition: replySent }))?.data, isDamaged);
  });

  it('is held against it once', () => {
    const event = stored({ data: { text: 'so', times: 1 } });
    assert.ok(!event.isOpen);
    assert.equal(event.data, event.data);
    assert.ok(event.isOpen);
  });

  it('is what the schema made of it where this process wrote it, and an event of its type only', () => {
    const data = { text: 'so', times: 2 };
    const event = writtenHere(data);
    assert.ok(event.isOpen);
    assert.equal(event.data, data);
    assert.ok(isEvent(event, noted));
    assert.ok(!isEvent(event, messageReceived));
    assert.equal(readChatEvent(writtenHere(data)), undefined);
  });

  it('is not what was written, once that was erased', () => {
    const event = writtenHere({ text: 'so', times: 2 });
    event.erase();
    assert.ok(!event.isOpen);
    assert.deepEqual(event.data, { text: null, times: 2 });
  });
});
