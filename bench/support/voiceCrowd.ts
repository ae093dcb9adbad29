import { once } from 'node:events';
import { WebSocket } from 'ws';
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
  readonly #socket: WebSocket;
  readonly #frame = Buffer.alloc(HEADER_BYTES + 2 * samples);
  #sequence = 0;
  #askedAt = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    this.#frame[0] = 1;
    for (let index = 0; index < samples; index++)
      this.#frame.writeInt16LE(Math.round((Math.random() - 0.5) * NOISE), HEADER_BYTES + 2 * index);
    socket.on('message', (data) => {
      if (!String(data).includes('item_not_found')) return;
      if (this.#sequence > SETTLED) late.push(performance.now() - this.#askedAt);
      this.#askedAt = 0;
    });
  }

  static async open(): Promise<Microphone> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/audio`);
    const microphone = new Microphone(socket);
    await once(socket, 'message');
    return microphone;
  }

  async close(): Promise<void> {
    this.#socket.close(1000);
    await once(this.#socket, 'close');
  }

  send(): void {
    this.#frame.writeUInt32BE(this.#sequence, 4);
    this.#frame.writeUInt32BE(this.#sequence * samples, 8);
    this.#socket.send(this.#frame);
    if (this.#sequence++ % ASK_EVERY !== 0 || this.#askedAt > 0) return;
    this.#askedAt = performance.now();
    this.#socket.send(JSON.stringify({ type: 'conversation.item.retrieve', item_id: 'none' }));
  }
}

const microphones = await Promise.all(Array.from({ length: connections }, () => Microphone.open()));
if (isOn) {
  const began = performance.now();
  await Promise.all(
    microphones.map(async (microphone, index) => {
      // Microphones begin when they do: not all in the same moment.
      const from = began + (index * 7 * FRAME_MS) / connections;
      for (let count = 0; count < (1_000 * seconds) / FRAME_MS; count++) {
        const due = from + count * FRAME_MS - performance.now();
        if (due > 0) await new Promise((resolve) => setTimeout(resolve, due));
        microphone.send();
      }
    }),
  );
}
const times: VoiceCrowdTimes = { late99: percentile(late, 99) };
console.log(JSON.stringify(times));
if (!isOn) await once(process.stdin.resume(), 'end');
// Whoever says goodbye leaves no session behind.
await Promise.all(microphones.map((microphone) => microphone.close()));
process.exit();
