import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Stands before a port; what comes in is handed on by `relay`. */
export class CuttableProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(port: number, relay: (client: Socket, upstream: Socket) => void) {
    this.#server = createServer((client) => {
      const upstream = connect(port, '127.0.0.1');
      this.#keep(client, upstream);
      this.#keep(upstream, client);
      relay(client, upstream);
    });
  }

  static async before(
    port: number,
    relay = (client: Socket, upstream: Socket): void => void client.pipe(upstream).pipe(client),
  ): Promise<CuttableProxy> {
    const proxy = new CuttableProxy(port, relay);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** Host and port. */
  get address(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('Not listening');
    return `127.0.0.1:${address.port}`;
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
    // Whoever goes away is told by the end of the connection.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      other.destroy();
    });
  }
}
