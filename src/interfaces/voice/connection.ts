import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { fairShare, hasTime } from '../../fairShare.ts';

/** Of what was sent and not read: a quarter of a minute of speech as base64. Whoever is further behind loses the rest. */
const MOST_UNREAD_BYTES = 1_048_576;
const CLOSE_WITHIN_MS = 2_000;
/** Of one message: half a minute of PCM as base64. More would hold the thread for longer than audio may wait. */
export const MOST_MESSAGE_BYTES = 2 * 1_048_576;
/** Of all messages that are not whole yet, together. */
const MOST_UNFINISHED_BYTES = 64 * 1_048_576;
const SMALL_BYTES = 262_144;
const POLICY = 1008;
const TOO_LARGE = 1009;

export interface Receiver {
  /** What follows waits where a promise is given. Never throws. */
  text(data: Buffer): Promise<void> | undefined;
  binary(data: Buffer): Promise<void> | undefined;
  left(code: number): void;
}

/** Of all connections. */
let unfinished = 0;

interface Message {
  readonly data: Buffer;
  readonly isBinary: boolean;
}

/**
 * One WebSocket, with bounds both ways. What comes is handled in order; while more of it comes than there is time for,
 * nothing is read from the socket. What goes is never kept for a client that does not read.
 */
export class Connection {
  readonly #socket: WebSocket;
  readonly #raw: Duplex;
  readonly #receiver: Receiver;
  readonly #waiting: Message[] = [];
  #isBusy = false;
  #isClosing = false;
  #isGathering = false;
  #isAlive = true;
  /** Bytes since the last message was handled. */
  #bytes = 0;

  constructor(socket: WebSocket, raw: Duplex, receiver: Receiver) {
    this.#socket = socket;
    this.#raw = raw;
    this.#receiver = receiver;
    socket.on('message', (data, isBinary) => {
      if (Buffer.isBuffer(data)) this.#received({ data, isBinary });
    });
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    // The close that follows says all there is to say.
    socket.on('error', () => undefined);
    socket.once('close', (code) => {
      this.#isClosing = true;
      this.#waiting.length = 0;
      this.#count(-this.#bytes);
      receiver.left(code);
    });
    raw.on('data', (chunk: Buffer) => this.#count(chunk.length));
  }

  get isClosed(): boolean {
    return this.#socket.readyState === this.#socket.CLOSED;
  }

  send(data: string | Buffer): void {
    if (this.#isClosing) return;
    this.#gather();
    this.#socket.send(data);
    if (this.#socket.bufferedAmount > MOST_UNREAD_BYTES) this.close(POLICY, 'What was sent is not read');
  }

  /** What is sent at one go is one write: the answers to all that came together. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#raw.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      this.#raw.uncork();
    });
  }

  close(code: number, reason: string): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#waiting.length = 0;
    this.#socket.close(code, reason);
    setTimeout(() => this.#socket.terminate(), CLOSE_WITHIN_MS).unref();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  /** To be called now and then: who has not answered since the last time is gone. */
  check(): void {
    if (!this.#isAlive) {
      this.#socket.terminate();
      return;
    }
    this.#isAlive = false;
    if (!this.#isClosing) this.#socket.ping();
  }

  #received(message: Message): void {
    this.#isAlive = true;
    if (this.#isClosing) return;
    if (!this.#isBusy && hasTime()) {
      const handled = this.#handle(message);
      if (handled) this.#goOnAfter(handled);
      else this.#count(-this.#bytes);
      return;
    }
    this.#waiting.push(message);
    if (!this.#isBusy) this.#goOnAfter(Promise.resolve());
  }

  #handle({ data, isBinary }: Message): Promise<void> | undefined {
    return isBinary ? this.#receiver.binary(data) : this.#receiver.text(data);
  }

  #goOnAfter(handled: Promise<void>): void {
    this.#isBusy = true;
    this.#socket.pause();
    void this.#catchUp(handled);
  }

  async #catchUp(handled: Promise<void>): Promise<void> {
    await handled;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      if (!hasTime()) await fairShare();
      if (!this.#isClosing) await this.#handle(next);
    }
    this.#isBusy = false;
    this.#count(-this.#bytes);
    this.#socket.resume();
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    unfinished += bytes;
    if (this.#bytes > SMALL_BYTES && unfinished > MOST_UNFINISHED_BYTES)
      this.close(TOO_LARGE, 'Too much is being sent at once');
  }
}
