import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { readUtterances } from '../../scripts/intents/corpus.ts';
import { endingOf, spokenWords } from '../../src/language/goingOn.ts';

const endings: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  en: {
    finished: [
      'turn on the light in the kitchen',
      'what time is it',
      'how are you',
      'is it raining?',
      'yes',
      'stop',
      'yes please',
      'set a timer for twenty minutes',
    ],
    unsure: ['', 'set a timer for twenty', 'better than it was', 'yes I do'],
    open: [
      'turn on the',
      'remind me to',
      'could you',
      'I went to the shop and',
      'what is the capital of',
      'um',
      'let me think',
      'my number is five five',
      'milk, eggs,',
      'if it rains tomorrow',
      'and then…',
    ],
  },
  de: {
    finished: ['mach das Licht an', 'wie wird das Wetter morgen', 'ja', 'danke'],
    open: ['ich habe heute mit', 'weil', 'ich möchte', 'äh', 'stell einen Wecker auf sieben und'],
  },
  fr: { finished: ['quel temps fait-il demain', 'oui'], open: ['allume la', 'je voudrais', 'euh'] },
  es: { finished: ['enciende la luz del salón', 'gracias'], open: ['pon un', 'quiero', 'porque'] },
  it: { finished: ['accendi la luce in cucina', 'va bene grazie'], open: ['vorrei', 'accendi la'] },
  nl: { finished: ['zet het licht aan', 'ja'], open: ['zet een wekker voor', 'ik wil'] },
  pt: { finished: ['liga a luz na cozinha', 'sim'], open: ['liga a', 'queria'] },
  ja: { finished: ['何ですか？'], unsure: ['明日の天気'] },
};

describe('whether words sound as if they went on', () => {
  for (const [language, expected] of Object.entries(endings))
    for (const [ending, texts] of Object.entries(expected))
      test.each(texts)(`${language}, ${ending}: %s`, (text) => {
        assert.equal(endingOf(text, { language }), ending);
      });

  test('what answers a question may be short', () => {
    assert.equal(endingOf('in the kitchen', { isAnswer: true }), 'finished');
    assert.equal(endingOf('in the', { isAnswer: true }), 'open');
  });

  test('the language is found by its small words where nobody said which it is', () => {
    assert.equal(endingOf('ich war gestern mit meinem'), 'open');
    assert.equal(endingOf('je suis allé chez'), 'open');
    assert.equal(endingOf('I was at my'), 'open');
  });

  test('most requests sound finished in the end, and few before', () => {
    const texts = readUtterances('challenge').map(({ text }) => spokenWords(text));
    const count = (of: readonly (readonly string[])[], ending: string) =>
      of.filter((words) => endingOf(words.join(' '), { language: 'en' }) === ending).length / of.length;
    const beginnings = texts.flatMap((words) => words.slice(0, -1).map((_, at) => words.slice(0, at + 1)));
    assert.ok(count(texts, 'finished') > 0.6, `${count(texts, 'finished')} of the ends`);
    assert.ok(count(texts, 'open') < 0.08, `${count(texts, 'open')} of the ends are open`);
    assert.ok(count(beginnings, 'finished') < 0.2, `${count(beginnings, 'finished')} of the beginnings`);
    assert.ok(count(beginnings, 'open') > 0.45, `${count(beginnings, 'open')} of the beginnings are open`);
  });
});
