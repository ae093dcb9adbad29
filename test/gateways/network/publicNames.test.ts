import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, it } from 'vitest';
import { addressesOfPublicName } from '../../../src/gateways/network/publicNames.ts';

const A = 1;
const AAAA = 28;
const NO_SUCH_NAME = 3;

/** A name server that has these answers, each the bytes of an address; it says nothing where it has none. */
async function nameServer(answers: Readonly<Record<number, readonly number[] | 'unknown'>>) {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const answer = answers[question.readUInt16BE(question.length - 4)];
    if (!answer) return;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 + (answer === 'unknown' ? NO_SUCH_NAME : 0), 2);
    header.writeUInt16BE(answer === 'unknown' ? 0 : 1, 6);
    header.writeUInt32BE(0, 8);
    const told = answer === 'unknown' ? [] : [recordOf(question, answer)];
    socket.send(Buffer.concat([header, question, ...told]), from.port);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

function recordOf(question: Buffer, address: readonly number[]): Buffer {
  const typeAndClass = question.subarray(-4);
  return Buffer.from([0xc0, 12, ...typeAndClass, 0, 0, 0, 60, 0, address.length, ...address]);
}

describe('the addresses of a name', () => {
  let server: Socket;
  afterEach(() => server.close());
  const ask = () => addressesOfPublicName('hooks.example.com', [`127.0.0.1:${server.address().port}`]);
  const four = { address: '93.184.216.34', family: 4 };
  const six = { address: '2606:4700::1', family: 6 };
  const bytesOfSix = [0x26, 6, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];

  it('are those of both kinds', async () => {
    server = await nameServer({ [A]: [93, 184, 216, 34], [AAAA]: bytesOfSix });
    assert.deepEqual(await ask(), [four, six]);
  });

  it('are those of one kind, where there are no others', async () => {
    server = await nameServer({ [A]: 'unknown', [AAAA]: bytesOfSix });
    assert.deepEqual(await ask(), [six]);
  });

  it('are none, where nobody knows of any', async () => {
    server = await nameServer({ [A]: 'unknown', [AAAA]: 'unknown' });
    await assert.rejects(ask(), { code: 'ENOTFOUND' });
  });
});
