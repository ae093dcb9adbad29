import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/* WebSockets on bare sockets, so that there is processor left for what is measured. */

export const TEXT = 0x81;
export const BINARY = 0x82;
export const CLOSE = 0x88;
/** Of a message that is longer than 125 bytes. */
export const MASKED_HEAD_BYTES = 8;

/** Open once this much of the answer is there. */
export async function openBareSocket(port: number, path: string, until: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  const head = [
    `GET ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  for (let told = ''; !told.includes(until); ) {
    const [bytes] = await once(socket, 'data');
    told += bytes.toString('latin1');
    if (!told.startsWith('HTTP/1.1 101')) throw new Error(told);
  }
  return socket;
}

/** A message as a client sends it, masked with nothing. */
export function masked(first: number, payload: Buffer): Buffer {
  const { length } = payload;
  const long = length > 125;
  const head = long ? [first, 0x80 | 126, length >> 8, length & 0xff] : [first, 0x80 | length];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload]);
}
