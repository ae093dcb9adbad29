import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { describe, it } from 'vitest';
import { settleContradiction } from '../../../src/commands/memory/settling.ts';
import { userMemory } from '../../../src/commands/memory/state.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import { contradictionDecisions } from '../../../src/vocabulary.ts';
import { decide, fold, given, NOW } from '../../support/given.ts';
import { aConclusion } from './sample.ts';

const both = [aConclusion('a'), aConclusion('b')];
const opposed = { type: 'memory.conclusion.contradicted', data: { conclusionId: 'a', contradicts: 'b' } };

const standing = (events: readonly NewEvent[]) => {
  const { conclusions } = fold(userMemory, events);
  return Object.values(conclusions).map(({ id, status, supersededBy, contradicts }) => ({
    ...{ id, status, supersededBy, contradicts },
  }));
};

const decision = fc.record({
  isOther: fc.boolean(),
  decision: fc.constantFrom(...contradictionDecisions),
});

describe('a contradiction', () => {
  test.prop([fc.array(decision, { maxLength: 6 }), fc.boolean()])(
    'of which every decision is taken back is as it was, whatever was decided before',
    (decisions, isOther) => {
      const open = { isOther, decision: 'open' } as const;
      let events: NewEvent[] = [...both, opposed];
      const before = standing(events);
      for (const { isOther: turned, decision } of [...decisions, open]) {
        const [conclusionId, contradicts] = turned ? ['b', 'a'] : ['a', 'b'];
        const input = { conclusionId, contradicts, decision } as const;
        events = [...events, ...decide(settleContradiction, fold(userMemory, events), input)];
        const twice = decide(settleContradiction, fold(userMemory, events), input);
        assert.deepEqual(twice, []);
      }
      assert.deepEqual(standing(events), before);
    },
  );

  it('that is none is not found again', () => {
    const none = {
      type: 'memory.contradiction.settled',
      data: { conclusionId: 'a', contradicts: 'b', as: 'no-contradiction' },
    };
    assert.deepEqual(
      standing([...both, opposed, none, opposed]).map(({ contradicts }) => contradicts),
      [[], []],
    );
  });

  it('of which one was put aside since is no longer to be decided', () => {
    const pruned = {
      type: 'memory.conclusion.pruned',
      data: { sweepId: 's', conclusionId: 'a', confidence: 0.1, limit: 0.3, restorableUntil: NOW + 1 },
    };
    given(settleContradiction, ...both, opposed, pruned)
      .when({ conclusionId: 'a', contradicts: 'b', decision: 'keep' })
      .isRefused('CONTRADICTION_UNKNOWN');
  });
});
