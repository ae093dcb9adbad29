import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { requestsIn, requestTables } from '../../src/language/requests.ts';

describe('each row of the tables of requests', () => {
  for (const [table, { rows }] of Object.entries(requestTables))
    for (const [index, { kind, pattern, examples, counterExamples }] of rows.entries()) {
      it(`${table} ${index + 1} (${kind}) is found in its examples: ${examples[0]?.[0]}`, () => {
        assert.ok(examples.length > 0);
        for (const [said, what] of examples) {
          assert.ok(pattern.test(said.replace(/^¿/, '')) || pattern.test(said), said);
          const found = requestsIn(said).map((one) => [one.kind, one.what]);
          assert.deepEqual(found, [[kind, what]], said);
        }
      });

      it(`${table} ${index + 1} (${kind}) is not found in its counter-examples: ${counterExamples[0]}`, () => {
        assert.ok(counterExamples.length > 0);
        for (const said of counterExamples)
          assert.ok(!requestsIn(said).some((one) => one.kind === kind), said);
      });
    }
});
