import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type TinyModel, tinyModel } from '../../scripts/nli/tinyModel.ts';
import type { NliModel } from '../../src/gateways/nli/models.ts';

interface Asked {
  readonly path: string;
  readonly range: string | undefined;
}

/** What the next answer does instead of giving the file as it is. */
type Mishap = 'break off' | 'stop halfway' | 'spoil' | 'be silent' | 'ignore ranges' | 'be missing';

/** A web server that offers the files of a model, as the hosts of models do: in parts, where they are asked for. */
export class ModelHost {
  readonly asked: Asked[] = [];
  readonly #server: Server;
  readonly #files: ReadonlyMap<string, Uint8Array>;
  readonly #mishaps: Mishap[] = [];
  readonly #asking = new EventEmitter();

  private constructor(files: ReadonlyMap<string, Uint8Array>) {
    this.#files = files;
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  static async start({ model, tokenizer, config }: TinyModel = tinyModel()): Promise<ModelHost> {
    const host = new ModelHost(
      new Map([
        ['/tiny/model.onnx', model],
        ['/tiny/tokenizer.json', Buffer.from(tokenizer)],
        ['/tiny/config.json', Buffer.from(config)],
      ]),
    );
    host.#server.listen(0, '127.0.0.1');
    await once(host.#server, 'listening');
    return host;
  }

  get url(): string {
    const address = this.#server.address();
    assert(typeof address === 'object' && address !== null);
    return `http://127.0.0.1:${address.port}`;
  }

  /** The model it offers, with the digests of its files. */
  get model(): NliModel {
    const pinned = (name: string) => {
      const bytes = this.#files.get(`/tiny/${name}`);
      assert(bytes);
      return { path: `tiny/${name}`, mostBytes: bytes.byteLength, sha256: hash('sha256', bytes) };
    };
    return {
      id: 'tiny@1',
      host: this.url,
      model: pinned('model.onnx'),
      tokenizer: pinned('tokenizer.json'),
      config: pinned('config.json'),
    };
  }

  /** What happens to the next requests for the model itself, in their order. */
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
    const mishap = url.endsWith('.onnx') ? this.#mishaps.shift() : undefined;
    if (!file || mishap === 'be missing') return void response.writeHead(404).end();
    if (mishap === 'be silent') return void response.writeHead(200).flushHeaders();
    const from =
      mishap === 'ignore ranges' ? 0 : Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    if (from >= file.byteLength) return void response.writeHead(416).end();
    const part = Buffer.from(file.subarray(from));
    const range = { 'content-range': `bytes ${from}-${file.byteLength - 1}/${file.byteLength}` };
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': part.byteLength,
      ...(from > 0 ? range : {}),
    });
    if (mishap === 'break off')
      return void response.write(part.subarray(0, part.byteLength / 2), () => response.destroy());
    if (mishap === 'stop halfway') return void response.write(part.subarray(0, part.byteLength / 2));
    if (mishap === 'spoil') part.writeUInt8((part.at(-1) ?? 0) ^ 1, part.byteLength - 1);
    response.end(part);
  }
}
