import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { ImportedSpeakers } from '../../../src/application/memory/importedSpeakers.ts';
import type { ImportedTurn } from '../../../src/events/memory.ts';
import { remembered } from '../../../src/projections/memory/remembered.ts';
import { aConclusion } from '../../commands/memory/sample.ts';
import { fold } from '../../support/given.ts';

const nobody = remembered.initial;
const ann = { ...nobody, profile: { name: 'Ann Miller' } };

/** "Ann: …" is said by her with the role `user`, "Ann> …" as the assistant; a line without a name by nobody named. */
function talk(...lines: readonly string[]): readonly ImportedTurn[] {
  return lines.map((line) => {
    const [, name = null, sign] = /^(\w+)([:>]) /.exec(line) ?? [];
    return { role: sign === '>' ? 'assistant' : 'user', name, text: line, at: 0 };
  });
}

/** Whose lines count as the user's. */
function own(speakers: ImportedSpeakers, turns: readonly ImportedTurn[], known = nobody) {
  const told = speakers.told(turns, known);
  assert.deepEqual(
    told.map(({ name, text }) => [name, text]),
    turns.map(({ name, text }) => [name, text]),
  );
  return [...new Set(told.flatMap(({ role, name }) => (role === 'user' ? [name] : [])))];
}

describe('who speaks with the role user in an import', () => {
  it('is the user, where there is only one', () => {
    assert.deepEqual(own(new ImportedSpeakers(), talk('Ann: a', 'Ben> b', 'Ann: c')), ['Ann']);
    assert.deepEqual(own(new ImportedSpeakers(), talk('a', 'Ben> b', 'c')), [null]);
  });

  it('is the user, where the name is known to be theirs', () => {
    const both = talk('Ben: a', 'Ann: b', 'Ben: c');
    assert.deepEqual(own(new ImportedSpeakers(), both, ann), ['Ann']);
    const drawn = aConclusion('k0', { text: "The user's name is Ann.", about: 'name', value: 'ann' });
    assert.deepEqual(own(new ImportedSpeakers(), both, fold(remembered, [drawn])), ['Ann']);
  });

  it('is the one without a name, where the others have one', () => {
    assert.deepEqual(own(new ImportedSpeakers(), talk('Ben: a', 'b', 'Ben: c', 'Cleo: d')), [null]);
  });

  it('is the one who is called just that', () => {
    assert.deepEqual(own(new ImportedSpeakers(), talk('Ben: a', 'User: b', 'Ben: c')), ['User']);
  });

  it('is the one who speaks most, and in all that follows the same', () => {
    const speakers = new ImportedSpeakers();
    assert.deepEqual(own(speakers, talk('Ben: a', 'Ann: b', 'Ann: c')), ['Ann']);
    assert.deepEqual(own(speakers, talk('Ben: a', 'Ben: b', 'Ann: c')), ['Ann']);
    assert.deepEqual(own(speakers, talk('Ben: a', 'Cleo: b')), []);
    assert.deepEqual(own(speakers, talk('ANN: a')), ['ANN']);
  });
});
