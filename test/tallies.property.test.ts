import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import Counter from 'prom-client/lib/counter.js';
import Histogram from 'prom-client/lib/histogram.js';
import Registry from 'prom-client/lib/registry.js';
import { describe } from 'vitest';
import { TalliedCounter, TalliedHistogram } from '../src/tallies.ts';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 200);
const buckets = [0.001, 0.5, 2];
const answers = fc.array(
  fc.record({
    path: fc.constantFrom('/api/settings', 'unmatched', '/a "quoted" path'),
    value: fc.oneof(fc.constantFrom(...buckets, 0, 2.5), fc.double({ min: 0, max: 3, noNaN: true })),
  }),
);

/** Examples of a value, which prom-client has room for and nobody gives. */
const withoutExemplar = (key: string, value: unknown) => (key === 'exemplar' ? undefined : value);

/** The text that is scraped, and what pages read. */
async function read(fill: (registry: Registry) => void) {
  const registry = new Registry();
  fill(registry);
  return {
    text: await registry.metrics(),
    values: JSON.parse(JSON.stringify(await registry.getMetricsAsJSON(), withoutExemplar)),
  };
}

describe('what is tallied is told as prom-client tells it', () => {
  it.prop([answers], { numRuns })('of a counter', async (seen) => {
    const about = { name: 'answers_total', help: 'Answers.', labelNames: ['path'] as const };
    const tallied = await read((registry) => {
      const counter = new TalliedCounter({ ...about, registers: [registry] });
      for (const { path } of seen) counter.tally({ path }).value++;
    });
    const plain = await read((registry) => {
      const counter = new Counter({ ...about, registers: [registry] });
      for (const { path } of seen) counter.inc({ path });
    });
    assert.deepEqual(tallied, plain);
  });

  it.prop([answers], { numRuns })('of a histogram', async (seen) => {
    const about = { name: 'answer_seconds', help: 'Time.', labelNames: ['path'] as const, buckets };
    const tallied = await read((registry) => {
      const histogram = new TalliedHistogram({ ...about, registers: [registry] });
      for (const { path, value } of seen) histogram.distribution({ path }).observe(value);
    });
    const plain = await read((registry) => {
      const histogram = new Histogram({ ...about, registers: [registry] });
      for (const { path, value } of seen) histogram.observe({ path }, value);
    });
    assert.deepEqual(tallied, plain);
  });
});
