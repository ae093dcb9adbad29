import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { FeatureCounts } from '../../../src/gateways/intent/featureCounts.ts';

const feature = fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 0xffffffff }));
// More than there is room for to begin with.
const many = fc.integer({ min: 500, max: 1_200 }).map((length) => Array.from({ length }, (_, at) => at * 7));
const texts = fc.array(fc.oneof({ weight: 20, arbitrary: fc.array(feature) }, many), { maxLength: 4 });
const counts = new FeatureCounts();

test.prop([texts])(
  'features are counted as a map would, in the order in which they came, for one text after the other',
  (all) => {
    for (const features of all) {
      counts.clear();
      const expected = new Map<number, number>();
      for (const one of features) {
        counts.add(one);
        expected.set(one, (expected.get(one) ?? 0) + 1);
      }
      const found = Array.from({ length: counts.size }, (_, at) => [
        counts.featureAt(at),
        counts.timesAt(at),
      ]);
      assert.deepEqual(found, [...expected]);
    }
  },
);
