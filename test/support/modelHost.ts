import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { type TinyModel, tinyModel } from '../../scripts/nli/tinyModel.ts';
import type { NliModel } from '../../src/gateways/nli/models.ts';
import { FileHost, type Mishap } from './fileHost.ts';

/** A web server that offers the files of an inference model. */
export class ModelHost {
  readonly #host: FileHost;
  readonly #files: ReadonlyMap<string, Uint8Array>;

  private constructor(host: FileHost, files: ReadonlyMap<string, Uint8Array>) {
    this.#host = host;
    this.#files = files;
  }

  static async start({ model, tokenizer, config }: TinyModel = tinyModel()): Promise<ModelHost> {
    const files = new Map<string, Uint8Array>([
      ['/tiny/model.onnx', model],
      ['/tiny/tokenizer.json', Buffer.from(tokenizer)],
      ['/tiny/config.json', Buffer.from(config)],
    ]);
    return new ModelHost(await FileHost.start(files, (path) => path.endsWith('.onnx')), files);
  }

  get url(): string {
    return this.#host.url;
  }

  get asked(): FileHost['asked'] {
    return this.#host.asked;
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
    this.#host.prepare(...mishaps);
  }

  asksFor(ending: string): Promise<void> {
    return this.#host.asksFor(ending);
  }

  stop(): Promise<void> {
    return this.#host.stop();
  }
}
