import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { chatStream } from '../../../src/events/chat.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import { memoryStream } from '../../../src/events/memory.ts';
import { reasonsFor } from '../../../src/projections/memory/reasons.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import { aConclusion, anEpisode } from '../../commands/memory/sample.ts';
import { NOW } from '../../support/given.ts';

async function reasons(conclusionId: string, ...past: readonly (readonly [stream: string, NewEvent])[]) {
  const log = await Log.open(new MemoryAdapter(), eventCatalog);
  const who = { userId: 'ann', correlationId: 'test', causationId: null, at: NOW };
  for (const [stream, event] of past) await log.append({ ...who, stream, expected: 'any', events: [event] });
  return (await reasonsFor(log, 'ann', conclusionId)).map(({ summary }) => summary);
}

const memory = (event: NewEvent) => [memoryStream('ann'), event] as const;
const changed = (type: string, data: object) => memory({ type: `memory.conclusion.${type}`, data });

/** A message in the session of the episode. */
function message(turnId: string, given: object = {}) {
  const data = {
    ...{ turnId, sessionId: 's1', conversationId: 'c1', platform: 'web', instanceId: 'i' },
    ...{ origin: 'user', images: [], text: `Text of ${turnId}`, ...given },
  };
  return [chatStream('ann', { sessionId: 's1', turnId }), { type: 'chat.message.received', data }] as const;
}

describe('why something is believed', () => {
  const drawn = memory(
    aConclusion('c1', { sources: ['e1'], turnIds: ['t1'], text: 'The user lives in Oslo' }),
  );
  const concluded = 'Concluded (offline, confidence 0.9): The user lives in Oslo';
  const kept = 'Kept as an episode: The user moved to Oslo.';

  it('is told from the words on that it rests on, and of no others', async () => {
    const others = [memory(anEpisode('e2')), memory(aConclusion('c2', { sources: ['e2'], turnIds: ['t2'] }))];
    const told = await reasons('c1', message('t1'), message('t2'), memory(anEpisode('e1')), drawn, ...others);
    assert.deepEqual(told, ['The user said: Text of t1', kept, concluded]);
  });

  it('is told with who said it', async () => {
    for (const [given, who] of [
      [{ origin: 'schedule', source: 'task-1' }, 'A schedule asked (task-1)'],
      [{ origin: 'workflow', source: 'w' }, 'A workflow asked (w)'],
      [{ origin: 'model', source: 'task-2' }, 'A task that a model made asked (task-2)'],
      [{ origin: 'client' }, 'A client asked'],
      [{ origin: 'import' }, 'It was said elsewhere'],
    ] as const) {
      const [first] = await reasons('c1', message('t1', given), memory(anEpisode('e1')), drawn);
      assert.equal(first, `${who}: Text of t1`);
    }
  });

  it('is told with all that happened to it since, also together with others', async () => {
    const told = await reasons(
      'c1',
      drawn,
      changed('strengthened', { conclusionId: 'c1', confidence: 0.95, sources: [], turnIds: [] }),
      changed('superseded', { conclusionId: 'c1', supersededBy: 'c2', because: 'replaced' }),
      changed('superseded', { conclusionId: 'c0', supersededBy: 'c1', because: 'ended' }),
      changed('restored', { conclusionId: 'c1' }),
      memory({ type: 'memory.conclusions.erased', data: { conclusionIds: ['c1'], because: 'asked' } }),
    );
    assert.deepEqual(told.slice(1), [
      'Found again; confidence 0.95',
      'c2 took the place of c1: a later word on the same',
      'c1 took the place of c0: it is over',
      'Restored',
      'Erased (asked)',
    ]);
  });

  it('is nothing where it is not known', async () => {
    assert.deepEqual(await reasons('unknown', drawn), []);
  });
});
