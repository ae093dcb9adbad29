import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { userMemory } from '../../src/commands/memory/state.ts';
import { rememberSaid } from '../../src/commands/memory/userChanges.ts';
import { StoreCommandRunner } from '../../src/commands/runner.ts';
import { createTask } from '../../src/commands/scheduler/createTask.ts';
import { isHarkError } from '../../src/errors.ts';
import { eventCatalog } from '../../src/events/catalog.ts';
import type { NewEvent } from '../../src/events/definition.ts';
import { memoryStream } from '../../src/events/memory.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';
import { fold, NOW } from '../support/given.ts';
import { anEpisode } from './memory/sample.ts';

const who = { userId: 'ann', correlationId: 'test' };
const gone = (episodeId: string, conversationId: string | null = null) => ({ episodeId, conversationId });
const erasures: Record<string, NewEvent> = {
  all: { type: 'memory.erased', data: {} },
  conversation: { type: 'memory.episodes.erased', data: { episodes: [], conversationIds: ['c1'] } },
  episode: { type: 'memory.episodes.erased', data: { episodes: [gone('e1', 'c1')] } },
  words: { type: 'memory.transcript.erased', data: { conversationId: 'c1' } },
  another: { type: 'memory.episodes.erased', data: { episodes: [gone('e2', 'c2')] } },
};
const isAnother = (name: string) => name === 'another';

async function remembering() {
  const store = await Log.open(new MemoryAdapter(), eventCatalog);
  const runner = new StoreCommandRunner({ store, clock: () => NOW, newId: randomUUID });
  const keep = (...events: readonly NewEvent[]) =>
    store.append({
      ...{ stream: memoryStream('ann'), events, expected: 'any', at: NOW, causationId: null, ...who },
    });
  await keep(anEpisode('e0', { conversationId: 'c0' }));
  const said = async (receivedAt: number | undefined) => {
    const context = { ...who, during: { conversationId: 'c1', receivedAt } };
    const finding = {
      text: 'Likes tea',
      type: 'explicit',
      confidence: 0.9,
      about: null,
      by: 'model',
    } as const;
    const findings = [{ ...finding, turnIds: ['t1'] }];
    const schedule = { type: 'once', atTimestamp: NOW } as const;
    const task = { taskId: randomUUID(), name: 'Tea', schedule, topic: 'tea', payload: { text: 'Tea' } };
    const refused: string[] = [];
    const unlessOver = (what: string) => (error: unknown) => {
      if (!isHarkError(error, 'TURN_OVER')) throw error;
      refused.push(what);
    };
    await runner.run(rememberSaid, { findings }, context).catch(unlessOver('belief'));
    await runner.run(createTask, task, context).catch(unlessOver('task'));
    return refused;
  };
  return { store, keep, said };
}

describe('what a turn has done while it runs', () => {
  for (const [name, erasure] of Object.entries(erasures)) {
    it(`is ${isAnother(name) ? 'kept' : 'refused'} once what is said in it was erased: ${name}`, async () => {
      const { store, keep, said } = await remembering();
      const receivedAt = await store.head();
      await keep(erasure);
      assert.deepEqual(await said(receivedAt), isAnother(name) ? [] : ['belief', 'task']);
    });

    it(`is kept where that was before: ${name}`, async () => {
      const { store, keep, said } = await remembering();
      await keep(erasure);
      assert.deepEqual(await said(await store.head()), []);
    });
  }

  it('is kept of one that began while the log was away', async () => {
    const { keep, said } = await remembering();
    await keep({ type: 'memory.erased', data: {} });
    assert.deepEqual(await said(undefined), []);
  });
});

it.prop([fc.array(fc.constantFrom(...Object.keys(erasures)), { maxLength: 20 })])(
  'the state of a memory holds nothing of conversations that were erased',
  (names) => {
    const before = [anEpisode('e0', { conversationId: 'c0' })];
    const erased = names.map((name) => erasures[name] ?? assert.fail());
    const { conversationsKept, count } = keptOf([...before, ...erased]);
    assert.deepEqual(conversationsKept, names.includes('all') ? [] : ['c0']);
    assert.equal(count, names.length);
  },
);

/** Of which conversations the state tells, whatever names them, and how often anything was erased. */
function keptOf(events: readonly NewEvent[]) {
  const memory = fold(userMemory, events);
  const names = JSON.stringify(memory).match(/"c\d"/g) ?? [];
  return { conversationsKept: names.map((name) => JSON.parse(name)), count: memory.erasures };
}
