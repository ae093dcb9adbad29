import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { describe, it } from 'vitest';
import { SentenceCutter } from '../../../src/application/voice/sentences.ts';
import { speakable } from '../../../src/application/voice/speakable.ts';
import { isSlow } from '../../support/processorTime.ts';

function cut(...pieces: readonly string[]): readonly string[] {
  const cutter = new SentenceCutter();
  return [...pieces.flatMap((piece) => cutter.push(piece)), ...cutter.end()].map(({ text }) => text);
}

const trimmed = (text: string) => cut(text).map((sentence) => sentence.trim());

describe('a reply is cut into sentences', () => {
  it.each([
    ['Hello. How are you? Fine!', ['Hello.', 'How are you?', 'Fine!']],
    [
      'Dr. Smith lives at St. James St. in London. He works.',
      ['Dr. Smith lives at St. James St. in London.', 'He works.'],
    ],
    ['Das ist z.B. gut. Am 3. Mai geht es los.', ['Das ist z.B. gut.', 'Am 3. Mai geht es los.']],
    ['It costs 3.50 euros. Or 1,000.25 yen.', ['It costs 3.50 euros.', 'Or 1,000.25 yen.']],
    ['Il dit « Bonjour. » Puis il part.', ['Il dit « Bonjour. »', 'Puis il part.']],
    ['¿Qué hora es? Son las 3. ¡Vamos!', ['¿Qué hora es?', 'Son las 3. ¡Vamos!']],
    ['今日は晴れです。明日は雨です。', ['今日は晴れです。', '明日は雨です。']],
    ['J. R. R. Tolkien wrote it. Read it.', ['J. R. R. Tolkien wrote it.', 'Read it.']],
    ['1. Eggs\n2. Milk\n- Bread', ['1. Eggs', '2. Milk', '- Bread']],
    ['Go to example.com. Then wait.', ['Go to example.com.', 'Then wait.']],
    ['Wait... what? Yes.', ['Wait...', 'what?', 'Yes.']],
    [
      'Run it:\n```js\nlet a = 1. Then. b\n```\nDone.',
      ['Run it:', '```js\nlet a = 1. Then. b\n```', 'Done.'],
    ],
    ['Run it:\n\n```js\na. B\n```\nDone. Well.', ['Run it:', '```js\na. B\n```', 'Done.', 'Well.']],
    ['~~~\nlet a', ['~~~\nlet a']],
    ['No end', ['No end']],
  ])('%j', (text, sentences) => {
    assert.deepEqual(trimmed(text), sentences);
  });

  it('begins with a clause where the first sentence is long', () => {
    const [first, second] = cut(
      'When the rain has stopped in the evening, we can walk down to the river and look for the boat that you lost.',
    );
    assert.equal(first, 'When the rain has stopped in the evening, ');
    assert.ok(second?.startsWith('we can walk'));
  });

  it('gives a sentence as soon as the word after it begins', () => {
    const cutter = new SentenceCutter();
    assert.deepEqual(cutter.push('It is five. '), []);
    assert.deepEqual(
      cutter.push('W').map(({ text }) => text),
      ['It is five. '],
    );
  });

  it('looks once through a block of code, however long and in however many tokens it comes', () => {
    const lines = Array.from({ length: 20_000 }, () => 'x = 1;\n');
    const block = ['```\n', ...lines, '```\n', 'Done.'];
    // It took twenty seconds where each token was looked for in all that came before.
    assert.ok(!isSlow(() => cut(...block), 2_000));
    assert.deepEqual(cut(...block), [`\`\`\`\n${lines.join('')}\`\`\`\n`, 'Done.']);
  });

  const reply = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '. ',
          '! ',
          '? ',
          ', ',
          '\n',
          '```\n',
          '\n\n```js\n',
          ' Dr. ',
          '3. ',
          '。',
          ' z.B. ',
          '…',
          ' "',
          '»',
          '~~~',
          '`',
          '  ',
        ),
        fc.string({ maxLength: 12 }),
        fc.constantFrom('the', 'Haus', 'und', '12', 'été', '東京', 'x'),
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join(''));

  test.prop([reply, fc.array(fc.nat(200), { maxLength: 20 })])(
    'whatever it is and in whichever pieces it comes: alike, and joined it is the reply',
    (text, places) => {
      const at = [...new Set(places.filter((place) => place < text.length))].sort(
        (one, other) => one - other,
      );
      const pieces = [0, ...at].map((from, index) => text.slice(from, at[index] ?? text.length));
      const sentences = cut(...pieces);
      assert.equal(sentences.join(''), text);
      assert.deepEqual(sentences, cut(text));
    },
  );

  test.prop([fc.array(fc.constantFrom('the', 'house', 'is', 'green'), { minLength: 200, maxLength: 400 })])(
    'and none is longer than a breath',
    (words) => {
      assert.ok(cut(words.join(' ')).every((sentence) => sentence.length <= 322));
    },
  );
});

describe('a sentence is made speakable', () => {
  it.each([
    ['**Bold** and *thin* `code`', 'Bold and thin code'],
    ['## A heading', 'A heading'],
    ['- [x] Buy milk', 'Buy milk'],
    ['2) Second', '2. Second'],
    ['> Said before', 'Said before'],
    ['See [the docs](https://example.com/a?b=c).', 'See the docs.'],
    ['Go to https://www.example.com/long/path?x=1.', 'Go to example.com.'],
    ['| Name | Age |', 'Name, Age.'],
    ['|---|:--:|', ''],
    ['---', ''],
    ['Great job! 🎉👍🏽', 'Great job!'],
    ['a → b', 'a, b'],
    ['snake_case_name stays', 'snake_case_name stays'],
    ['_Thin_ words', 'Thin words'],
    ['Tom &amp; Jerry<br>', 'Tom & Jerry'],
    ['```\nx\n```', 'Here is some code.'],
    ['What?!!', 'What?'],
    ['***', ''],
    ['5 * 3 = 15', '5 3 = 15'],
  ])('%j', (text, said) => {
    assert.equal(speakable(text), said);
  });

  it('says in the language of the user that there is code', () => {
    assert.equal(speakable('```\nx\n```', 'es-MX'), 'Código.');
  });

  test.prop([fc.string({ maxLength: 2_000 })])(
    'whatever it is, without a line break and in no time',
    (text) => {
      const said = speakable(text);
      assert.ok(!/[\n*`]/.test(said));
    },
  );
});
