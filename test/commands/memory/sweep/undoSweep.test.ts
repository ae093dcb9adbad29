import { describe, it } from 'vitest';
import { undoSweep } from '../../../../src/commands/memory/sweep/undoSweep.ts';
import { given, NOW } from '../../../support/given.ts';
import { aConclusion, anEpisode } from '../sample.ts';

const both = [aConclusion('a'), aConclusion('b')];
const sweepId = 's';
const restorableUntil = NOW + 1;
const decayed = {
  type: 'memory.conclusion.decayed',
  data: { sweepId, conclusionId: 'a', from: 0.8, to: 0.2, factor: 0.25 },
} as const;
const flagged = {
  type: 'memory.conclusion.flagged',
  data: { sweepId, conclusionId: 'a', stale: true, unseenDays: 91, limitDays: 90 },
} as const;
const pruned = {
  type: 'memory.conclusion.pruned',
  data: { sweepId, conclusionId: 'a', confidence: 0.2, limit: 0.3, restorableUntil },
} as const;
const merged = {
  type: 'memory.conclusion.merged',
  data: { sweepId, conclusionId: 'a', mergedInto: 'b', similarTo: 'b', similarity: 0.9, restorableUntil },
} as const;
const orphan = {
  type: 'memory.episode.flagged',
  data: { sweepId, episodeId: 'e', importance: 1, limit: 3 },
} as const;
const opposed = {
  type: 'memory.contradiction.detected',
  data: {
    ...{ sweepId, conclusionId: 'a', contradicts: 'b' },
    evidence: { similarity: 0.5, signs: [], nli: null, judge: null },
  },
} as const;
const restored = { type: 'memory.conclusion.restored', data: { conclusionId: 'a' } };
const again = {
  type: 'memory.conclusion.strengthened',
  data: { conclusionId: 'a', confidence: 0.5, sources: [], turnIds: [] },
};

const kept = <One extends { readonly data: object }>(one: One, until: number) => ({
  ...one,
  data: { ...one.data, restorableUntil: until },
});

describe('a sweep that is taken back', () => {
  it('restores each once, with the confidence that it had before', () => {
    given(undoSweep, ...both, decayed, pruned)
      .when({ changes: [decayed, pruned] })
      .gives({ type: 'memory.conclusion.restored', data: { conclusionId: 'a', confidence: 0.8 } });
    given(undoSweep, ...both, decayed)
      .when({ changes: [decayed] })
      .gives({ type: 'memory.conclusion.restored', data: { conclusionId: 'a', confidence: 0.8 } });
  });

  for (const [what, change] of Object.entries({ 'calls stale': flagged, prunes: pruned, merges: merged }))
    it(`restores what it ${what}, and nothing of it that somebody has restored since`, () => {
      given(undoSweep, ...both, change)
        .when({ changes: [change] })
        .gives(restored);
      given(undoSweep, ...both, change, restored)
        .when({ changes: [change] })
        .givesNothing();
    });

  it('leaves what was said again since, and what is not kept any more', () => {
    given(undoSweep, ...both, decayed, again)
      .when({ changes: [decayed] })
      .givesNothing();
    for (const change of [kept(pruned, NOW), kept(merged, NOW)])
      given(undoSweep, ...both, change)
        .when({ changes: [change] })
        .givesNothing();
    given(undoSweep, ...both, decayed, kept(pruned, NOW))
      .when({ changes: [decayed] })
      .givesNothing();
  });

  it('leaves to a later sweep what that has put aside otherwise', () => {
    const elsewhere = { ...merged, data: { ...merged.data, mergedInto: 'c', similarTo: 'c' } };
    given(undoSweep, ...both, aConclusion('c'), merged, restored, elsewhere)
      .when({ changes: [merged] })
      .givesNothing();
    given(undoSweep, ...both, flagged, pruned)
      .when({ changes: [flagged] })
      .givesNothing();
    given(undoSweep, ...both, pruned, restored, merged)
      .when({ changes: [pruned] })
      .givesNothing();
  });

  it('takes nothing for stale that it has found not to be so any more', () => {
    const fresh = { ...flagged, data: { ...flagged.data, stale: false } };
    given(undoSweep, ...both, flagged)
      .when({ changes: [fresh] })
      .givesNothing();
  });

  it('says nothing of what is forgotten', () => {
    given(undoSweep, aConclusion('b'))
      .when({ changes: [decayed, flagged, pruned, merged, orphan, opposed] })
      .givesNothing();
  });

  it('no longer calls an episode an orphan, unless that is over already', () => {
    const unflagged = { type: 'memory.episode.unflagged', data: { episodeId: 'e' } };
    given(undoSweep, anEpisode('e'), orphan)
      .when({ changes: [orphan] })
      .gives(unflagged);
    given(undoSweep, anEpisode('e'), orphan, unflagged)
      .when({ changes: [orphan] })
      .givesNothing();
  });

  it('takes what it found to contradict each other for no contradiction, unless somebody has decided it', () => {
    const settled = (as: string) => ({
      type: 'memory.contradiction.settled',
      data: { conclusionId: 'a', contradicts: 'b', as },
    });
    given(undoSweep, ...both, opposed)
      .when({ changes: [opposed] })
      .gives(settled('no-contradiction'));
    given(undoSweep, ...both, opposed, settled('kept'))
      .when({ changes: [opposed] })
      .givesNothing();
  });
});
