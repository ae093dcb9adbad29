import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { responseImportance } from '../../src/language/importance.ts';
import { readConversation } from '../../src/language/readConversation.ts';
import { sameFact } from '../../src/language/sameFact.ts';
import { sentencesOf } from '../../src/language/sentences.ts';
import { summaryOf } from '../../src/language/summary.ts';

const AT = Date.UTC(2026, 10, 18, 12);

/** Turns of a user and an assistant, the user first. */
const talk = (...texts: readonly string[]) => ({
  turns: texts.map((text, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', text, at: AT + index })),
});

const moving = talk(
  'Hi there!',
  'Hello! How can I help?',
  "I'm moving to Lisbon in March and need a checklist. My sister Mia lives there and works at Siemens.",
  'Great! For a move to Lisbon you need a NIF tax number, a rental contract and health insurance. Start with the NIF.',
  "I decided to rent in Alfama. By the way, I'm allergic to cats, so no flat with cats.",
  'Noted: Alfama, and no cats.',
  'Thanks!',
  'You are welcome.',
);

describe('a conversation', () => {
  const read = readConversation(moving);

  it('is summed up by what was said, and by whom, without the greetings', () => {
    assert.match(read.summary, /User: .*Lisbon/);
    assert.match(read.summary, /allergic to cats/);
    assert.doesNotMatch(read.summary, /Hi there|Thanks|welcome/);
    for (const sentence of read.summary.split(/(?:^| )(?:User|Assistant): /).filter(Boolean)) {
      const [start = ''] = sentencesOf(sentence).map(({ text }) => text);
      assert.ok(
        moving.turns.some(({ text }) => text.includes(start)),
        start,
      );
    }
  });

  it('is about its subject', () => {
    assert.ok(
      read.keywords.some((word) => word.includes('Lisbon')),
      read.keywords.join(),
    );
    assert.ok(read.topic.length > 0);
  });

  it('matters, and says why in kinds alone', () => {
    assert.equal(read.trivial, false);
    assert.ok(read.importance >= 6, String(read.importance));
    assert.deepEqual(
      read.reasons.filter((reason) => /allergic|Lisbon|Mia/.test(reason)),
      [],
    );
    assert.ok(read.reasons.includes('health') && read.reasons.includes('decision'));
  });

  it('names who and what is spoken of', () => {
    const named = read.entities.map(({ name, type }) => `${name}:${type}`);
    for (const wanted of ['Mia:person', 'Lisbon:place', 'Siemens:organization'])
      assert.ok(named.includes(wanted), named.join());
    const related = read.relationships.map(({ from, type, to }) => `${from} ${type} ${to}`);
    for (const wanted of ['Mia sister_of user', 'Mia works_at Siemens'])
      assert.ok(related.includes(wanted), related.join());
  });

  it('tells the turn of each statement', () => {
    assert.deepEqual(
      read.statements.filter(({ slot }) => slot.startsWith('allergy')).map(({ turn }) => turn),
      [4],
    );
  });
});

describe('what is read of a conversation', () => {
  it('is nothing that the assistant said of itself', () => {
    const { statements } = readConversation(
      talk('Who are you?', 'My name is Bot and I live in a computer in Oslo.'),
    );
    assert.deepEqual(statements, []);
  });

  it('is nothing that was said while a role was played', () => {
    const played = talk(
      "Let's role-play: I am a wizard.",
      'Welcome, wizard.',
      'My name is Merlin and I live in Avalon.',
      'I see.',
    );
    assert.deepEqual(readConversation(played).statements, []);
    const over = talk(
      "Let's play a game, I am a king.",
      'Yes, sire.',
      'I live in a castle.',
      'Yes.',
      'Stop the game. I live in Oslo.',
    );
    assert.deepEqual(
      readConversation(over).statements.map(({ value }) => value),
      ['Oslo'],
    );
  });

  it('is said once when it was said twice, and both when it changed', () => {
    const { statements } = readConversation(
      talk(
        'I live in Oslo.',
        'Nice.',
        'As I said, I live in Oslo.',
        'Yes.',
        'Actually, I live in Bergen now.',
      ),
    );
    assert.deepEqual(
      statements.map(({ value, type }) => [value, type]),
      [
        ['Oslo', 'explicit'],
        ['Bergen', 'corrected'],
      ],
    );
  });

  it('is trivial for small talk, and of no language it does not know anything wrong', () => {
    for (const texts of [['hi', 'Hello!', 'thanks', 'Bye!'], ['ok', 'Good.'], [], ['👍', '🙂']]) {
      const read = readConversation(talk(...texts));
      assert.deepEqual([read.trivial, read.summary, read.statements], [true, '', []]);
      assert.ok(read.importance < 2);
    }
    const german = readConversation(
      talk('Ich wohne in Berlin und habe eine Schwester, die Mia heißt.', 'Schön!'),
    );
    assert.deepEqual(german.statements, []);
    assert.match(german.summary, /Ich wohne in Berlin/);
  });

  it('has names of who spoke where there are some', () => {
    const turns = [{ role: 'user', name: 'Ravi', text: 'We decided to paint the boat blue.', at: AT }];
    assert.equal(summaryOf(turns), 'Ravi: We decided to paint the boat blue.');
  });

  it('counts the space between two parts', () => {
    const turns = ['live no longer', '10,000 no longer'].map((text, index) => ({
      role: index % 2 ? 'assistant' : 'user',
      text,
    }));
    const whole = 'User: live no longer Assistant: 10,000 no longer';
    assert.equal(summaryOf(turns, whole.length), whole);
    assert.ok(summaryOf(turns, whole.length - 1).length < whole.length);
  });
});

describe('an answer of the assistant', () => {
  const long =
    'Photosynthesis has two stages. First, the light reactions in the Thylakoid membranes split ' +
    'water and make ATP and NADPH, because chlorophyll absorbs photons near 430 and 662 nm. ' +
    'Second, the Calvin cycle in the Stroma uses them to fix CO2 into sugar, with the enzyme ' +
    'Rubisco, discovered by Wildman in 1947. Overall, six molecules of CO2 and six of water give ' +
    'one glucose and six oxygen. Plants such as Maize avoid photorespiration with the C4 ' +
    'pathway, which concentrates carbon dioxide in bundle sheath cells. Therefore they grow well ' +
    'in heat, while Wheat and Rice lose up to 25 percent of fixed carbon in summer.';

  it('that explains at length is worth being kept', () => {
    assert.ok(responseImportance('How does photosynthesis work in plants?', long).importance >= 6);
    const read = readConversation(talk('Hello', 'Hi', 'How does photosynthesis work in plants?', long));
    assert.ok(read.answer && read.answer.importance >= 6);
    assert.equal(readConversation(talk('How does photosynthesis work?')).answer, null);
  });

  for (const short of [
    'Yes.',
    'I am sorry, I cannot help with that.',
    'Sure! Let me know if you need anything else.',
  ]) {
    it(`is not: "${short}"`, () =>
      assert.ok(responseImportance('How does photosynthesis work in plants?', short).importance < 6));
  }
});

describe('the same fact', () => {
  for (const [one, other, same] of [
    ['The user lives in Oslo.', 'the user lives in oslo', true],
    ['The user likes dark chocolate.', 'The user likes dark chocolates.', true],
    ['The user lives in Oslo.', 'The user lives in Bergen.', false],
    ['The user likes olives.', 'The user does not like olives.', false],
    ['The user is 34 years old.', 'The user is 35 years old.', false],
  ] as const) {
    it(`${one} ${same ? '=' : '≠'} ${other}`, () =>
      assert.equal(sameFact({ text: one }, { text: other }), same));
  }

  it('goes by slot and value where both have them', () => {
    const fact = (slot: string, value: string) => ({ slot, value, text: `${slot} ${value}` });
    assert.equal(sameFact(fact('home.city', 'Oslo'), fact('home.city', 'oslo')), true);
    assert.equal(sameFact(fact('home.city', 'Oslo'), fact('home.origin', 'Oslo')), false);
  });
});
