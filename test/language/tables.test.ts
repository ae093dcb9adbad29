import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { tables } from '../../src/language/statements/tables.ts';
import { type Statement, statementsBy, statementsOf } from '../../src/language/statements.ts';

const WEDNESDAY = Date.UTC(2026, 10, 18, 12);

const told = (statements: readonly Statement[]) => statements.map(({ slot, text }) => `${slot}: ${text}`);

describe('each row of the tables of statements', () => {
  for (const [table, rows] of Object.entries(tables))
    for (const [index, row] of rows.entries()) {
      const { examples, counterExamples } = row;
      it(`${table} ${index + 1} tells what its examples say, by itself and among all others: ${examples[0]?.[0]}`, () => {
        assert.ok(examples.length > 0);
        for (const [said, ...expected] of examples) {
          assert.deepEqual(told(statementsBy([row], said, WEDNESDAY)), expected, said);
          const amongAll = told(statementsOf(said, WEDNESDAY));
          for (const one of expected) assert.ok(amongAll.includes(one), `${said} → ${amongAll}`);
        }
      });

      it(`${table} ${index + 1} tells nothing of its counter-examples: ${counterExamples[0]}`, () => {
        assert.ok(counterExamples.length > 0);
        for (const said of counterExamples)
          assert.deepEqual(told(statementsBy([row], said, WEDNESDAY)), [], said);
      });
    }
});
