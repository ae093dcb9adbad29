import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to who names none: nobody comes by one of these unasked. */
const FIRST = 20_000;
const MANY = 12_000;

let last = Math.floor(Math.random() * MANY);

/**
 * A port at which nobody listens, and which no other test is given for as long as this process lives: for servers that
 * come later, go away and come back, and for those that are never there. The UDP port of the same number holds it.
 */
export async function heldPort(): Promise<number> {
  for (let tries = 0; tries < MANY; tries++) {
    last = (last + 1) % MANY;
    const port = FIRST + last;
    if ((await holds(port)) && (await isFree(port))) return port;
  }
  throw new Error('No free port');
}

async function holds(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  try {
    socket.bind({ port, address: '127.0.0.1', exclusive: true });
    await once(socket, 'listening');
    socket.unref();
    return true;
  } catch {
    socket.close();
    return false;
  }
}

/** Not taken by a program that holds none. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
}
