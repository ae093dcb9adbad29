import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { forgettingIn, speaksOf } from '../../src/language/forgotten.ts';
import { readConversation } from '../../src/language/readConversation.ts';
import { isAssent, requestsIn } from '../../src/language/requests.ts';

const turnsOf = (...texts: readonly string[]) =>
  texts.map((text, at) => ({ role: 'user', text, at: Date.UTC(2027, 0, 1) + at }));
const told = (...texts: readonly string[]) =>
  readConversation({ turns: turnsOf(...texts) }).statements.map(({ text }) => text);

describe('what a user asks to be forgotten', () => {
  it('is never evidence of it', () => {
    assert.deepEqual(told('Forget that I love coffee.'), []);
    assert.deepEqual(told('I live in Oslo, and forget that I love coffee.'), ['The user lives in Oslo.']);
    assert.deepEqual(told('Forget that, I live in Oslo now.'), ['The user lives in Oslo.']);
  });

  it('takes back what was said of it before in the same conversation, and nothing else', () => {
    const said = told('I love coffee. I live in Oslo.', 'Please forget that I love coffee.');
    assert.deepEqual(said, ['The user lives in Oslo.']);
    assert.deepEqual(told('I love coffee.', 'Forget that.', 'I live in Oslo.'), ['The user lives in Oslo.']);
    assert.deepEqual(told('Forget that I love coffee.', 'I love coffee.'), ['The user likes coffee.']);
  });

  it('is not asked by what a user only shows, by anybody else, or where it is only talked about', () => {
    for (const text of [
      'He wrote "forget that I love coffee" to me.',
      '> Forget that I love coffee.\nWhat does he mean?',
      'Write a story. Forget that I love coffee, says the hero.',
      "Don't forget that I love coffee.",
    ])
      assert.ok(!requestsIn(text).some(({ kind }) => kind === 'forget'), text);
    const isForgotten = forgettingIn([
      { role: 'user', text: 'I love coffee.' },
      { role: 'assistant', text: 'Forget that I love coffee.' },
      { role: 'prompt', text: 'Forget that I love coffee.' },
    ]);
    assert.ok(!isForgotten('The user likes coffee.', 0));
  });

  it('is known by what it is about, whatever it is called to stand to it', () => {
    assert.ok(speaksOf('The user likes coffee.', 'I love coffee'));
    assert.ok(speaksOf("The user's sister lives in Oslo.", 'my sister'));
    assert.ok(!speaksOf('The user likes tea.', 'I love coffee'));
    assert.ok(!speaksOf('The user likes tea.', ''));
  });
});

describe('a yes', () => {
  it('is a yes in many languages, and nothing but that', () => {
    for (const text of ['Yes', 'yes, please', 'Ja, vergiss das bitte', 'Oui !', 'Sí', 'да', 'OK, forget it'])
      assert.ok(isAssent(text), text);
    for (const text of [
      'No',
      'Yes but keep the first',
      "OK, what's the weather?",
      'Yesterday',
      'ok thanks, read my mail',
    ])
      assert.ok(!isAssent(text), text);
  });
});
