import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { describe, it } from 'vitest';
import { isSlow } from '../support/processorTime.ts';
import { type Pump, pumped, pumpsOf } from '../support/pumps.ts';
import { expressionsIn, expressionsMadeBy } from '../support/sourceExpressions.ts';

const LONG = 10_000;
/** Rules of statements are only ever held against one sentence. */
const SENTENCE = 600;
const MOST_MS = 50;
/** Much more than all texts for one take where nothing is wrong, on a busy machine. */
const GIVEN_UP_MS = 5_000;
const ENDS = ['', '\0', '\n\0'];
/** Read modules that come with hark, never what anybody sends. */
const ofOurOwn: ReadonlySet<string> = new Set(['src/gateways/models/loadGently.ts']);

/** Where the engine cannot come to an end by itself, it is stopped. */
const bounded = runInThisContext('(work) => { globalThis.boundedWork = work; }');
function within<Value>(ms: number, work: () => Value): Value | undefined {
  bounded(work);
  try {
    return runInThisContext('boundedWork()', { timeout: ms });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      return undefined;
    throw error;
  }
}

/** The text that an expression takes too long for, if there is one. */
function slowText(expression: RegExp, length: number, pumps: readonly Pump[]): string | undefined {
  // All matches are looked for, as `replace` and `split` do.
  const global = new RegExp(expression.source, `${expression.flags.replace(/[gy]/g, '')}g`);
  let current: Pump | undefined;
  const search = () => {
    for (current of pumps)
      for (const end of ENDS) {
        const text = pumped(current, length) + end;
        if (isSlow(() => text.replace(global, ''), MOST_MS)) return true;
      }
    return false;
  };
  return within(GIVEN_UP_MS, search) === false ? undefined : JSON.stringify(current);
}

const listed = expressionsIn('src').filter(({ where }) => !ofOurOwn.has(where.split(':')[0] ?? ''));
const src = join(import.meta.dirname, '../../src');
const isListed = new Set(listed.map(({ expression }) => String(expression)));
const loaded = await expressionsMadeBy(async () => {
  const modules = globSync(join(src, '{language,projections}/**/*.ts')).filter(
    (file) => !/[tT]hread\.ts$/.test(file),
  );
  for (const file of modules) await import(file);
});
const made = loaded.filter((expression) => !isListed.has(String(expression)));

describe('a regular expression of the source takes no more than its share of time', () => {
  it('wherever one stands', () => {
    assert.ok(listed.length > 500);
    const slow = listed.flatMap(({ where, expression }) => {
      const text = slowText(expression, LONG, pumpsOf(expression, 40));
      return text === undefined ? [] : [`${where} /${expression.source.slice(0, 80)}/ on ${text}`];
    });
    assert.deepEqual(slow, []);
  });

  it('and where one is put together', () => {
    assert.ok(made.length > 100);
    const slow = made.flatMap((expression) => {
      const length = expression.flags.includes('d') ? SENTENCE : LONG;
      const text = slowText(expression, length, pumpsOf(expression, 120));
      return text === undefined ? [] : [`/${expression.source.slice(0, 120)}/ on ${text}`];
    });
    assert.deepEqual(slow, []);
  });
});
