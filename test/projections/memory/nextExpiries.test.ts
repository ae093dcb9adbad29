import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { eventCatalog } from '../../../src/events/catalog.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import { nextExpiries } from '../../../src/projections/memory/nextExpiries.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import { aConclusion, anEpisode } from '../../commands/memory/sample.ts';
import { NOW } from '../../support/given.ts';
import { viewAfterOf } from '../../support/viewAfter.ts';

const next = async (...events: readonly NewEvent[]) =>
  (await viewAfterOf('ann', nextExpiries, ...events)).byStream.test?.at;

const kept = (episodeId: string, expiresAt: number) => anEpisode(episodeId, { expiresAt });
const sweep = { sweepId: 's', conclusionId: 'c1', restorableUntil: NOW + 5 };

describe('when something of a user has been kept for long enough', () => {
  it('is when the first of what is kept has', async () => {
    assert.equal(await next(kept('e1', NOW + 9), kept('e2', NOW + 3), kept('e3', NOW + 6)), NOW + 3);
    assert.equal(await next(), undefined);
  });

  it('is also when what was put aside can no longer be taken back', async () => {
    const merged = { ...sweep, mergedInto: 'c2', similarTo: 'c2', similarity: 0.9 };
    assert.equal(await next({ type: 'memory.conclusion.merged', data: merged }), NOW + 5);
    const pruned = { ...sweep, confidence: 0.1, limit: 0.2 };
    assert.equal(await next({ type: 'memory.conclusion.pruned', data: pruned }), NOW + 5);
  });

  it('is also when what was put aside elsewhere, before it came here, can no longer be taken back', async () => {
    const times = { createdAt: NOW, updatedAt: NOW, lastEvidenceAt: NOW, stale: false };
    const standing = { ...times, status: 'pruned', supersededBy: null, contradicts: [] };
    const tended = { restorableUntil: NOW + 4 };
    assert.equal(await next(aConclusion('c1', { standing: { ...standing, tended } })), NOW + 4);
    assert.equal(await next(aConclusion('c1', { standing })), undefined);
  });

  it('is also when words that wait for their episode have waited for long enough', async () => {
    const imported = { episodeId: 'e1', sessionId: 's', turns: [] };
    const slice = { number: 1, of: 2, from: 0, happenedAt: NOW, waitsUntil: NOW + 8 };
    assert.equal(await next({ type: 'memory.conversation.imported', data: { ...imported, slice } }), NOW + 8);
    assert.equal(await next({ type: 'memory.conversation.imported', data: imported }), undefined);
  });

  it('is what was found when it was last looked through', async () => {
    const expired = (at: number | null) => ({
      type: 'memory.episodes.expired',
      data: { episodes: [], next: at },
    });
    assert.equal(await next(kept('e1', NOW + 3), expired(NOW + 20)), NOW + 20);
    assert.equal(await next(kept('e1', NOW + 3), expired(null)), undefined);
    assert.equal(await next(kept('e1', NOW + 3), { type: 'memory.erased', data: {} }), undefined);
  });

  it('is known at once of what was just written', async () => {
    const log = await Log.open(new MemoryAdapter(), eventCatalog);
    const views = new ProjectionRuntime(log, [nextExpiries]);
    await views.start();
    const who = { userId: 'ann', correlationId: 'test', causationId: null, at: NOW };
    await log.append({ ...who, stream: 'memory-ann', expected: 'any', events: [kept('e1', NOW + 9)] });
    assert.deepEqual(views.view(nextExpiries).byStream, { 'memory-ann': { userId: 'ann', at: NOW + 9 } });
  });
});
