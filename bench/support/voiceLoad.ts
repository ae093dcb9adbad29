import type { Socket } from 'node:net';
import { BINARY, MASKED_HEAD_BYTES, masked, openBareSocket, TEXT } from './bareSocket.ts';

/*
 * A process of its own: many WebSockets on bare sockets, which send again whenever they are answered. It reads no more of
 * what comes than where messages end, so that the server is what is measured. Says how many were answered a second.
 */

export interface VoiceLoad {
  readonly port: number;
  readonly path: string;
  readonly connections: number;
  /** How many each has under way. */
  readonly window: number;
  readonly seconds: number;
  /** Frames of 20 ms at 16 kHz, as on /ws/audio; or events with 20 ms at 24 kHz in base64, as on /v1/realtime. */
  readonly kind: 'frames' | 'events';
}

const HEADER_BYTES = 12;
const FRAME_SAMPLES = 320;
const EVENT_SAMPLES = 480;
const LENGTH = 0x7f;
const LONG = 126;

const { port, path, connections, window, seconds, kind }: VoiceLoad = JSON.parse(process.argv[2] ?? '');

const TEMPLATE = kind === 'frames' ? frame() : event();

class Caller {
  readonly #socket: Socket;
  #rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  #sequence = 0;
  /** Of what comes: one of the answers that are counted, as against what is told once. */
  answered = 0;
  isSending = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => this.#read(bytes));
  }

  static async open(): Promise<Caller> {
    return new Caller(await openBareSocket(port, path, '\r\n\r\n'));
  }

  /** So many in one go: what is measured is the server. */
  send(count: number): void {
    const messages = Buffer.allocUnsafe(count * TEMPLATE.length);
    for (let index = 0; index < count; index++) {
      const at = index * TEMPLATE.length;
      TEMPLATE.copy(messages, at);
      if (kind === 'events') continue;
      const sequence = this.#sequence++;
      messages.writeUInt32BE(sequence, at + MASKED_HEAD_BYTES + 4);
      messages.writeUInt32BE(sequence * FRAME_SAMPLES, at + MASKED_HEAD_BYTES + 8);
    }
    this.#socket.write(messages);
  }

  #read(bytes: Buffer): void {
    const data = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    let at = 0;
    let answered = 0;
    while (data.length - at >= 4) {
      const short = (data[at + 1] ?? 0) & LENGTH;
      const [head, length] = short === LONG ? [4, data.readUInt16BE(at + 2)] : [2, short];
      if (data.length - at < head + length) break;
      // Of as many bytes as a frame or an event with audio has: what is told beside them is counted by nobody.
      if (length >= 2 * FRAME_SAMPLES && this.isSending) answered++;
      at += head + length;
    }
    this.answered += answered;
    if (answered > 0) this.send(answered);
    this.#rest = data.subarray(at);
  }
}

function frame(): Buffer {
  const payload = Buffer.alloc(HEADER_BYTES + 2 * FRAME_SAMPLES, 1);
  payload.writeUInt32BE(0x01_00_00_00, 0);
  return masked(BINARY, payload);
}

function event(): Buffer {
  const audio = Buffer.alloc(2 * EVENT_SAMPLES, 1).toString('base64');
  return masked(TEXT, Buffer.from(JSON.stringify({ type: 'input_audio_buffer.append', audio })));
}

const callers = await Promise.all(Array.from({ length: connections }, () => Caller.open()));
for (const caller of callers) {
  caller.isSending = true;
  caller.send(window);
}
await new Promise((resolve) => setTimeout(resolve, 500));
const answered = () => callers.reduce((sum, caller) => sum + caller.answered, 0);
const before = answered();
const from = performance.now();
await new Promise((resolve) => setTimeout(resolve, 1_000 * seconds));
const perSecond = (answered() - before) / ((performance.now() - from) / 1_000);
console.log(JSON.stringify({ perSecond }));
process.exit();
