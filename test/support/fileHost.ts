import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

interface Asked {
  readonly path: string;
  readonly range: string | undefined;
}

/** What an answer does instead of giving the file as it is. */
export type Mishap =
  | 'break off'
  | 'stop halfway'
  | 'spoil'
  | 'be silent'
  | 'ignore ranges'
  | 'be missing'
  | 'promise more'
  | 'send more'
  | { readonly leadTo: string };

/** A web server that offers files, as the hosts of models do: in parts, where they are asked for. */
export class FileHost {
  readonly asked: Asked[] = [];
  readonly #server: Server;
  readonly #files: ReadonlyMap<string, Uint8Array>;
  readonly #mishaps: Mishap[] = [];
  readonly #asking = new EventEmitter();
  readonly #mayFail: (path: string) => boolean;

  private constructor(files: ReadonlyMap<string, Uint8Array>, mayFail: (path: string) => boolean) {
    this.#files = files;
    this.#mayFail = mayFail;
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  /** By their path. */
  static async start(
    files: ReadonlyMap<string, Uint8Array>,
    mayFail: (path: string) => boolean = () => true,
  ): Promise<FileHost> {
    const host = new FileHost(files, mayFail);
    host.#server.listen(0, '127.0.0.1');
    await once(host.#server, 'listening');
    return host;
  }

  get url(): string {
    const address = this.#server.address();
    assert(typeof address === 'object' && address !== null);
    return `http://127.0.0.1:${address.port}`;
  }

  /** What happens to the next requests for files that may fail, in their order. */
  prepare(...mishaps: readonly Mishap[]): void {
    this.#mishaps.push(...mishaps);
  }

  /** When a file whose name ends so is next asked for. */
  async asksFor(ending: string): Promise<void> {
    do await once(this.#asking, 'asked');
    while (!this.asked.at(-1)?.path.endsWith(ending));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
    this.asked.push({ path: url, range: headers.range });
    this.#asking.emit('asked');
    const file = this.#files.get(url);
    const mishap = this.#mayFail(url) ? this.#mishaps.shift() : undefined;
    if (typeof mishap === 'object') return void response.writeHead(302, { location: mishap.leadTo }).end();
    if (!file || mishap === 'be missing') return void response.writeHead(404).end();
    if (mishap === 'be silent') return void response.writeHead(200).flushHeaders();
    const from =
      mishap === 'ignore ranges' ? 0 : Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    if (from >= file.byteLength) return void response.writeHead(416).end();
    const part = Buffer.from(file.subarray(from));
    const range = { 'content-range': `bytes ${from}-${file.byteLength - 1}/${file.byteLength}` };
    const promised = part.byteLength + (mishap === 'promise more' ? 10 : 0);
    response.writeHead(from > 0 ? 206 : 200, {
      ...(mishap === 'send more' ? {} : { 'content-length': promised }),
      ...(from > 0 ? range : {}),
    });
    if (mishap === 'break off')
      return void response.write(part.subarray(0, part.byteLength / 2), () => response.destroy());
    if (mishap === 'promise more') return void response.write(part, () => response.destroy());
    if (mishap === 'stop halfway') return void response.write(part.subarray(0, part.byteLength / 2));
    if (mishap === 'spoil') part.writeUInt8((part.at(-1) ?? 0) ^ 1, part.byteLength - 1);
    response.end(mishap === 'send more' ? Buffer.concat([part, part]) : part);
  }
}
