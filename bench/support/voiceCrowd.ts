import { once } from 'node:events';
import type { Socket } from 'node:net';
import { BINARY, CLOSE, MASKED_HEAD_BYTES, masked, openBareSocket, TEXT } from './bareSocket.ts';
import { percentile } from './measure.ts';

/*
 * A process of its own: many microphones, each of which sends its frames at the pace of time, in rooms where nobody speaks.
 * Now and then each asks for something that is answered in its turn, behind the frames before it: so late they are heard.
 */

export interface VoiceCrowd {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** Else they are there for so long as their parent wants, and send nothing. */
  readonly isOn: boolean;
}

export interface VoiceCrowdTimes {
  readonly late99: number;
}

const HEADER_BYTES = 12;
const RATE = 16;
const FRAME_MS = 20;
/** Of the level of a quiet room. */
const NOISE = 60;
const ASK_EVERY = 25;
/** Frames until what came with the beginning is over. */
const SETTLED = 150;

const { port, connections, seconds, isOn }: VoiceCrowd = JSON.parse(process.argv[2] ?? '');
const samples = FRAME_MS * RATE;
const late: number[] = [];

class Microphone {
  readonly #socket: Socket;
  readonly #frame = masked(BINARY, Buffer.alloc(HEADER_BYTES + 2 * samples));
  #sequence = 0;
  #askedAt = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#frame[MASKED_HEAD_BYTES] = 1;
    for (let index = 0; index < samples; index++)
      this.#frame.writeInt16LE(
        Math.round((Math.random() - 0.5) * NOISE),
        MASKED_HEAD_BYTES + HEADER_BYTES + 2 * index,
      );
    socket.on('data', (bytes) => {
      if (!bytes.includes('item_not_found')) return;
      if (this.#sequence > SETTLED) late.push(performance.now() - this.#askedAt);
      this.#askedAt = 0;
    });
  }

  static async open(): Promise<Microphone> {
    return new Microphone(await openBareSocket(port, '/ws/audio', 'session.created'));
  }

  async close(): Promise<void> {
    this.#socket.write(masked(CLOSE, Buffer.from([0x03, 0xe8])));
    await once(this.#socket, 'close');
  }

  send(): void {
    const frame = Buffer.from(this.#frame);
    frame.writeUInt32BE(this.#sequence, MASKED_HEAD_BYTES + 4);
    frame.writeUInt32BE(this.#sequence * samples, MASKED_HEAD_BYTES + 8);
    this.#socket.write(frame);
    if (this.#sequence++ % ASK_EVERY !== 0 || this.#askedAt > 0) return;
    this.#askedAt = performance.now();
    this.#socket.write(ASKED);
  }
}

const ASKED = masked(
  TEXT,
  Buffer.from(JSON.stringify({ type: 'conversation.item.retrieve', item_id: 'none' })),
);

const microphones = await Promise.all(Array.from({ length: connections }, () => Microphone.open()));
if (isOn) {
  const began = performance.now();
  const frames = (1_000 * seconds) / FRAME_MS;
  // They are spread over the length of a frame, as microphones begin when they do.
  for (let sent = 0; sent < frames * connections; ) {
    const due = Math.min(frames * connections, ((performance.now() - began) / FRAME_MS) * connections);
    for (; sent < due; sent++) microphones[sent % connections]?.send();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
const times: VoiceCrowdTimes = { late99: percentile(late, 99) };
console.log(JSON.stringify(times));
if (!isOn) await once(process.stdin.resume(), 'end');
// Whoever says goodbye leaves no session behind.
await Promise.all(microphones.map((microphone) => microphone.close()));
process.exit();
