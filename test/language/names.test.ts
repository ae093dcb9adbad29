import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { candidatesOf } from '../../src/language/names/candidates.ts';
import { namesIn } from '../../src/language/names.ts';
import { labelledNames, parts, Score } from './labelled.ts';

describe('labelled names', () => {
  for (const part of parts) {
    it(`${part}: what is found is right, and most is found`, async (test) => {
      const [entities, relationships] = [new Score(), new Score()];
      for (const { text, ...labels } of labelledNames().filter((one) => one.part === part)) {
        const found = namesIn([text]);
        compare(
          text,
          found.entities.map(({ name, type }) => `${name}:${type}`),
          labels.entities,
          entities,
        );
        compare(
          text,
          found.relationships.map(({ from, type, to }) => `${from} ${type} ${to}`),
          labels.relationships,
          relationships,
        );
      }
      await test.annotate(`${part}, entities: ${entities}; relationships: ${relationships}`);
      for (const score of [entities, relationships]) {
        assert.ok(score.precision >= 0.9, `${score}\n${score.wrong.join('\n')}`);
        assert.ok(score.recall >= 0.85, `${score}\n${score.missed.join('\n')}`);
      }
    });
  }

  it('are many', () => assert.ok(labelledNames().length >= 150));
});

function compare(text: string, found: readonly string[], wanted: readonly string[], score: Score): void {
  for (const one of found) {
    if (wanted.includes(one)) score.right++;
    else score.wrong.push(`${text} → ${one}`);
  }
  for (const one of wanted) if (!found.includes(one)) score.missed.push(`${text} → ${one}`);
}

describe('names of one conversation', () => {
  it('are no verbs with which something is asked for', () => {
    for (const text of ['Turn off the lights in the kitchen', 'Show me the weather', 'Play!'])
      assert.deepEqual(candidatesOf(text), []);
    for (const [text, name] of [
      ['Turner called', 'Turner'],
      ['Mark called', 'Mark'],
      ['Play Records is a label', 'Play Records'],
      ['I met Dr Turn', 'Turn'],
    ] as const)
      assert.deepEqual(
        candidatesOf(text).map((one) => one.name),
        [name],
      );
  });

  it('are gathered under the longest form', () => {
    const { entities } = namesIn([
      'I met Dr. Anna Keller yesterday.',
      'Anna told me about Rotterdam.',
      'Call Anna Keller.',
    ]);
    const anna = entities.find(({ name }) => name === 'Anna Keller');
    assert.deepEqual(
      [anna?.type, anna?.mentions, anna?.aliases.toSorted()],
      ['person', 3, ['Anna', 'Dr. Anna Keller']],
    );
  });

  it('are kept apart when two share a first name', () => {
    const { entities } = namesIn(['I met Anna Keller and Anna Berg.', 'Anna called me.']);
    assert.deepEqual(entities.map(({ name }) => name).toSorted(), ['Anna', 'Anna Berg', 'Anna Keller']);
  });

  it('are related by who is spoken of, with the sentence that says so', () => {
    const { relationships } = namesIn(['My sister Mia is here. She lives in Lisbon.']);
    const lives = relationships.find(({ type }) => type === 'lives_in');
    assert.deepEqual([lives?.from, lives?.to, lives?.sentence], ['Mia', 'Lisbon', 'She lives in Lisbon.']);
    assert.ok((lives?.confidence ?? 1) < 0.7);
  });

  for (const text of [
    'Does Mia live in Lisbon?',
    'Mia does not live in Lisbon.',
    'If Mia lived in Lisbon, we would visit.',
    'Mia might work at Siemens.',
  ]) {
    it(`are not related by "${text}"`, () => assert.deepEqual(namesIn([text]).relationships, []));
  }
});
