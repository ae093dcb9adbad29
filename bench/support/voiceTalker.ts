import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { WebSocket } from 'ws';
import { z } from 'zod';

/*
 * A process of its own: somebody who talks with the service at the pace of time, in frames of 20 ms as a microphone gives
 * them, and listens as a loudspeaker plays. It says, turn by turn, how long they waited for an answer, or how long an
 * interrupted answer went on.
 */

export interface Talk {
  readonly port: number;
  /** Files of samples at 16 kHz: one after the other, and then again from the first. */
  readonly utterances: readonly string[];
  readonly turns: number;
  readonly turnDetection: Readonly<Record<string, unknown>>;
  /** Said into each answer, this long after its first sample: the same one that the first turn heard out. */
  readonly interruption?: { readonly utterance: string; readonly afterMs: number } | undefined;
}

/** Each in milliseconds, a figure a turn. */
export interface TalkTimes {
  /** From the last audible sample of the question to the first of the answer. */
  readonly answered: readonly number[];
  /** From the first audible sample of what interrupted it to the first sample that is lowered, and to the last one. */
  readonly lowered: readonly number[];
  readonly ended: readonly number[];
  /** What was understood. */
  readonly heard: readonly string[];
}

const RATE = 16;
const FRAME_MS = 20;
const FRAME = FRAME_MS * RATE;
const HEADER_BYTES = 12;
const AUDIBLE = 330;
const LOWERED = 0.3;

const told = z.looseObject({
  type: z.string(),
  transcript: z.string().optional(),
  error: z.unknown().optional(),
});

const talk: Talk = JSON.parse(process.argv[2] ?? '');

interface Piece {
  readonly at: number;
  readonly samples: Int16Array;
}

class Talker {
  readonly #socket: WebSocket;
  #sequence = 0;
  #offset = 0;
  /** What is to be said yet; silence behind it. */
  #saying: Int16Array = new Int16Array();
  #said = 0;
  /** When the first sample of what is said now was spoken. */
  saidSince = 0;
  #ticks: NodeJS.Timeout | undefined;
  #from = 0;
  #sent = 0;
  pieces: Piece[] = [];
  readonly heard: string[] = [];
  #waiting = new Map<string, () => void>();

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data, isBinary) => {
      if (!Buffer.isBuffer(data)) return;
      if (isBinary) this.#hear(data);
      else this.#tell(told.parse(JSON.parse(data.toString())));
    });
  }

  begin(): void {
    this.#from = performance.now();
    const send = () => {
      // A frame goes when its last sample was spoken.
      for (; this.#from + (this.#sent + 1) * FRAME_MS <= performance.now(); this.#sent++) this.#frame();
      const due = this.#from + (this.#sent + 1) * FRAME_MS - performance.now();
      this.#ticks = setTimeout(send, Math.max(1, due));
    };
    send();
  }

  say(samples: Int16Array): void {
    this.#saying = samples;
    this.#said = 0;
    this.saidSince = this.#from + this.#sent * FRAME_MS;
  }

  send(event: unknown): void {
    this.#socket.send(JSON.stringify(event));
  }

  until(type: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(type, resolve));
  }

  close(): void {
    clearTimeout(this.#ticks);
    this.#socket.close(1000);
  }

  #frame(): void {
    const samples = new Int16Array(FRAME);
    samples.set(this.#saying.subarray(this.#said, this.#said + FRAME));
    this.#said += FRAME;
    const bytes = Buffer.alloc(HEADER_BYTES + 2 * FRAME);
    bytes[0] = 1;
    bytes.writeUInt32BE(this.#sequence++, 4);
    bytes.writeUInt32BE(this.#offset, 8);
    for (const [index, sample] of samples.entries()) bytes.writeInt16LE(sample, HEADER_BYTES + 2 * index);
    this.#offset += FRAME;
    this.#socket.send(bytes);
  }

  #hear(data: Buffer): void {
    const samples = new Int16Array((data.length - HEADER_BYTES) / 2);
    for (let index = 0; index < samples.length; index++)
      samples[index] = data.readInt16LE(HEADER_BYTES + 2 * index);
    if (samples.length > 0) this.pieces.push({ at: performance.now(), samples });
    if (this.pieces.length === 1) this.#resolve('audio');
  }

  #tell(event: z.output<typeof told>): void {
    if (event.type === 'error') throw new Error(JSON.stringify(event.error));
    if (event.type === 'conversation.item.input_audio_transcription.completed')
      this.heard.push(event.transcript ?? '');
    this.#resolve(event.type);
  }

  #resolve(type: string): void {
    this.#waiting.get(type)?.();
    this.#waiting.delete(type);
  }
}

const socket = new WebSocket(`ws://127.0.0.1:${talk.port}/ws/audio`);
const talker = new Talker(socket);
const created = talker.until('session.created');
await once(socket, 'open');
await created;
const updated = talker.until('session.updated');
talker.send({ type: 'session.update', session: { type: 'realtime', turn_detection: talk.turnDetection } });
await updated;
talker.begin();

const questions = talk.utterances.map(samplesIn);
const { interruption } = talk;
const objection = interruption && samplesIn(interruption.utterance);
const answered: number[] = [];
const lowered: number[] = [];
const ended: number[] = [];
let whole: Int16Array = new Int16Array();
for (let turn = 0; turn < talk.turns; turn++) {
  const question = questions[turn % questions.length] ?? new Int16Array();
  talker.pieces = [];
  const [first, done] = [talker.until('audio'), talker.until('response.done')];
  talker.say(question);
  const askedUntil = talker.saidSince + question.findLastIndex(isAudible) / RATE;
  await first;
  if (objection && interruption && turn > 0) {
    await pause(interruption.afterMs);
    talker.say(objection);
    const from = talker.saidSince + objection.findIndex(isAudible) / RATE;
    await done;
    const [low, last] = lowering(whole);
    lowered.push(low - from);
    ended.push(last - from);
    // What interrupted it is answered too: it is waited for until nothing comes any more.
    await talker.until('response.done');
  } else {
    await done;
    whole = joined(talker.pieces);
    answered.push(firstAudible() - askedUntil);
  }
  await pause(300);
}
talker.close();
const times: TalkTimes = { answered, lowered, ended, heard: talker.heard };
console.log(JSON.stringify(times));
process.exit();

function samplesIn(file: string): Int16Array {
  const bytes = readFileSync(file);
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
}

function isAudible(sample: number): boolean {
  return Math.abs(sample) > AUDIBLE;
}

/** When a loudspeaker plays it that begins with the first piece, and waits for what comes late. */
function firstAudible(): number {
  let free = 0;
  for (const { at, samples } of talker.pieces) {
    const begins = Math.max(free, at);
    const index = samples.findIndex(isAudible);
    if (index !== -1) return begins + index / RATE;
    free = begins + samples.length / RATE;
  }
  return Number.NaN;
}

/** When the first piece came that is lower than `reference` has it, and when the last one came. */
function lowering(reference: Int16Array): readonly [number, number] {
  let offset = 0;
  let first: number | undefined;
  for (const { at, samples } of talker.pieces) {
    const same = reference.subarray(offset, offset + samples.length);
    const is = Math.max(...samples.map(Math.abs));
    const was = Math.max(...same.map(Math.abs));
    if (was > AUDIBLE && is < LOWERED * was) first ??= at;
    offset += samples.length;
  }
  const last = talker.pieces.at(-1)?.at ?? Number.NaN;
  return [first ?? last, last];
}

function joined(pieces: readonly Piece[]): Int16Array {
  const all = new Int16Array(pieces.reduce((sum, { samples }) => sum + samples.length, 0));
  let at = 0;
  for (const { samples } of pieces) {
    all.set(samples, at);
    at += samples.length;
  }
  return all;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
