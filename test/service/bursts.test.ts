import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'vitest';
import { z } from 'zod';
import { defineOperation } from '../../src/interfaces/operation.ts';
import { startOperations } from '../support/operations.ts';

const MANY = 20;

test('requests that come in the same moment leave time to others, and all are answered in their order', async () => {
  const done: string[] = [];
  const rest = await startOperations([
    defineOperation({
      name: 'busy',
      area: 'test',
      device: 'never',
      summary: 'Takes a millisecond',
      rest: { method: 'GET', path: '/busy' },
      input: () => z.object({ number: z.string() }),
      output: () => z.object({ number: z.string() }),
      errors: [],
      example: { input: { number: '0' } },
      run: (input) => {
        if (done.length === 0) setImmediate(() => done.push('another'));
        for (const started = performance.now(); performance.now() - started < 1; );
        done.push(input.number);
        return input;
      },
    }),
  ]);
  const numbers = Array.from({ length: MANY }, (_, number) => String(number));
  const asked = numbers.map((number) => {
    const connection = number === numbers.at(-1) ? 'close' : 'keep-alive';
    return `GET /busy?number=${number} HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`;
  });
  const socket = connect(rest.port, '127.0.0.1');
  // In one piece: the server finds all of them in what it reads at once.
  socket.write(asked.join(''));
  const answered = Array.from((await text(socket)).matchAll(/"number":"(\d+)"/g), ([, number]) => number);
  await rest.stop();
  assert.deepEqual(answered, numbers);
  const before = done.indexOf('another');
  assert.ok(before >= 1 && before <= 6, `after ${before} of ${MANY}`);
});
