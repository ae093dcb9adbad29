import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { readable } from '../../../src/application/chat/toolOutput.ts';

const NOTE = /\n\[Cut here: [^\]]*\]$/;

/** All that JSON can write, and what it leaves out or writes otherwise. */
const anything = fc.anything({ withDate: true, withNullPrototype: true, maxDepth: 4 }).filter((value) => {
  const isOwn = typeof value !== 'string' && value !== undefined;
  return isOwn && JSON.stringify(value) !== undefined;
});

describe('what a tool gave', () => {
  it.prop([anything])('is written as JSON.stringify writes it, when it fits', (value) => {
    assert.equal(readable(value, 1_000_000), JSON.stringify(value));
  });

  it.prop([anything, fc.nat(50)])(
    'is otherwise the beginning of that, as long as may be, with a note',
    (value, most) => {
      const whole = JSON.stringify(value);
      const text = readable(value, most);
      if (whole.length <= most) return assert.equal(text, whole);
      assert.match(text, NOTE);
      const kept = text.replace(NOTE, '');
      assert.ok(kept.length <= most && kept.length >= most - 1);
      assert.ok(text.isWellFormed());
    },
  );

  it.prop([fc.string({ unit: 'binary', maxLength: 60 }), fc.nat(60)])(
    'is text as it is, but for halves of characters; cut, it says how much is missing',
    (text, most) => {
      const got = readable(text, most);
      assert.ok(got.isWellFormed());
      if (text.length <= most) return assert.equal(got, text.toWellFormed());
      const [note = ''] = NOTE.exec(got) ?? [];
      const kept = got.replace(NOTE, '');
      assert.ok(text.toWellFormed().startsWith(kept));
      assert.equal(kept.length + Number(/\d+/.exec(note)?.[0]), text.length);
    },
  );

  it('is a word where there is none, and no endless one', () => {
    assert.equal(readable(undefined, 100), '(no output)');
    assert.equal(
      readable(() => 1, 100),
      '(no output)',
    );
    const circle: Record<string, unknown> = {};
    circle.again = circle;
    assert.throws(() => readable(circle, 1_000_000), TypeError);
    assert.match(readable(circle, 100), NOTE);
  });

  it('is not looked at beyond what is kept of it', () => {
    let seen = 0;
    const item = { toJSON: () => `number ${seen++}` };
    readable(new Array(100_000).fill({ list: new Array(100_000).fill(item) }), 1_000);
    assert.ok(seen < 100, `${seen}`);
  });
});
