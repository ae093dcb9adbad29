import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { describe } from 'vitest';
import { EventFrames, type Frames, LineFrames } from '../../../src/gateways/models/frames.ts';

const data = fc.array(
  fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => JSON.stringify(text)),
  { maxLength: 8 },
);
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 20 });

/** Piece by piece, in sizes that come round again. */
function framesOf(frames: Frames, text: string, sizes: readonly number[]): readonly string[] {
  const found: string[] = [];
  for (let start = 0, piece = 0; start < text.length; piece++) {
    const end = start + (sizes[piece % sizes.length] ?? 1);
    frames.push(text.slice(start, end), found);
    start = end;
  }
  frames.end(found);
  return found;
}

describe('frames are the same however the network cuts them', () => {
  const between = fc.constantFrom('', ': comment\n', 'event: some\n', 'id: 7\n', '<html>\n', 'data\n');

  test.prop([data, fc.array(between, { minLength: 8, maxLength: 8 }), lineEnd, cuts])(
    'as server-sent events, with any ends of lines and with what is none of them between',
    (texts, noise, end, sizes) => {
      const sent = texts
        .map((text, index) => `${noise[index]}data:${index % 2 === 0 ? ' ' : ''}${text}\n\n`)
        .join('');
      assert.deepEqual(framesOf(new EventFrames(), sent.replaceAll('\n', end), sizes), texts);
    },
  );

  test.prop([data, fc.boolean(), cuts])(
    'as lines, the last of which may lack its end',
    (texts, ended, sizes) => {
      const sent = texts.join('\n') + (ended ? '\n\n' : '');
      assert.deepEqual(framesOf(new LineFrames(), sent, sizes), texts);
    },
  );

  test('data in several lines is one frame, and an event that is not ended none', () => {
    assert.deepEqual(framesOf(new EventFrames(), 'data: {\ndata: }\n\ndata: half', [3]), ['{\n}']);
  });
});
