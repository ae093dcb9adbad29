import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { describe } from 'vitest';
import { SseParser } from '../../../src/interfaces/cli/eventStream.ts';

const stream = [
  ': heartbeat\n\n',
  'id: 1\nevent: config:changed\ndata: {"a":1}\n\n',
  'id: 2\r\nevent: x\r\ndata: one\r\ndata: two\r\n\r\n',
  'data:without a space\n\n',
  'id: 7\n\n',
  'event: forgotten\n\n',
  'data: last\n\n',
  'id: 8\ndata: never finished',
].join('');

const messages = [
  { id: '1', event: 'config:changed', data: '{"a":1}' },
  { id: '2', event: 'x', data: 'one\ntwo' },
  { id: '2', event: 'message', data: 'without a space' },
  { id: '7', event: 'message', data: 'last' },
];

describe('server-sent events', () => {
  test.prop([fc.array(fc.nat(stream.length), { maxLength: 20 })])(
    'are the same however the text is cut into pieces',
    (cuts) => {
      const parser = new SseParser();
      const places = [0, ...cuts.sort((a, b) => a - b), stream.length];
      const pieces = places.slice(1).map((end, index) => stream.slice(places[index], end));
      assert.deepEqual(
        pieces.flatMap((piece) => [...parser.push(piece)]),
        messages,
      );
      assert.equal(parser.lastId, '7', 'an id alone counts, one of an unfinished message does not');
    },
  );
});
