import { ask } from './ask.ts';
import { errorText, jsonOf } from './boundedBody.ts';
import { field, parsed } from './loose.ts';
import { piecesOf } from './pieces.ts';
import { HttpError } from './providerError.ts';

const BLAMED = { providerId: 'local-runner' } as const;

/**
 * Ollama's HTTP API. Its own client is no help here: it cannot cancel what is not streamed, skips lines that are
 * not JSON, and writes them to the console, with all that was said in them.
 */
export class OllamaHttp {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, apiKey: string | undefined) {
    this.#base = (url.includes('://') ? url : `http://${url}`).replace(/(?<!\/)\/+$/, '');
    this.#headers = {
      'content-type': 'application/json',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    };
  }

  async get(path: string, signal: AbortSignal): Promise<unknown> {
    return jsonOf(await this.#fetch(path, undefined, signal), BLAMED);
  }

  async post(path: string, body: unknown, signal: AbortSignal): Promise<unknown> {
    return JSON.parse(await (await this.#fetch(path, body, signal)).text());
  }

  /** One JSON value a line. */
  async stream(path: string, body: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    return piecesOf(await this.#fetch(path, body, signal));
  }

  async #fetch(path: string, body: unknown, signal: AbortSignal): Promise<Response> {
    const response = await ask(`${this.#base}${path}`, {
      headers: this.#headers,
      signal,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    throw httpError(await errorText(response), response);
  }
}

function httpError(text: string, { status, headers }: Response): HttpError {
  return new HttpError(field(parsed(text), 'error') ?? text, status, headers);
}
