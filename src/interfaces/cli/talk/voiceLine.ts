import { WebSocket } from 'ws';
import { z } from 'zod';
import { FrameWriter, STREAMS } from '../../voice/audioFrames.ts';
import { CliFailure, exitCodes } from '../failure.ts';
import { printable } from '../output.ts';

/** Of what is sent and, unless it is asked for otherwise, of what comes. */
export const RATE = 16_000;
const VERSION = 1;
const HEADER = 12;
const CONNECTING_MS = 15_000;
/** A connection on which so much waits to be sent is of no use for talking. */
const MOST_UNSENT = 1_048_576;

const eventShape = z.looseObject({ type: z.string() });
export type LineEvent = z.output<typeof eventShape>;

interface LineOptions {
  readonly url: string;
  readonly apiKey?: string | undefined;
  readonly user: string | undefined;
  readonly sessionId: string | undefined;
}

interface Listener {
  onEvent(event: LineEvent): void;
  onSpeech(samples: Int16Array): void;
  /** Not when it was closed from here. */
  onLost(reason: string): void;
}

/** A connection by which one speaks with a running service, at `/ws/audio`. */
export class VoiceLine {
  readonly #socket: WebSocket;
  readonly #frames = new FrameWriter(STREAMS.microphone);
  #isWithin = false;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  static async open({ url, apiKey, user, sessionId }: LineOptions, listener: Listener): Promise<VoiceLine> {
    const address = new URL('ws/audio', url.replace(/(?<!\/)\/*$/, '/'));
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    if (sessionId !== undefined) address.searchParams.set('session', sessionId);
    const headers = {
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      ...(user === undefined ? {} : { 'x-user-id': user }),
    };
    const options = { headers, handshakeTimeout: CONNECTING_MS, perMessageDeflate: false };
    const socket = new WebSocket(address, ['hark.v1'], options);
    const { promise: open, resolve, reject } = Promise.withResolvers<void>();
    socket.once('open', resolve);
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
      reject(refused(statusCode, sessionId));
      socket.terminate();
    });
    socket.on('error', ({ message }) => {
      const hint = 'Is it running? Start it with: hark start';
      reject(new CliFailure(`Cannot reach ${url} (${printable(message)}). ${hint}`));
    });
    // From the first moment: what comes with the answer itself is told too.
    socket.on('message', (data: Buffer, isBinary: boolean) => take(data, isBinary, listener));
    await open;
    const line = new VoiceLine(socket);
    socket.once('close', (code, reason) => listener.onLost(`${code} ${printable(reason.toString())}`.trim()));
    return line;
  }

  tell(event: { readonly type: string } & Record<string, unknown>): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(event));
  }

  /** Of the microphone; `ends` says that the utterance is over. */
  say(samples: Int16Array, { ends = false } = {}): void {
    const { readyState, bufferedAmount } = this.#socket;
    if (readyState !== WebSocket.OPEN || bufferedAmount > MOST_UNSENT) return;
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    const frame = this.#frames.write(bytes, { begins: !this.#isWithin, ends });
    this.#isWithin = !ends;
    this.#socket.send(frame);
  }

  /** Resolves once what was sent is on its way, so that a file does not heap up here. */
  async sent(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    // An empty ping follows what was sent before.
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping('', undefined, () => resolve());
    else resolve();
    await promise;
  }

  /** Ends the session too. */
  async close(): Promise<void> {
    if (this.#socket.readyState >= WebSocket.CLOSING) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#socket.removeAllListeners('close').once('close', () => resolve());
    this.#socket.close(1000);
    const late = setTimeout(() => this.#socket.terminate(), 2_000);
    await promise;
    clearTimeout(late);
  }
}

function take(data: Buffer, isBinary: boolean, listener: Listener): void {
  if (!isBinary) {
    const event = eventIn(data.toString());
    if (event) listener.onEvent(event);
    return;
  }
  if (data.length < HEADER || data.readUInt8(0) !== VERSION || data.readUInt8(1) !== STREAMS.speech) return;
  const samples = new Int16Array((data.length - HEADER) >> 1);
  for (let index = 0; index < samples.length; index++) samples[index] = data.readInt16LE(HEADER + 2 * index);
  listener.onSpeech(samples);
}

function eventIn(text: string): LineEvent | undefined {
  try {
    return eventShape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function refused(status: number, sessionId: string | undefined): CliFailure {
  const why: Readonly<Record<number, string>> = {
    401: 'the key is missing or wrong: give it with --api-key or HARK_API_KEY',
    404: sessionId === undefined ? 'the server is not hark' : 'there is no such voice session',
    429: 'too many connections or attempts: try again in a minute',
    503: 'nothing there can hear or speak now',
  };
  return new CliFailure(`${status} ${why[status] ?? 'the service refused to talk'}`, exitCodes.failed);
}
