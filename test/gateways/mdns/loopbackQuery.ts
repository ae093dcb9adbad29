import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

const GROUP = '224.0.0.251';
const PORT = 5353;
const PTR = 12;
/** Far longer than what was sent needs to come back: only where nothing comes is it waited out. */
const NOTHING_COMES_MS = 10_000;

/** One that asks and listens by mDNS, on the loopback interface alone. */
export class LoopbackListener {
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Undefined where this machine carries no multicast on its loopback interface. */
  static async open(): Promise<LoopbackListener | undefined> {
    const socket = createSocket({ type: 'udp4', reuseAddr: true });
    try {
      socket.bind(PORT);
      await once(socket, 'listening');
      socket.addMembership(GROUP, '127.0.0.1');
      socket.setMulticastInterface('127.0.0.1');
      const listener = new LoopbackListener(socket);
      listener.#send(question('_probe._tcp.local'));
      const heard = listener.hears((message) => message.includes('_probe'));
      if (await Promise.race([heard, wait(NOTHING_COMES_MS, undefined, { ref: false })])) return listener;
    } catch {
      // There is none.
    }
    socket.close();
    return undefined;
  }

  ask(service: string): void {
    this.#send(question(service));
  }

  /** The next message that a test waits for; its bytes as characters. */
  async hears(isWanted: (message: string) => boolean): Promise<string> {
    for (;;) {
      const [bytes] = await once(this.#socket, 'message');
      const message = Buffer.from(bytes).toString('latin1');
      if (isWanted(message)) return message;
    }
  }

  close(): void {
    this.#socket.close();
  }

  #send(message: Buffer): void {
    this.#socket.send(message, PORT, GROUP);
  }
}

/** RFC 1035: a header with one question, and that. */
function question(name: string): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt16BE(1, 4);
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([header, ...labels, Buffer.from([0, 0, PTR, 0, 1])]);
}

/** Whether it answers something, rather than ask. */
export function isAnswer(message: string): boolean {
  return (message.charCodeAt(2) & 0x80) !== 0;
}

/** How long its first answer may be kept: none is taken back. */
export function firstLifetime(message: string): number {
  const bytes = Buffer.from(message, 'latin1');
  let at = 12;
  for (let questions = bytes.readUInt16BE(4); questions > 0; questions--) at = afterName(bytes, at) + 4;
  return bytes.readUInt32BE(afterName(bytes, at) + 4);
}

function afterName(bytes: Buffer, from: number): number {
  let at = from;
  for (let length = bytes.readUInt8(at); length !== 0; length = bytes.readUInt8(at)) {
    if (length >= 0xc0) return at + 2;
    at += length + 1;
  }
  return at + 1;
}
