import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';

interface Heard {
  readonly flags: number;
  readonly sequence: number;
  readonly offset: number;
  readonly samples: Int16Array;
}

type Event = Readonly<Record<string, unknown>> & { readonly type: string };

/** One client's connection, as a test of it plays the service. */
export class VoiceClientSide {
  readonly request: IncomingMessage;
  readonly frames: Heard[] = [];
  readonly events: Event[] = [];
  closedWith: number | undefined;
  readonly #socket: WebSocket;
  #news = Promise.withResolvers<void>();
  #sequence = 0;
  #offset = 0;

  constructor(socket: WebSocket, request: IncomingMessage) {
    this.request = request;
    this.#socket = socket;
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) this.frames.push(frameIn(data));
      else this.events.push(JSON.parse(data.toString()));
      this.#tell();
    });
    socket.on('close', (code) => {
      this.closedWith = code;
      this.#tell();
    });
  }

  tell(type: string, data: Readonly<Record<string, unknown>> = {}): void {
    this.#socket.send(JSON.stringify({ type, ...data }));
  }

  speak(samples: Int16Array): void {
    const frame = Buffer.alloc(12 + samples.byteLength);
    frame.writeUInt8(1, 0);
    frame.writeUInt8(1, 1);
    frame.writeUInt32BE(this.#sequence++, 4);
    frame.writeUInt32BE(this.#offset, 8);
    this.#offset += samples.length;
    Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).copy(frame, 12);
    this.#socket.send(frame);
  }

  /** All of a reply that is heard. */
  reply(text: string, samples: Int16Array, status = 'completed'): void {
    this.begin('r1');
    this.speak(samples);
    this.tell('response.output_audio_transcript.delta', { delta: text });
    this.tell('response.done', { response: { id: 'r1', status } });
  }

  begin(id: string): void {
    this.tell('response.created', { response: { id, status: 'in_progress' } });
  }

  /** Resolves once this is true of what came. */
  async until(holds: (side: this) => boolean): Promise<void> {
    while (!holds(this)) await this.#news.promise;
  }

  cut(): void {
    this.#socket.terminate();
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}

/** Takes clients of `/ws/audio` for a test that says by itself what they are told. */
export class VoiceServer {
  readonly #server: WebSocketServer;
  readonly #sides: VoiceClientSide[] = [];
  #arrived = Promise.withResolvers<void>();

  private constructor(server: WebSocketServer) {
    this.#server = server;
    server.on('connection', (socket, request) => {
      this.#sides.push(new VoiceClientSide(socket, request));
      this.#arrived.resolve();
      this.#arrived = Promise.withResolvers();
    });
  }

  static async start(): Promise<VoiceServer> {
    const server = new WebSocketServer({
      port: 0,
      host: '127.0.0.1',
      handleProtocols: (offered) => (offered.has('hark.v1') ? 'hark.v1' : false),
    });
    await once(server, 'listening');
    return new VoiceServer(server);
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`;
  }

  /** The next client, once it has said how it wants to talk. */
  async client(): Promise<VoiceClientSide> {
    while (this.#sides.length === 0) await this.#arrived.promise;
    const [side] = this.#sides.splice(0, 1);
    if (!side) throw new TypeError('nobody came');
    side.tell('session.created', { session: { id: 'voice-1', type: 'realtime' } });
    await side.until(({ events }) => events.length > 0);
    return side;
  }

  async stop(): Promise<void> {
    for (const socket of this.#server.clients) socket.terminate();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }
}

function frameIn(data: Buffer): Heard {
  const samples = new Int16Array((data.length - 12) / 2);
  for (let index = 0; index < samples.length; index++) samples[index] = data.readInt16LE(12 + 2 * index);
  return {
    flags: data.readUInt16BE(2),
    sequence: data.readUInt32BE(4),
    offset: data.readUInt32BE(8),
    samples,
  };
}
