import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { Pace } from '../../../../src/application/maintenance/pace.ts';
import { previewSweep } from '../../../../src/application/maintenance/preview.ts';
import { userMemory } from '../../../../src/commands/memory/state.ts';
import { mergeRedundant } from '../../../../src/commands/memory/sweep/mergeRedundant.ts';
import { noteContradictions } from '../../../../src/commands/memory/sweep/noteContradictions.ts';
import { takeStep } from '../../../../src/commands/memory/sweep/sweep.ts';
import { remembered } from '../../../../src/projections/memory/remembered.ts';
import { begun, DAY_MS, Swept, usual } from '../../../sagas/maintenance/sweeping.ts';
import { fold, given, NOW } from '../../../support/given.ts';
import { aConclusion, anEpisode } from '../sample.ts';

/** A conclusion that was last heard of so long ago. */
const heardOf = (agoMs: number, more: Record<string, unknown> = {}) => {
  const { stale = false, ...given } = more;
  const at = NOW - agoMs;
  const times = { createdAt: at, updatedAt: at, lastEvidenceAt: at };
  const standing = { ...times, stale, status: 'active', supersededBy: null, contradicts: [] };
  return aConclusion('k', { standing, ...given });
};

const step = (name: 'stale' | 'decay' | 'orphans' | 'prune', ...ids: readonly string[]) => ({
  sweepId: 's',
  step: name,
  ids,
});
const flagged = (stale: boolean, unseenDays: number) => ({
  type: 'memory.conclusion.flagged',
  data: { sweepId: 's', conclusionId: 'k', stale, unseenDays, limitDays: 90 },
});
const decayed = {
  type: 'memory.conclusion.decayed',
  data: { sweepId: 's', conclusionId: 'k', from: 0.5, to: 0.45, factor: 0.9 },
};
const pruned = (confidence: number) => ({
  type: 'memory.conclusion.pruned',
  data: {
    sweepId: 's',
    conclusionId: 'k',
    confidence,
    limit: 0.3,
    restorableUntil: NOW + 30 * DAY_MS,
  },
});

describe('stale', () => {
  it('is what was not heard of for more than the days that are set', () => {
    given(takeStep, heardOf(90 * DAY_MS), begun)
      .when(step('stale', 'k'))
      .givesNothing();
    given(takeStep, heardOf(90 * DAY_MS + 1), begun)
      .when(step('stale', 'k'))
      .gives(flagged(true, 90));
  });

  it('is said once, and no more when it was heard of again', () => {
    given(takeStep, heardOf(91 * DAY_MS, { stale: true }), begun)
      .when(step('stale', 'k'))
      .givesNothing();
    given(takeStep, heardOf(DAY_MS, { stale: true }), begun)
      .when(step('stale', 'k'))
      .gives(flagged(false, 1));
  });

  it('is less certain after each sweep, and once in each', () => {
    const known = heardOf(91 * DAY_MS, { confidence: 0.5 });
    given(takeStep, known, begun).when(step('decay', 'k')).gives(decayed);
    given(takeStep, known, begun, decayed).when(step('decay', 'k')).givesNothing();
    given(takeStep, heardOf(90 * DAY_MS, { confidence: 0.5 }), begun)
      .when(step('decay', 'k'))
      .givesNothing();
  });
});

describe('pruned', () => {
  it('is what is below the confidence that is set, and not what is at it', () => {
    given(takeStep, heardOf(0, { confidence: 0.3 }), begun)
      .when(step('prune', 'k'))
      .givesNothing();
    given(takeStep, heardOf(0, { confidence: 0.29 }), begun)
      .when(step('prune', 'k'))
      .gives(pruned(0.29));
  });

  it('is nothing that somebody took back, for as long as that is not stale itself', () => {
    const restored = { type: 'memory.conclusion.restored', data: { conclusionId: 'k' } };
    const again = { ...begun, data: { ...begun.data, timestamp: NOW + 90 * DAY_MS } };
    const late = { ...begun, data: { ...begun.data, timestamp: NOW + 90 * DAY_MS + 1 } };
    const known = [heardOf(0, { confidence: 0.2 }), pruned(0.2), restored];
    given(takeStep, ...known, again)
      .when(step('prune', 'k'))
      .givesNothing();
    const { data } = pruned(0.2);
    given(takeStep, ...known, late)
      .when(step('prune', 'k'))
      .gives({ ...pruned(0.2), data: { ...data, restorableUntil: NOW + 120 * DAY_MS + 1 } });
  });
});

describe('an orphan', () => {
  const flaggedEpisode = (importance: number) => ({
    type: 'memory.episode.flagged',
    data: { sweepId: 's', episodeId: 'e', importance, limit: 3 },
  });
  const merged = {
    type: 'memory.conclusion.merged',
    data: {
      sweepId: 'r',
      conclusionId: 'k',
      mergedInto: 'w',
      similarTo: 'w',
      similarity: 1,
      restorableUntil: NOW + 1,
    },
  };

  it('is an episode below the importance that is set, and not one at it', () => {
    given(takeStep, anEpisode('e', { importance: 3 }), begun)
      .when(step('orphans', 'e'))
      .givesNothing();
    given(takeStep, anEpisode('e', { importance: 2.9 }), begun)
      .when(step('orphans', 'e'))
      .gives(flaggedEpisode(2.9));
    given(takeStep, anEpisode('e', { importance: 2.9 }), begun, flaggedEpisode(2.9))
      .when(step('orphans', 'e'))
      .givesNothing();
  });

  it('is one that only what is not believed any more comes from', () => {
    const episode = anEpisode('e', { importance: 1 });
    const known = heardOf(0, { sources: ['e'], confidence: 0.2 });
    given(takeStep, episode, known, begun).when(step('orphans', 'e')).givesNothing();
    given(takeStep, episode, known, pruned(0.2), begun).when(step('orphans', 'e')).gives(flaggedEpisode(1));
    const superseded = {
      type: 'memory.conclusion.superseded',
      data: { conclusionId: 'k', supersededBy: 'w', because: 'replaced' },
    };
    for (const past of [merged, superseded])
      given(takeStep, episode, known, aConclusion('w'), past, begun)
        .when(step('orphans', 'e'))
        .givesNothing();
  });

  it('is none any more when what comes from it is taken back', () => {
    const { episodes } = fold(userMemory, [
      anEpisode('e', { importance: 1 }),
      heardOf(0, { sources: ['e'], confidence: 0.2 }),
      pruned(0.2),
      flaggedEpisode(1),
      { type: 'memory.conclusion.restored', data: { conclusionId: 'k' } },
    ]);
    assert.equal(episodes.e?.flagged, false);
  });
});

describe('a merge', () => {
  const planned = (loser: string, winner: string) => ({
    conclusionId: loser,
    mergedInto: winner,
    similarTo: winner,
    similarity: 0.9,
  });
  const merge = (loser: string, winner: string) => ({
    type: 'memory.conclusion.merged',
    data: { sweepId: 's', ...planned(loser, winner), restorableUntil: NOW + 30 * DAY_MS },
  });
  const when = { sweepId: 's', merges: [planned('a', 'b')] };

  it('has the more certain one stay, as they are when it is made', () => {
    const [weak, strong] = [aConclusion('a', { confidence: 0.5 }), aConclusion('b', { confidence: 0.6 })];
    given(mergeRedundant, weak, strong, begun).when(when).gives(merge('a', 'b'));
    given(mergeRedundant, weak, aConclusion('b', { confidence: 0.4 }), begun)
      .when(when)
      .givesNothing();
    given(mergeRedundant, weak, begun).when(when).givesNothing();
    given(mergeRedundant, weak, strong, begun, merge('a', 'b')).when(when).givesNothing();
  });

  it('is not made of two that contradict each other', () => {
    const [weak, strong] = [aConclusion('a', { confidence: 0.5 }), aConclusion('b', { confidence: 0.6 })];
    for (const [conclusionId, contradicts] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const)
      given(mergeRedundant, weak, strong, contradiction(conclusionId, contradicts), begun)
        .when(when)
        .givesNothing();
  });
});

const nothing = {
  candidatesSelected: 1,
  nliConfirmed: 0,
  llmConfirmed: 1,
  stageLatencyMs: { stage1: 1, stage2: 0, stage3: 1 },
};
const evidence = { similarity: 0.5, signs: ['negation'], nli: null, judge: null };
const contradiction = (conclusionId: string, contradicts: string) => ({
  type: 'memory.contradiction.detected',
  data: { sweepId: 's', conclusionId, contradicts, evidence },
});

describe('a contradiction', () => {
  const both = [aConclusion('a'), aConclusion('b')];
  const found = (...pairs: readonly (readonly [string, string])[]) => ({
    sweepId: 's',
    confirmed: pairs.map(([conclusionId, contradicts]) => ({ conclusionId, contradicts, evidence })),
    pipeline: nothing,
  });
  const sought = { type: 'memory.contradictions.sought', data: { sweepId: 's', pipeline: nothing } };

  it('is said once, from whichever side it was found and however often', () => {
    given(noteContradictions, ...both, begun)
      .when(found(['a', 'b'], ['b', 'a'], ['a', 'b']))
      .gives(contradiction('a', 'b'), sought);
  });

  it('is never said again, from whichever side', () => {
    for (const said of [contradiction('a', 'b'), contradiction('b', 'a')])
      given(noteContradictions, ...both, said, begun)
        .when(found(['a', 'b'], ['b', 'a']))
        .gives(sought);
  });

  it('with what is not there any more is none', () => {
    given(noteContradictions, aConclusion('a'), begun)
      .when(found(['a', 'b'], ['b', 'a']))
      .gives(sought);
  });

  it('lowers neither side, and names each to the other', () => {
    const { conclusions } = fold(userMemory, [...both, contradiction('a', 'b')]);
    assert.deepEqual([conclusions.a?.contradicts, conclusions.b?.contradicts], [['b'], ['a']]);
    assert.deepEqual([conclusions.a?.confidence, conclusions.b?.confidence], [0.9, 0.9]);
  });
});

it('of another sweep than the one that goes on, nothing is decided', () => {
  const past = [
    heardOf(91 * DAY_MS, { confidence: 0.1, sources: [] }),
    anEpisode('e', { importance: 0 }),
    begun,
  ];
  for (const name of ['stale', 'decay', 'prune'] as const)
    given(takeStep, ...past)
      .when({ ...step(name, 'k'), sweepId: 'another' })
      .givesNothing();
  given(noteContradictions, ...past)
    .when({ sweepId: 'another', confirmed: [], pipeline: nothing })
    .givesNothing();
});

describe('reports', () => {
  const completed = (timestamp: number) => ({
    type: 'memory.maintenance.completed',
    data: {
      sweepId: `s${timestamp}`,
      timestamp,
      durationMs: 1,
      conclusionsExamined: 0,
      episodesChecked: 0,
      summary: {
        contradictions: 0,
        stale: 0,
        orphans: 0,
        redundant: 0,
        pruned: 0,
        decayed: 0,
        danglingSources: 0,
        contradictionPipeline: nothing,
      },
      firstVersion: 1,
    },
  });
  const kept = (...times: readonly number[]) => fold(remembered, times.map(completed)).reports;

  it('are the last 200', () => {
    const times = Array.from({ length: 201 }, (_, index) => NOW - 201 + index);
    assert.deepEqual(
      kept(...times).map(({ timestamp }) => timestamp),
      times.slice(1),
    );
  });

  it('are those of 30 days', () => {
    const [old, young] = [NOW - 30 * DAY_MS, NOW - 30 * DAY_MS + 1];
    assert.deepEqual(
      kept(old, young).map(({ timestamp }) => timestamp),
      [young],
    );
  });

  it('name no more changes than anybody reads, also when they are only looked at', async () => {
    const many = Array.from({ length: 2_501 }, (_, index) => {
      const { data } = heardOf(91 * DAY_MS, { text: `The user was in town ${index}` });
      return { type: 'memory.conclusion.drawn', data: { ...Object(data), conclusionId: `k${index}` } };
    });
    const { summary, issues } = await previewSweep(fold(userMemory, many), usual, NOW, new Pace());
    assert.deepEqual([summary.stale, summary.decayed, issues.length], [2_501, 2_501, 5_000]);
  });
});

it('a report counts what is stale, decayed or not, and sources that are not kept any more', async () => {
  const gone = (id: string, more: Record<string, unknown>) => {
    const { data } = heardOf(91 * DAY_MS, more);
    return { type: 'memory.conclusion.drawn', data: { ...Object(data), conclusionId: id } };
  };
  const swept = await Swept.of([
    anEpisode('e'),
    gone('x1', { confidence: 0, sources: ['e', 'lost'], text: 'The user sails' }),
    gone('x2', { confidence: 1, sources: ['e', 'lost', 'gone'], text: 'The user sings at night' }),
    aConclusion('x3', { sources: ['e'] }),
  ]);
  const { summary } = await swept.sweep({ ...usual, pruneBelow: 0 });
  assert.deepEqual([summary.stale, summary.decayed, summary.danglingSources], [2, 1, 3]);
});
