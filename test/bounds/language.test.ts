import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { isSlow } from '../support/processorTime.ts';
import { pumped, pumpsOf, wordsOf } from '../support/pumps.ts';
import { Random } from '../support/random.ts';
import { expressionsIn, expressionsMadeBy } from '../support/sourceExpressions.ts';
import { type TextFunction, textFunctionsIn } from '../support/textFunctions.ts';

const AT = Date.UTC(2026, 10, 22);
const LONG = 10_000;
const VERY_LONG = 1_000_000;
const SENTENCE = 590;
const MOST_MS = 50;
const SIGNS = Array.from('.,;:!?…-–—_\'"`’“”«»‘()[]{}<>/\\|@#$%&*+=~^\n\t aAéß中。1🙂');
const STATEMENTS = 20_000;
/** Of the units that are words, so many times fewer are read as whole conversations. */
const SHARE = 8;

let readers: readonly TextFunction[] = [];
const made = await expressionsMadeBy(async () => {
  readers = await textFunctionsIn(
    'language/**/*.ts',
    'gateways/{foreignMemory,intent,tokens}/*.ts',
    'projections/memory/index/*.ts',
  );
});
// Not before, or their expressions would be made already.
const { readConversation } = await import('../../src/language/readConversation.ts');
const { statementsOf } = await import('../../src/language/statements.ts');
const rules = made.filter(({ flags }) => flags.includes('d'));
const listed = expressionsIn('src/language');
const words = [
  ...new Set(
    [...listed.map(({ expression }) => expression), ...made].flatMap(({ source }) => wordsOf(source)),
  ),
];
/** With what parts it from the next, within a sentence and at its end. */
const units = [...SIGNS, ...words.map((word, index) => `${word}${[' ', '. ', ', ', '\n', ''][index % 5]}`)];

function conversation(text: string) {
  return { turns: ['user', 'assistant'].map((role) => ({ role, text, at: AT })) };
}

function describeText(unit: string, length: number): string {
  return `${JSON.stringify(unit)} × ${length}`;
}

describe('what reads a text takes no more than its share of time', () => {
  it('is found by itself', () => {
    assert.ok(readers.length > 50, `${readers.length} functions`);
    assert.ok(units.length > 1_000, `${units.length} units`);
    assert.ok(rules.length > 100, `${rules.length} rules`);
  });

  // It takes the text of a pattern, of which there are none but ours.
  const ofTexts = readers.filter(({ name }) => !name.endsWith(' says'));
  for (const [index, { name, read }] of ofTexts.entries())
    it(name, () => {
      const chosen = [...SIGNS, ...units.filter((_, at) => at % 40 === index % 40)];
      const slow = chosen.filter((unit) => {
        const text = pumped({ before: '', unit }, LONG);
        return isSlow(() => read(text), MOST_MS);
      });
      assert.deepEqual(slow, []);
    });

  it('a conversation, of any unit again and again', () => {
    const chosen = units.filter((_, at) => at < SIGNS.length || at % SHARE === 0);
    const slow = chosen.flatMap((unit, at) => {
      const length = at % 2 === 0 ? LONG : VERY_LONG;
      const read = conversation(pumped({ before: '', unit }, length));
      return isSlow(() => readConversation(read), MOST_MS) ? [describeText(unit, length)] : [];
    });
    assert.deepEqual(slow, []);
  });

  it('a sentence, of what any rule may repeat', () => {
    const slow = rules.flatMap((rule) =>
      pumpsOf(rule, 15).flatMap((pump) => {
        const text = pumped(pump, SENTENCE).slice(0, SENTENCE);
        return isSlow(() => statementsOf(text, AT), MOST_MS) ? [text.slice(0, 120)] : [];
      }),
    );
    assert.deepEqual(slow, []);
  });

  it('statements of words of the rules, mixed by chance', () => {
    const random = new Random(20_261_122);
    const begin = ['I ', 'my ', 'I am ', 'we have ', 'I like ', 'i live in ', ''];
    const pick = (all: readonly string[]) => all[random.whole(0, all.length)];
    const slow = Array.from({ length: STATEMENTS }, () => {
      const chosen = Array.from({ length: random.whole(1, 40) }, () => pick(units));
      return `${pick(begin)}${chosen.join('')}`;
    }).filter((text) => isSlow(() => statementsOf(text, AT), MOST_MS));
    assert.deepEqual(slow, []);
  });
});
