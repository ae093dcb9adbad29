import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe, test } from 'vitest';
import { maskSecrets } from '../../src/language/masking.ts';

const none = { secrets: 0, cards: 0, ids: 0 };

describe('what must not be written', () => {
  const cases: readonly (readonly [said: string, written: string, Partial<typeof none>])[] = [
    ['my card is 4111 1111 1111 1111, ok?', 'my card is [card number], ok?', { cards: 1 }],
    ['5500-0000-0000-0004 and 340000000000009', '[card number] and [card number]', { cards: 2 }],
    ['card 4111 1111 1111 1111 12/27 123', 'card [card number] 12/27 123', { cards: 1 }],
    ['four one one one one one one one one one one one one one one one', '[card number]', { cards: 1 }],
    ['the password is hunter2.', 'the password is [secret]', { secrets: 1 }],
    ['mein Passwort lautet Sommer2024!', 'mein Passwort lautet [secret]', { secrets: 1 }],
    ['the pin is 4711', 'the pin is [secret]', { secrets: 1 }],
    ['sk-abcdefghijklmnopqrstuvwxyz123456', '[secret]', { secrets: 1 }],
    ['AKIAABCDEFGHIJKLMNOP', '[secret]', { secrets: 1 }],
    ['postgres://bob:pa55@db/x', 'postgres://bob:[secret]@db/x', { secrets: 1 }],
    ['send it to DE89 3704 0044 0532 0130 00', 'send it to [id number]', { ids: 1 }],
    ['ssn 123-45-6789', 'ssn [id number]', { ids: 1 }],
    ['my passport number is C01X00T47', 'my passport number is [id number]', { ids: 1 }],
    ['AB 12 34 56 C', '[id number]', { ids: 1 }],
  ];
  for (const [said, written, masked] of cases)
    test(`is masked and counted: ${said}`, () =>
      assert.deepEqual(maskSecrets(said), { text: written, masked: { ...none, ...masked } }));

  for (const said of [
    'my password is strong',
    'call me at 030 1234567',
    'order 4111111111111112',
    'it was in 1984, room 123, 20 degrees',
    'my passport is in the drawer',
    '1111 1111 1111 1111',
  ])
    test(`is not what is none: ${said}`, () =>
      assert.deepEqual(maskSecrets(said), { text: said, masked: none }));

  const digits = fc.array(fc.nat(9), { minLength: 12, maxLength: 18 }).map(withCheck);
  const around = fc.constantFrom('', 'my card: ', 'und dann ', '… ');
  it.prop([digits, around, fc.constantFrom('', ' ', '-'), fc.constantFrom('', '.', ' please', ' 12/27')])(
    'is every number that may be a card, however it is written',
    (card, before, between, after) => {
      if (/^(\d)\1*$/.test(card)) return;
      const written = card.replace(/(\d{4})(?=\d)/g, `$1${between}`);
      const { text, masked } = maskSecrets(`${before}${written}${after}`);
      assert.ok(masked.cards >= 1, text);
      assert.ok(!text.includes(written));
    },
  );

  it.prop([fc.string({ unit: 'grapheme' })])('is masked once and for all', (said) => {
    const { text } = maskSecrets(said);
    assert.equal(maskSecrets(text).text, text);
  });
});

/** With the digit that makes it a card. */
function withCheck(digits: readonly number[]): string {
  const sum = digits.toReversed().reduce((all, digit, place) => {
    const counted = place % 2 === 0 ? digit * 2 : digit;
    return all + (counted > 9 ? counted - 9 : counted);
  }, 0);
  return [...digits, (10 - (sum % 10)) % 10].join('');
}
