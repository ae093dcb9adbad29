import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { z } from 'zod';
import { defineStream, type StreamMessage } from '../../src/interfaces/operation.ts';
import { startOperations } from '../support/operations.ts';

const MESSAGE_BYTES = 65_536;
/** Far more than all buffers between two sockets of one machine. */
const MOST_BYTES = 64 * 1_048_576;

test('a reader that does not read costs little and is disconnected', async () => {
  let made = 0;
  const ended = Promise.withResolvers<void>();
  async function* endless() {
    try {
      for (;;) yield [{ data: { number: ++made, filler: 'x'.repeat(MESSAGE_BYTES) } }];
    } finally {
      ended.resolve();
    }
  }
  const rest = await startOperations([streamOf(endless)], { stallMs: 50 });
  const socket = connect(rest.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write('GET /messages HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await ended.promise;
  assert(made * MESSAGE_BYTES < MOST_BYTES, `${made} messages were made`);
  socket.resume();
  await once(socket, 'close');
  await rest.stop();
});

test('a reader that keeps up leaves nothing behind with each batch', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  async function* many() {
    for (let number = 1; number <= 30; number++)
      yield [{ data: { number, filler: 'x'.repeat(MESSAGE_BYTES) } }];
  }
  const rest = await startOperations([streamOf(many)], { stallMs: 20_000 });
  const text = await (await fetch(`http://127.0.0.1:${rest.port}/messages`)).text();
  assert.match(text, /"number":30,/);
  await rest.stop();
  process.off('warning', note);
  assert.deepEqual(warnings, []);
});

function streamOf(messages: () => AsyncIterable<readonly StreamMessage[]>) {
  return defineStream({
    name: 'messages',
    area: 'test',
    summary: 'Many',
    rest: { method: 'GET', path: '/messages' },
    input: z.object({}),
    message: z.object({ number: z.number() }),
    errors: [],
    example: { input: {} },
    run: async () => messages(),
  });
}
