import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Hands bytes through to a port, until the connections are cut. */
export class CuttableProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(port: number) {
    this.#server = createServer((client) => {
      const upstream = connect(port, '127.0.0.1');
      this.#keep(client, upstream);
      this.#keep(upstream, client);
      client.pipe(upstream).pipe(client);
    });
  }

  static async start(port: number): Promise<CuttableProxy> {
    const proxy = new CuttableProxy(port);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('Not listening');
    return `http://127.0.0.1:${address.port}`;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #keep(socket: Socket, other: Socket): void {
    this.#sockets.add(socket);
    // A reset is what this is for.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      other.destroy();
    });
  }
}
