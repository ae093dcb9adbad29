import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'vitest';
import { rememberTurn } from '../../../src/commands/memory/rememberTurn.ts';
import { userMemory } from '../../../src/commands/memory/state.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { memoryStream } from '../../../src/events/memory.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import { given, NOW } from '../../support/given.ts';
import { anEpisode, episode } from './sample.ts';

const ingest = (turnId: string, happenedAt: number) =>
  ({ type: 'RESPONSE_INGEST', turnId, happenedAt }) as const;
const kept = [anEpisode('e1', ingest('t1', NOW)), anEpisode('e2', ingest('t2', NOW + 10_000))];
const next = { episode: episode(ingest('t3', NOW + 20_000)), findings: [], erasures: 0 };

describe('an answer that is worth it', () => {
  it('is kept for itself, as many of one session as are wanted', () => {
    given(rememberTurn, ...kept)
      .when({ ...next, mostIngests: 3 })
      .gives(anEpisode('id-1', ingest('t3', NOW + 20_000)));
    given(rememberTurn, ...kept)
      .when({ ...next, mostIngests: 2 })
      .givesNothing();
    given(rememberTurn)
      .when({ ...next, mostIngests: 0 })
      .givesNothing();
  });

  it('is one with what else was kept of the conversation within five seconds', () => {
    const preference = anEpisode('e3', { type: 'preference', turnId: 't3', happenedAt: NOW + 20_000 });
    for (const [happenedAt, isKept] of [
      [NOW + 20_000, false],
      [NOW + 24_999, false],
      [NOW + 25_000, true],
    ] as const) {
      const close = { ...next, episode: episode(ingest('t4', happenedAt)), mostIngests: 5 };
      const decided = given(rememberTurn, preference).when(close);
      if (isKept) decided.gives(anEpisode('id-1', ingest('t4', happenedAt)));
      else decided.givesNothing();
    }
  });

  it('is one with the same answer within five seconds, and not with another', () => {
    const soon = { ...ingest('t3', NOW + 14_999), summary: 'Something else' };
    given(rememberTurn, ...kept)
      .when({ ...next, episode: episode(soon), mostIngests: 5 })
      .gives(anEpisode('id-1', soon));
    given(rememberTurn, ...kept)
      .when({ ...next, episode: episode(ingest('t3', NOW + 14_999)), mostIngests: 5 })
      .givesNothing();
  });

  it('is the same for a process that reads it from the log, in which what episodes say stays closed', async () => {
    const adapter = new MemoryAdapter();
    const store = await Log.open(adapter, eventCatalog);
    const who = { userId: 'ann', correlationId: 'test', causationId: null };
    const events = [...kept, anEpisode('e4', { type: 'preference', summary: 'Closed', turnId: 't9' })];
    const stream = memoryStream('ann');
    const runnerOn = (log: Log) =>
      new StoreCommandRunner({ store: log, clock: () => NOW, newId: randomUUID });
    const writer = runnerOn(store);
    await writer.read(userMemory, stream, 'ann');
    await store.append({ stream, events, expected: 'any', at: NOW, ...who });
    const other = runnerOn(await Log.open(adapter, eventCatalog));
    const decided = await other.read(userMemory, stream, 'ann');
    assert.deepEqual(decided, await writer.read(userMemory, stream, 'ann'));
    assert.doesNotMatch(JSON.stringify(decided), /Closed/);
    const again = { ...next, episode: episode(ingest('t3', NOW + 14_999)), mostIngests: 5 };
    assert.deepEqual((await other.run(rememberTurn, again, who)).appended, []);
    const soon = episode({ ...ingest('t3', NOW + 14_999), summary: 'Something else' });
    assert.equal((await other.run(rememberTurn, { ...again, episode: soon }, who)).appended.length, 1);
  });
});
