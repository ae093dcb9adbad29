import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as check, fc } from '@fast-check/vitest';
import { describe, it } from 'vitest';
import { WordPieces } from '../../../src/gateways/speech/wordPieces.ts';

/** Made with sentencepiece 0.1.97 from texts of training/intents, in capitals: 120 pieces each. */
const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../support/voice/pieces', `${name}.model`));

/** Each character, and all that words were cut into by sentencepiece. */
const cut: Readonly<Record<'unigram' | 'bpe', Readonly<Record<string, string>>>> = {
  unigram: {
    'HEY HARK': '▁ H E Y ▁ H AR K',
    'GOOD MORNING': '▁ G O O D ▁M OR N ING',
    'TURN ON THE LIGHT': '▁T U R N ▁ ON ▁THE ▁L I G H T',
    'WHAT TIME IS IT': '▁WHAT ▁T I M E ▁IS ▁I T',
    'SHUT UP COMPUTER': '▁S H U T ▁ U P ▁C O M P U T ER',
  },
  bpe: {
    'HEY HARK': '▁ HE Y ▁H AR K',
    'GOOD MORNING': '▁ G O O D ▁M OR N IN G',
    'TURN ON THE LIGHT': '▁T U R N ▁ ON ▁THE ▁L I G H T',
    'WHAT TIME IS IT': '▁WH AT ▁T I M E ▁I S ▁I T',
    'SHUT UP COMPUTER': '▁S H U T ▁ U P ▁C O M P U T ER',
  },
};

function listed(cuts: Readonly<Record<string, string>>): string {
  const pieces = [...new Set(Object.values(cuts).flatMap((text) => text.split(' ')))];
  return ['<blk>', ...pieces].map((piece, index) => `${piece} ${index}\n`).join('');
}

describe('the pieces of words', () => {
  for (const kind of ['unigram', 'bpe'] as const)
    it(`are those that sentencepiece cuts them into (${kind}), whichever way they are written`, () => {
      const pieces = new WordPieces(listed(cut[kind]), fixture(kind));
      for (const [phrase, written] of Object.entries(cut[kind])) {
        assert.equal(pieces.write(phrase.toLowerCase())?.join(' '), written);
        assert.equal(pieces.write(` ${phrase}  `)?.join(' '), written);
      }
    });

  it('are as few as there can be, where nothing says how they are cut', () => {
    const pieces = new WordPieces('<blk> 0\n▁h 1\n▁hel 2\nlo 3\nl 4\no 5\n▁hello 6\n▁an 7\nna 8\n');
    assert.deepEqual(pieces.write('Hello Anna'), ['▁hello', '▁an', 'na']);
  });

  it('are none for what the model cannot write', () => {
    const pieces = new WordPieces('<blk> 0\n▁hello 6\n');
    for (const phrase of ['hello world', '', '  ', '<blk>', 'a'.repeat(10_000), '你好'])
      assert.equal(pieces.write(phrase), undefined);
    assert.equal(pieces.takes(['▁hello']), true);
    assert.equal(pieces.takes(['▁hello', 'x']), false);
    assert.equal(pieces.takes([]), false);
  });

  check.prop([fc.uint8Array({ maxLength: 200 }), fc.nat(1_400), fc.nat(255)])(
    'are read from whatever a file says, or the file is refused',
    (bytes, at, byte) => {
      const changed = Uint8Array.from(fixture('bpe'));
      changed[at] = byte;
      for (const model of [bytes, changed, changed.subarray(0, at)])
        try {
          new WordPieces('▁A 0\n', model).write('A');
        } catch (error) {
          assert.ok(error instanceof RangeError);
        }
    },
  );
});
