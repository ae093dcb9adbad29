import { EventEmitter, once } from 'node:events';
import { type ClientOptions, WebSocket } from 'ws';

type Told = Readonly<Record<string, unknown>> & { readonly type: string };

/** A client of the WebSockets of voice that keeps all it is told. */
export class VoiceClient {
  readonly socket: WebSocket;
  readonly events: Told[] = [];
  readonly frames: Buffer[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #news = new EventEmitter();
  #settlings = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data, isBinary) => {
      if (!Buffer.isBuffer(data)) return;
      if (isBinary) this.frames.push(data);
      else this.events.push(JSON.parse(data.toString()));
      this.#news.emit('news');
    });
    socket.on('error', () => undefined);
    this.closed = once(socket, 'close').then(([code, reason]) => {
      this.#news.emit('news');
      return { code, reason: String(reason) };
    });
  }

  /** Resolves when the session was created. */
  static async open(
    port: number,
    path: string,
    { protocols = [], ...options }: ClientOptions & { protocols?: string[] } = {},
  ): Promise<VoiceClient> {
    const scheme = options.ca === undefined ? 'ws' : 'wss';
    const socket = new WebSocket(`${scheme}://127.0.0.1:${port}${path}`, protocols, options);
    const client = new VoiceClient(socket);
    await once(socket, 'open');
    await client.told('session.created');
    return client;
  }

  send(event: unknown): void {
    this.socket.send(typeof event === 'string' ? event : JSON.stringify(event));
  }

  /** The next of this type that nobody asked for yet, which is taken out. Rejects when none comes any more. */
  async told(type: string, where: (event: Told) => boolean = () => true): Promise<Told> {
    for (;;) {
      const at = this.events.findIndex((event) => event.type === type && where(event));
      const [event] = at === -1 ? [] : this.events.splice(at, 1);
      if (event) return event;
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error(`Closed before ${type}`);
      await once(this.#news, 'news');
    }
  }

  /** Resolves when all that was sent before has been handled. */
  async settled(): Promise<void> {
    const id = `settled-${this.#settlings++}`;
    this.send({ type: 'conversation.item.retrieve', event_id: id, item_id: id });
    await this.told('error', ({ error }) => Object(error).event_id === id);
  }

  /** What was refused of the last event. */
  async refusal(): Promise<Told> {
    const { error } = await this.told('error');
    return Object(error);
  }

  async frame(): Promise<Buffer> {
    while (this.frames.length === 0) await once(this.#news, 'news');
    return this.frames.shift() ?? Buffer.alloc(0);
  }

  close(code = 1000): void {
    this.socket.close(code);
  }
}
