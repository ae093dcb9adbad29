import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { ProjectionRuntime, viewAt } from '../../src/projections/runtime.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';

import { count, note } from '../store/sampleEvents.ts';
import { countingCatalog, totals } from '../support/counting.ts';
import { range } from '../support/range.ts';

describe('a view of the past', () => {
  const MOST = 1_600;
  const entry = fc.option(fc.record({ stream: fc.constantFrom('a', 'b', 'c'), n: fc.integer() }), {
    freq: 5,
  });
  const history = fc.array(entry, { minLength: 1, maxLength: MOST, size: 'max' });

  it.prop([history, fc.nat(), fc.array(fc.nat(), { minLength: 1, maxLength: 5 })], { numRuns: 25 })(
    'at any position is what folding the events up to there gives, wherever a snapshot stands',
    async (entries, at, seeds) => {
      const log = await Log.open(new MemoryAdapter(), countingCatalog);
      const snapshotAt = at % entries.length;
      for (const [index, given] of entries.entries()) {
        if (index === snapshotAt) await new ProjectionRuntime(log, [totals]).start();
        await log.append(given ? count(given.stream, given.n) : note('ann', 'n', 'passed by'));
      }
      for (const until of [0, entries.length, snapshotAt, ...seeds.map((seed) => seed % entries.length)]) {
        const expected: Record<string, number> = {};
        for (const index of range(0, until)) {
          const given = entries[index];
          if (given) expected[given.stream] = (expected[given.stream] ?? 0) + given.n;
        }
        assert.deepEqual(await viewAt(log, totals, until), expected);
      }
    },
  );
});
