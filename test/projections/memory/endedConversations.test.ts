import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { NewEvent } from '../../../src/events/definition.ts';
import { endedConversations } from '../../../src/projections/memory/endedConversations.ts';
import { ended, replied } from '../../support/chatFacts.ts';
import { NOW } from '../../support/given.ts';
import { viewAfterOf } from '../../support/viewAfter.ts';

const expired = (upTo: number, next: number | null): NewEvent => ({
  type: 'memory.conversations.expired',
  data: { conversationIds: [], upTo, next },
});
const open = async (...events: readonly NewEvent[]) =>
  (await viewAfterOf('ann', endedConversations, ...events)).byUser['user-ann'];

describe('where retention has to look for conversations that are over', () => {
  it('is from the first end on, up to the last', async () => {
    assert.deepEqual(await open(replied('t1'), ended('asked', 1), replied('t2')), {
      userId: 'ann',
      after: 0,
      at: NOW,
      last: 3,
    });
  });

  it('is nowhere where all of it was looked through', async () => {
    assert.equal(await open(replied('t1'), ended('asked', 1), expired(2, null)), undefined);
    assert.equal(await open(expired(0, null)), undefined);
  });

  it('is after what was looked through, when something ended behind that', async () => {
    const past = [replied('t1'), ended('asked', 1), replied('t2')];
    assert.deepEqual(await open(...past, expired(2, NOW + 7)), {
      userId: 'ann',
      after: 2,
      at: NOW + 7,
      last: 3,
    });
    // What ended meanwhile was not known when it was looked through: it ended no later than that.
    assert.equal((await open(...past, expired(2, null)))?.at, NOW + 3_000);
  });

  it('is nowhere when all of the user is erased', async () => {
    assert.equal(await open(replied('t1'), { type: 'memory.erased', data: {} }), undefined);
  });
});
