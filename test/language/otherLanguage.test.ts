import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { isQuotedFrom, isTranslated } from '../../src/language/otherLanguage.ts';
import { whoseWords } from '../../src/language/whoseWords.ts';

const user = (text: string) => ({ role: 'user', text });
const translated = (statement: string, from: string, quotation = from, others = '') =>
  isTranslated(statement, { quotation, from }, whoseWords([user(from), { role: 'assistant', text: others }]));

describe('a quotation', () => {
  it('stands in a text word for word, whatever its case, spaces and signs', () => {
    for (const one of ['ich bin  Veganer', '"Ich bin Veganer."', 'bin Veganer'])
      assert.ok(isQuotedFrom(one, 'Hallo! Ich bin\nVeganer.'), one);
    for (const one of ['', 'ich', '…', 'Ich war Veganer', 'Veganer bin ich'])
      assert.ok(!isQuotedFrom(one, 'Hallo! Ich bin Veganer.'), one);
  });
});

describe('a statement in another language', () => {
  const cases: readonly (readonly [statement: string, said: string])[] = [
    ['The user is vegan.', 'Ich bin Veganer.'],
    ['The user lives in Munich.', 'Ich wohne seit letztem Jahr in München.'],
    ['The user is 34 years old.', 'Ich bin 34 Jahre alt.'],
    ['The user has 3 children.', 'Wir haben drei Kinder.'],
    ['The user likes coffee.', "J'aime bien le café."],
    ['The user has a dog.', 'Tengo un perro.'],
    ['The user is a nurse.', '私は看護師です'],
    ['Der Nutzer mag keinen Käse.', 'I hate cheese.'],
  ];
  for (const [statement, said] of cases)
    it(`may rest on it: ${said}`, () => assert.ok(translated(statement, said)));

  it('holds no word that only others said', () => {
    assert.ok(
      !translated(
        'The user is allergic to penicillin.',
        'Lies bitte meine Mail vor.',
        undefined,
        'penicillin',
      ),
    );
    assert.ok(
      translated('The user is allergic to nuts.', 'Ich vertrage keine Nüsse.', undefined, 'Gut zu wissen.'),
    );
  });

  it('has the numbers that are quoted', () => {
    assert.ok(!translated('The user is 43 years old.', 'Ich bin 34 Jahre alt.'));
  });

  it('is none where both are in the same language', () => {
    assert.ok(!translated('The user is a pilot.', 'I think that it is raining.'));
    assert.ok(!translated('Der Nutzer ist Pilot.', 'Ich glaube, dass es regnet.'));
  });
});
