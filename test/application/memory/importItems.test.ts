import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'vitest';
import { exportMemory } from '../../../src/application/memory/exporting.ts';
import { ImportedSpeakers } from '../../../src/application/memory/importedSpeakers.ts';
import { type ImportItem, importItems } from '../../../src/application/memory/importing.ts';
import type { Understand } from '../../../src/application/memory/ports.ts';
import { eraseEpisode, expireEpisodes } from '../../../src/commands/memory/forgetting.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { memoryStream } from '../../../src/events/memory.ts';
import { itemsOfLine, lineOf } from '../../../src/interfaces/operations/importShapes.ts';
import { remembered } from '../../../src/projections/memory/remembered.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import { aConclusion, anEpisode } from '../../commands/memory/sample.ts';
import { NOW } from '../../support/given.ts';

const RETENTION_MS = 10_000;

const understanding: Awaited<ReturnType<Understand>> = {
  ...{ summary: 'The user moved to Oslo.', topic: 'moving', keywords: ['oslo'], importance: 7 },
  ...{ reasons: [], by: 'offline', trivial: false, answer: null },
  findings: [
    {
      ...{ text: 'The user lives in Oslo.', about: 'home.city', type: 'explicit' },
      ...{ confidence: 0.9, by: 'offline', turnIds: ['0'] },
    },
  ],
};

const speakers = await ImportedSpeakers.among([]);

async function world() {
  let asking = 0;
  const both = Promise.withResolvers<void>();
  /** Of two imports, each has looked by then for what is known. */
  const understand: Understand = async () => {
    if (++asking === 2) both.resolve();
    await both.promise;
    return understanding;
  };
  const store = await Log.open(new MemoryAdapter(), eventCatalog);
  const process = () => new StoreCommandRunner({ store, clock: () => NOW, newId: randomUUID });
  const runner = process();
  const views = new ProjectionRuntime(store, []);
  const who = (userId: string) => ({ userId, correlationId: 'test' });
  return {
    runner,
    who,
    /** As another process would that shares the log. */
    take: (userId: string, items: readonly ImportItem[]) =>
      importItems(
        {
          runner: process(),
          views: new ProjectionRuntime(store, []),
          understand,
          clock: () => NOW,
          retentionMs: () => RETENTION_MS,
        },
        items,
        { ...who(userId), dryRun: false, speakers, signal: new AbortController().signal },
      ),
    memory: (userId: string) => views.of(remembered, userId),
    async past(userId: string, ...events: Parameters<typeof store.append>[0]['events']) {
      const stream = memoryStream(userId);
      await store.append({ stream, events, expected: 'any', at: NOW, causationId: null, ...who(userId) });
    },
    async exported(userId: string) {
      const items: ImportItem[] = [];
      for await (const record of exportMemory({ store, runner, views }, userId))
        items.push(...itemsOfLine(lineOf(record), 1));
      return items;
    },
  };
}

describe('two imports of the same at once', () => {
  const brought: Record<string, readonly ImportItem[]> = {
    conversations: [
      { kind: 'conversation', sessionId: 's', turns: [{ role: 'user', name: null, text: 'Oslo', at: NOW }] },
    ],
    statements: [{ kind: 'statement', text: 'Answer in English' }],
  };

  for (const kind of ['conversations', 'statements', 'records'])
    it(`count each thing once between them: ${kind}`, async () => {
      const all = await world();
      const profile = { type: 'memory.profile.changed', data: { profile: { name: 'Ann' } } };
      await all.past('ann', anEpisode('e1'), aConclusion('k1', { sources: ['e1'] }), profile);
      const items = brought[kind] ?? (await all.exported('ann'));
      const [one, other] = await Promise.all([all.take('ben', items), all.take('ben', items)]);
      const counts = [one.imported + other.imported, one.skipped + other.skipped];
      assert.deepEqual(counts, [items.length, items.length]);
      const { episodes, conclusions } = await all.memory('ben');
      const known = [Object.keys(episodes).length, Object.keys(conclusions).length];
      assert.deepEqual([one.episodes + other.episodes, one.conclusions + other.conclusions], known);
    });
});

describe('episodes of one conversation that were taken in', () => {
  it('go together, and are of one conversation in the next export too', async () => {
    const all = await world();
    const turn = { type: 'RESPONSE_INGEST', turnId: 't1' } as const;
    await all.past('ann', anEpisode('e1', turn), anEpisode('e2'), anEpisode('e3', { conversationId: 'c2' }));
    const items = await all.exported('ann');
    await all.take('ben', items);
    assert.deepEqual(await all.exported('ben'), items);
    await all.runner.run(eraseEpisode, { episodeId: 'e1' }, all.who('ben'));
    assert.deepEqual(Object.keys((await all.memory('ben')).episodes), ['e3']);
  });
});

describe('what was put aside before it was taken in', () => {
  it('is gone in time, also where nothing says until when it can be restored', async () => {
    const all = await world();
    const standing = { createdAt: NOW, updatedAt: NOW, lastEvidenceAt: NOW, stale: false } as const;
    const aside = { ...standing, status: 'pruned', supersededBy: null, contradicts: [] } as const;
    await all.past('ann', aConclusion('k1', { standing: aside }));
    await all.take('ben', await all.exported('ann'));
    const kept = async (now: number) => {
      await all.runner.run(expireEpisodes, { now }, all.who('ben'));
      return Object.keys((await all.memory('ben')).conclusions);
    };
    assert.deepEqual(await kept(NOW + RETENTION_MS - 1), ['k1']);
    assert.deepEqual(await kept(NOW + RETENTION_MS), []);
  });
});
