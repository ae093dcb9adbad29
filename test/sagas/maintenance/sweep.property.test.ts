import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { Pace } from '../../../src/application/maintenance/pace.ts';
import type { UserMemory } from '../../../src/commands/memory/state.ts';
import { restoreConclusions } from '../../../src/commands/memory/userChanges.ts';
import { entryOf } from '../../../src/entryOf.ts';
import type { MemoryEvent } from '../../../src/events/memory.ts';
import type { Remembered } from '../../../src/projections/memory/remembered.ts';
import { reportOf } from '../../../src/projections/memory/sweepReport.ts';
import { DAY_MS, past, Swept, still, thresholds, USER } from './sweeping.ts';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 1_000);

const active = ({ conclusions }: UserMemory) =>
  Object.values(conclusions).filter(({ status }) => status === 'active');

it.prop([past, thresholds], { numRuns })(
  'a sweep makes nothing more certain, and leaves nothing below the threshold nor prunes above it',
  async (events, limits) => {
    const swept = await Swept.of(events);
    const before = still(await swept.memory());
    await swept.sweep(limits);
    const after = await swept.memory();
    for (const [id, { confidence, status }] of Object.entries(after.conclusions)) {
      const known = entryOf(before.conclusions, id);
      assert.ok(known && confidence <= known.confidence);
      if (status === 'active') assert.ok(confidence >= limits.pruneBelow);
      if (status === 'pruned' && known.status === 'active') assert.ok(confidence < limits.pruneBelow);
    }
  },
);

it.prop([past, thresholds], { numRuns })(
  'merging loses no source, and leaves no two that a merge would take',
  async (events, limits) => {
    const swept = await Swept.of(events);
    const before = still(await swept.memory());
    await swept.sweep({ ...limits, pruneBelow: 0 });
    const { conclusions } = await swept.memory();
    for (const { id, sources } of active(before)) {
      let holder = entryOf(conclusions, id);
      while (holder?.supersededBy) holder = entryOf(conclusions, holder.supersededBy);
      assert.ok(holder?.status === 'active');
      assert.ok(new Set(sources).isSubsetOf(new Set(holder.sources)));
    }
    const again = await swept.sweep({ ...limits, pruneBelow: 0, decayFactor: 1 });
    assert.equal(again.summary.redundant, 0);
  },
);

it.prop([past, thresholds], { numRuns })(
  'a second sweep changes nothing but what decay, and what the first one pruned, demand',
  async (events, limits) => {
    const swept = await Swept.of(events);
    await swept.sweep(limits);
    const before = still(await swept.memory());
    const { firstVersion, summary } = await swept.sweep(limits);
    const changes = (await swept.events()).slice(firstVersion, -1);
    const decayed = new Set(changes.flatMap((event) => idOf(event, 'memory.conclusion.decayed')));
    const unbelieved = new Set(
      Object.values(before.conclusions).flatMap(({ status, sources }) =>
        status === 'pruned' ? sources : [],
      ),
    );
    assert.equal(summary.redundant, 0);
    for (const event of changes)
      if (event.type === 'memory.conclusion.pruned') assert.ok(decayed.has(event.data.conclusionId));
      else if (event.type === 'memory.episode.flagged') assert.ok(unbelieved.has(event.data.episodeId));
      else
        assert.match(event.type, /^memory\.(conclusion\.decayed|contradictions\.sought)$/, `${event.type}`);
  },
);

it.prop([past, thresholds], { numRuns })(
  'the report adds up with the events of its run, and the log with the state',
  async (events, limits) => {
    const swept = await Swept.of(events);
    const before = still(await swept.memory());
    const completed = await swept.sweep(limits);
    const changes = (await swept.events()).slice(completed.firstVersion - 1);
    const count = (type: MemoryEvent['type']) => changes.filter((event) => event.type === type).length;
    const { summary, issues, conclusionsExamined, episodesChecked } = await reportOf(
      swept.store,
      USER,
      completed,
      new Pace(),
    );
    assert.equal(changes[0]?.type, 'memory.maintenance.started');
    assert.equal(conclusionsExamined, active(before).length);
    assert.equal(episodesChecked, Object.keys(before.episodes).length);
    assert.equal(summary.decayed, count('memory.conclusion.decayed'));
    assert.equal(summary.redundant, count('memory.conclusion.merged'));
    assert.equal(summary.orphans, count('memory.episode.flagged'));
    assert.equal(summary.pruned, count('memory.conclusion.pruned'));
    assert.equal(summary.contradictions, count('memory.contradiction.detected'));
    assert.equal(issues.length, changes.length - 3);
    for (const action of ['decayed', 'merged', 'pruned'] as const)
      assert.equal(
        issues.filter((issue) => issue.action === action).length,
        summary[action === 'merged' ? 'redundant' : action],
      );
    assert.ok(summary.stale >= summary.decayed);
    assert.deepEqual(await swept.replayed(), [await swept.memory(), await swept.remembered()]);
  },
);

it.prop([past, thresholds, fc.nat()], { numRuns })(
  'a sweep that is cut off between any two events ends where an undisturbed one ends',
  async (events, limits, cut) => {
    const whole = await Swept.of(events);
    const { firstVersion } = await whole.sweep(limits);
    const all = await whole.events();
    const kept = firstVersion + (cut % (all.length - firstVersion + 1));
    const resumed = await Swept.of(all.slice(0, kept));
    // Later, as whoever comes back after a crash; everything is measured by when the sweep began.
    resumed.now += kept === all.length ? 0 : DAY_MS;
    if (kept < all.length) await resumed.sweep(limits);
    assert.deepEqual(outcome(await resumed.remembered()), outcome(await whole.remembered()));
    assert.deepEqual((await resumed.events()).map(core), all.map(core));
  },
);

it.prop([past, thresholds, fc.nat()], { numRuns })(
  'restoring undoes exactly one thing',
  async (events, limits, which) => {
    const swept = await Swept.of(events);
    const before = still(await swept.memory());
    await swept.sweep(limits);
    const after = still(await swept.memory());
    const aside = Object.values(after.conclusions).filter(
      ({ id, status }) => status !== 'active' && entryOf(before.conclusions, id)?.status === 'active',
    );
    const chosen = aside[which % Math.max(1, aside.length)];
    if (!chosen) return;
    const context = { userId: USER, correlationId: 'test' };
    await swept.runner.run(restoreConclusions, { conclusionIds: [chosen.id] }, context);
    const restored = await swept.memory();
    for (const [id, known] of Object.entries(restored.conclusions)) {
      const then = after.conclusions[id];
      if (id === chosen.id) {
        const { status, supersededBy, stale: _stale, updatedAt: _at, ...same } = known;
        assert.deepEqual([status, supersededBy], ['active', null]);
        assert.deepEqual({ ...then, ...same }, then);
      } else if (id === chosen.supersededBy) {
        const { sources, turnIds: _turns, lastEvidenceAt: _heard, updatedAt: _at, ...same } = known;
        assert.deepEqual({ ...then, ...same }, then);
        const others = Object.values(restored.conclusions).filter(
          (one) => one.status === 'merged' && one.supersededBy === id,
        );
        const own: readonly string[] = entryOf(before.conclusions, id)?.sources ?? [];
        const expected: ReadonlySet<string> = new Set([...own, ...others.flatMap((one) => one.sources)]);
        assert.deepEqual(new Set(sources), expected);
      } else assert.deepEqual(known, then);
    }
  },
);

function idOf(event: MemoryEvent, type: MemoryEvent['type']): readonly string[] {
  return event.type === type && 'conclusionId' in event.data ? [event.data.conclusionId] : [];
}

/** All but what says when it was written, and for how long it took. */
function outcome({ conclusions, episodes, reports, absorbed, aside }: Remembered) {
  const timeless = Object.values(conclusions).map(({ updatedAt: _at, ...known }) => known);
  const figures = reports.map(({ durationMs: _ms, ...report }) => report);
  return { conclusions: timeless, episodes, absorbed, aside, reports: figures };
}

function core({ type, data }: MemoryEvent) {
  return type === 'memory.maintenance.completed'
    ? { type, data: { ...data, durationMs: 0 } }
    : { type, data };
}
