import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { HarkError } from '../../errors.ts';
import { clientOn } from '../rest/client.ts';
import { WyomingConnection, type WyomingParts } from './connection.ts';
import { encodeEvent, MessageReader, type WyomingEvent } from './framing.ts';

const MOST_CONNECTIONS = 64;
/** Nothing comes, and nothing is under way. */
const IDLE_MS = 300_000;
/** A message that has begun has to end, and a client has to read what it asked for. */
const LONGEST_MESSAGE_MS = 30_000;
/** What waits while something is under way; beyond it, nothing more is read. */
const MOST_WAITING = 1_048_576;

interface ServerOptions {
  readonly parts: WyomingParts;
  /** The session of a connection ends with it. */
  readonly onEnd: (connectionId: string) => void;
}

/** The protocol of Home Assistant's voice services. It knows no keys: see `WYOMING_PORT`. */
export class WyomingServer {
  readonly #options: ServerOptions;
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#server = createServer({ noDelay: true, keepAlive: true }, (socket) => this.#serve(socket));
    this.#server.maxConnections = MOST_CONNECTIONS;
  }

  async listen(port: number, host: string): Promise<number> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
    await closed;
  }

  #serve(socket: Socket): void {
    this.#open.add(socket);
    const connectionId = randomUUID();
    const gone = new AbortController();
    const client = {
      connectionId,
      peer: clientOn(socket),
      signal: gone.signal,
      write: (type: string, data?: Readonly<Record<string, unknown>>, payload?: Uint8Array) => {
        if (type === 'audio-chunk') this.#options.parts.statistics.audioChunksOut++;
        return send(socket, encodeEvent(type, data, payload));
      },
      close: () => socket.end(),
    };
    const connection = new WyomingConnection(this.#options.parts, client);
    const intake = new Intake(socket, connection);
    socket.on('data', (bytes: Buffer) => intake.take(bytes));
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      this.#open.delete(socket);
      gone.abort();
      connection.end();
      intake.close();
      this.#options.onEnd(connectionId);
    });
  }
}

/** What a client sends, event after event: the next is taken when the one before is done with. */
class Intake {
  readonly #socket: Socket;
  readonly #connection: WyomingConnection;
  readonly #reader = new MessageReader();
  readonly #waiting: WyomingEvent[] = [];
  #waitingBytes = 0;
  #isBusy = false;
  #deadline: NodeJS.Timeout | undefined;

  constructor(socket: Socket, connection: WyomingConnection) {
    this.#socket = socket;
    this.#connection = connection;
    this.#rest();
  }

  take(bytes: Buffer): void {
    if (this.#socket.writableEnded) return;
    const hadBegun = this.#reader.isWithin;
    let events: readonly WyomingEvent[];
    try {
      events = this.#reader.push(bytes);
    } catch (error) {
      const text = error instanceof HarkError ? error.message : 'unreadable';
      this.#socket.end(encodeEvent('error', { text, code: 'BAD_REQUEST' }), () => this.#socket.destroy());
      return;
    }
    for (const event of events) this.#add(event);
    if (this.#waitingBytes > MOST_WAITING) this.#socket.pause();
    // A message that comes byte by byte has no more time than one that comes at once.
    if (!this.#isBusy && !(hadBegun && events.length === 0)) this.#rest();
    void this.#work();
  }

  close(): void {
    clearTimeout(this.#deadline);
    this.#waiting.length = 0;
  }

  #add(event: WyomingEvent): void {
    this.#waiting.push(event);
    this.#waitingBytes += sizeOf(event);
  }

  async #work(): Promise<void> {
    if (this.#isBusy || this.#waiting.length === 0) return;
    this.#isBusy = true;
    clearTimeout(this.#deadline);
    for (
      let event = this.#waiting.shift();
      event && !this.#socket.writableEnded;
      event = this.#waiting.shift()
    ) {
      await this.#connection.take(event).catch(() => this.#socket.destroy());
      this.#waitingBytes -= sizeOf(event);
      if (this.#waitingBytes <= MOST_WAITING && this.#socket.isPaused()) this.#socket.resume();
    }
    this.#isBusy = false;
    this.#rest();
  }

  /** Nothing is under way: for so long it waits for what comes next. */
  #rest(): void {
    clearTimeout(this.#deadline);
    if (this.#socket.destroyed) return;
    const ms = this.#reader.isWithin ? LONGEST_MESSAGE_MS : IDLE_MS;
    this.#deadline = setTimeout(() => this.#socket.destroy(), ms).unref();
  }
}

/** With something for what costs more than its bytes. */
function sizeOf({ size }: WyomingEvent): number {
  return size + 1_024;
}

/** A client that does not read is let go, so that nothing heaps up for it. */
async function send(socket: Socket, bytes: Buffer): Promise<void> {
  if (socket.destroyed || socket.writableEnded)
    throw new HarkError('BAD_REQUEST', { message: 'The client is gone' });
  if (socket.write(bytes)) return;
  const late = setTimeout(() => socket.destroy(), LONGEST_MESSAGE_MS).unref();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = () => reject(new HarkError('BAD_REQUEST', { message: 'The client is gone' }));
  socket.once('drain', resolve).once('close', fail);
  try {
    await promise;
  } finally {
    clearTimeout(late);
    socket.off('drain', resolve).off('close', fail);
  }
}
