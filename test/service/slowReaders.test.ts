import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'vitest';
import { z } from 'zod';
import { type Caller, defineStream, type Listening } from '../../src/interfaces/operation.ts';
import { startOperations } from '../support/operations.ts';

const MESSAGE_BYTES = 65_536;
/** Far more than all buffers between two sockets of one machine. */
const MANY = 100;
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
  const socket = ask(rest.port, 'HTTP/1.1').pause();
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
  const said = await (await fetch(`http://127.0.0.1:${rest.port}/messages`)).text();
  assert.match(said, /"number":30,/);
  await rest.stop();
  process.off('warning', note);
  assert.deepEqual(warnings, []);
});

test('a reader that is told together with others is waited for, and hears all of it', async () => {
  const rest = await startOperations([streamOf(() => toldTogether(MANY))], { stallMs: 20_000 });
  const said = await (await fetch(`http://127.0.0.1:${rest.port}/messages`)).text();
  assert.deepEqual(numbersIn(said), numbersTo(MANY));
  await rest.stop();
});

test('a reader that is told together with others and does not read is disconnected', async () => {
  const gone = Promise.withResolvers<void>();
  const endless = ({ signal }: Caller) => {
    signal.addEventListener('abort', () => gone.resolve());
    return toldTogether(Number.MAX_SAFE_INTEGER);
  };
  const rest = await startOperations([streamOf(endless)], { stallMs: 50 });
  const socket = ask(rest.port, 'HTTP/1.1').pause();
  await gone.promise;
  socket.resume();
  await once(socket, 'close');
  await rest.stop();
});

test('a reader that knows no chunks is sent none', async () => {
  const rest = await startOperations([streamOf(() => toldTogether(MANY))]);
  const [head = '', body = ''] = (await text(ask(rest.port, 'HTTP/1.0'))).split('\r\n\r\n');
  assert.doesNotMatch(head, /chunked/i);
  assert.deepEqual(numbersIn(body), numbersTo(MANY));
  assert.doesNotMatch(body, /^[0-9a-f]+\r$/m);
  await rest.stop();
});

function ask(port: number, version: string): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET /messages ${version}\r\nHost: localhost\r\n\r\n`);
  return socket;
}

/** Nobody is told anything alone. */
function toldTogether(last: number): Listening {
  let number = 0;
  return {
    async *[Symbol.asyncIterator]() {
      yield [];
    },
    async join(tell) {
      while (number < last) {
        if (!tell([{ data: { number: ++number, filler: 'x'.repeat(MESSAGE_BYTES) } }])) return true;
      }
      return false;
    },
  };
}

const numbersTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

const numbersIn = (text: string) =>
  Array.from(text.matchAll(/"number":(\d+)/g), ([, digits]) => Number(digits));

function streamOf(messages: (caller: Caller) => Listening) {
  return defineStream({
    name: 'messages',
    area: 'test',
    device: 'never',
    summary: 'Many',
    rest: { method: 'GET', path: '/messages' },
    input: () => z.object({}),
    message: () => z.object({ number: z.number() }),
    errors: [],
    example: { input: {} },
    run: async (_input, caller) => messages(caller),
  });
}
