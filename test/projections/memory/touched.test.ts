import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { touchedBy as entitiesTouchedBy } from '../../../src/projections/entities/touched.ts';
import { touchedBy } from '../../../src/projections/memory/touched.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import type { StoredEvent } from '../../../src/store/storedEvent.ts';
import { aConclusion, anEpisode } from '../../commands/memory/sample.ts';
import { NOW } from '../../support/given.ts';

async function stored(type: string, data: unknown): Promise<StoredEvent> {
  const log = await Log.open(new MemoryAdapter(), eventCatalog);
  let last: StoredEvent | undefined;
  log.onAppended((events) => {
    last = events.at(-1);
  });
  const who = { userId: 'ann', correlationId: 'test', causationId: null, at: NOW };
  await log.append({ ...who, stream: 'some', expected: 'any', events: [{ type, data }] });
  return last ?? assert.fail();
}

describe('what an event may have changed', () => {
  const evidence = { similarity: 0.5, signs: [], nli: null, judge: null };
  for (const [what, { type, data }, ids] of [
    ['is the episode that came', anEpisode('e1'), ['e1']],
    ['is the conclusion that was drawn', aConclusion('c1'), ['c1']],
    [
      'is both the conclusion and the one in its place',
      {
        type: 'memory.conclusion.superseded',
        data: { conclusionId: 'c1', supersededBy: 'c2', because: 'replaced' },
      },
      ['c1', 'c2'],
    ],
    [
      'is both the conclusion and the one that took it in',
      {
        type: 'memory.conclusion.merged',
        data: {
          ...{ sweepId: 's', conclusionId: 'c1', mergedInto: 'c2', similarTo: 'c2' },
          ...{ similarity: 0.9, restorableUntil: NOW },
        },
      },
      ['c1', 'c2'],
    ],
    [
      'is both sides of a contradiction',
      {
        type: 'memory.contradiction.detected',
        data: { sweepId: 's', conclusionId: 'c1', contradicts: 'c2', evidence },
      },
      ['c1', 'c2'],
    ],
    [
      'is each of those that were erased',
      { type: 'memory.conclusions.erased', data: { conclusionIds: ['c1', 'c2'], because: 'asked' } },
      ['c1', 'c2'],
    ],
    [
      'is nothing where no episode came of a session',
      {
        type: 'memory.conversation.consolidated',
        data: { conversationId: 'c', sessionId: 's', episodeId: null, skipped: 'trivial' },
      },
      [],
    ],
    [
      'is nothing of another area',
      { type: 'sessionEnded', data: { sessionId: 's', conversationId: 'c', reason: 'idle', turns: 1 } },
      [],
    ],
  ] as const)
    it(what, async () => {
      const event = await stored(type, data);
      assert.deepEqual(touchedBy(event), ids);
      assert.deepEqual(entitiesTouchedBy(event), []);
    });

  for (const [what, type, data, ids] of [
    [
      'is the entity that is called otherwise',
      'entity.changed',
      { entityId: 'e1', type: null, name: 'Mia', aliases: null },
      ['e1'],
    ],
    ['is both entities that are one', 'entity.merged', { entityId: 'e1', mergedId: 'e2' }, ['e1', 'e2']],
    [
      'is both sides of a relationship',
      'relationship.stated',
      {
        ...{ episodeId: 'a', conversationId: null, relationshipId: 'r', confidence: 1 },
        ...{ from: 'e1', to: 'e2', type: 'knows' },
      },
      ['e1', 'e2'],
    ],
    [
      'is each entity that is gone, and each whose relationships went with one',
      'erased',
      {
        ...{ entityIds: ['e1'], changedIds: ['e2'], relationshipIds: [] },
        ...{ episodeIds: [], subjects: [], because: 'asked' },
      },
      ['e1', 'e2'],
    ],
  ] as const)
    it(what, async () => {
      const event = await stored(`entities.${type}`, data);
      assert.deepEqual(entitiesTouchedBy(event), ids);
      assert.deepEqual(touchedBy(event), []);
    });
});
