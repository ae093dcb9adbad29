import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { encodeEvent, MessageReader, type WyomingEvent } from '../../src/interfaces/wyoming/framing.ts';

export interface Told {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Speaks the Wyoming protocol, as Home Assistant does. */
export class WyomingClient {
  readonly socket: Socket;
  readonly #reader = new MessageReader();
  readonly #told: WyomingEvent[] = [];
  #news = Promise.withResolvers<void>();
  #isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (bytes: Buffer) => {
      this.#told.push(...this.#reader.push(bytes));
      this.#tell();
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#isClosed = true;
      this.#tell();
    });
  }

  static async open(port: number): Promise<WyomingClient> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new WyomingClient(socket);
  }

  send(type: string, data?: Readonly<Record<string, unknown>>, payload?: Uint8Array): void {
    this.socket.write(encodeEvent(type, data, payload));
  }

  /** The next event; undefined when the connection has ended. */
  async next(): Promise<WyomingEvent | undefined> {
    while (this.#told.length === 0 && !this.#isClosed) await this.#news.promise;
    return this.#told.shift();
  }

  /** All up to the first of this type. */
  async until(type: string): Promise<readonly WyomingEvent[]> {
    const told: WyomingEvent[] = [];
    for (;;) {
      const event = await this.next();
      assert.ok(event, `closed before ${type}: ${told.map((one) => one.type).join()}`);
      told.push(event);
      if (event.type === type) return told;
    }
  }

  async ask(type: string, data: Readonly<Record<string, unknown>>, answer: string): Promise<Told['data']> {
    this.send(type, data);
    return (await this.until(answer)).at(-1)?.data ?? {};
  }

  /** Resolves when the other side has let go; with what it had said until then. */
  async closed(): Promise<readonly Told[]> {
    const told: Told[] = [];
    for (let event = await this.next(); event; event = await this.next()) {
      const { type, data } = event;
      told.push({ type, data });
    }
    return told;
  }

  close(): void {
    this.socket.destroy();
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}
