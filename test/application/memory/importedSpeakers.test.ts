import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { ImportedSpeakers } from '../../../src/application/memory/importedSpeakers.ts';
import type { ImportedTurn } from '../../../src/events/episodes.ts';
import { remembered } from '../../../src/projections/memory/remembered.ts';
import { aConclusion } from '../../commands/memory/sample.ts';
import { fold } from '../../support/given.ts';

const nobody = remembered.initial;
const ann = { ...nobody, profile: { name: 'Ann Miller' } };

/** "Ann: …" is said by her with the role `user`, "Ann> …" as the assistant; a line without a name by nobody named. */
function talk(...lines: readonly string[]): readonly ImportedTurn[] {
  return lines.map((line) => {
    const [, name = null, sign] = /^([\w ]+)([:>]) /.exec(line) ?? [];
    return { role: sign === '>' ? 'assistant' : 'user', name, text: line, at: 0 };
  });
}

type Talk = readonly ImportedTurn[];

/** Whose lines count as the user's in each conversation of an import. */
async function own(
  talks: readonly Talk[],
  { known = nobody, said }: { known?: typeof nobody; said?: string } = {},
) {
  const items = talks.map((turns) => ({ kind: 'conversation', turns }));
  const speakers = await ImportedSpeakers.among(items, said);
  return talks.map((turns) => {
    const told = speakers.told(turns, known);
    assert.deepEqual(
      told.map(({ name, text }) => [name, text]),
      turns.map(({ name, text }) => [name, text]),
    );
    return [...new Set(told.flatMap(({ role, name }) => (role === 'user' ? [name] : [])))];
  });
}

describe('who speaks with the role user in an import', () => {
  const both = talk('Ben: a', 'Ann: b', 'Ben: c');

  it('is the user, where there is only one', async () => {
    assert.deepEqual(await own([talk('Ann: a', 'Ben> b', 'Ann: c'), talk('ANN: d')]), [['Ann'], ['ANN']]);
    assert.deepEqual(await own([talk('a', 'Ben> b', 'c')]), [[null]]);
  });

  it('is the user, where the import says that the name is theirs, and nobody else', async () => {
    assert.deepEqual(await own([both, talk('Cleo: d'), talk('e')], { said: 'ann' }), [['Ann'], [], [null]]);
    assert.deepEqual(await own([both], { known: ann, said: 'Ben' }), [['Ben']]);
  });

  it('is the user, where the name is known to be theirs', async () => {
    assert.deepEqual(await own([both], { known: ann }), [['Ann']]);
    const drawn = aConclusion('k0', { text: "The user's name is Ann.", about: 'name', value: 'ann' });
    assert.deepEqual(await own([both], { known: fold(remembered, [drawn]) }), [['Ann']]);
  });

  it('is the one without a name, where the others have one', async () => {
    assert.deepEqual(await own([talk('Ben: a', 'b', 'Ben: c', 'Cleo: d')]), [[null]]);
  });

  it('is the one who is called just that', async () => {
    assert.deepEqual(await own([talk('Ben: a', 'User: b', 'Ben: c')]), [['User']]);
  });

  it('may be called by less or more of their name', async () => {
    assert.deepEqual(await own([talk('Ann: a'), talk('Ann Miller: b')]), [['Ann'], ['Ann Miller']]);
    const namesakes = talk('Ann Miller: a', 'Ann Smith: b');
    assert.deepEqual(await own([namesakes], { said: 'Ann' }), [[]]);
    assert.deepEqual(await own([namesakes], { known: ann }), [['Ann Miller']]);
  });

  it('is nobody, where there are several names, in one conversation or in those of an import', async () => {
    assert.deepEqual(await own([both]), [[]]);
    assert.deepEqual(await own([talk('Ann: a', 'Ann: b', 'Ben: c')]), [[]]);
    assert.deepEqual(await own([talk('Ben: a'), talk('Ann: b', 'Cleo> c')]), [[], []]);
  });
});
