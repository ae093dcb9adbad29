import { ModelFailure } from './failure.ts';
import { field, parsed, textOf } from './loose.ts';
import { HttpError } from './providerError.ts';

/** Longer than any answer; a line without an end would fill the memory. */
const LONGEST_LINE = 32 * 2 ** 20;

/**
 * Ollama's HTTP API. Its own client is no help here: it cannot cancel what is not streamed, skips lines that are
 * not JSON, and writes them to the console, with all that was said in them.
 */
export class OllamaHttp {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, apiKey: string | undefined) {
    this.#base = (url.includes('://') ? url : `http://${url}`).replace(/\/+$/, '');
    this.#headers = {
      'content-type': 'application/json',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    };
  }

  async get(path: string, signal: AbortSignal): Promise<unknown> {
    return JSON.parse(await (await this.#fetch(path, undefined, signal)).text());
  }

  async post(path: string, body: unknown, signal: AbortSignal): Promise<unknown> {
    return JSON.parse(await (await this.#fetch(path, body, signal)).text());
  }

  /** Line by line. */
  async stream(path: string, body: unknown, signal: AbortSignal): Promise<AsyncIterable<unknown>> {
    const response = await this.#fetch(path, body, signal);
    if (!response.body) throw new ModelFailure('malformed', { providerId: 'local-runner', code: 'no_body' });
    return linesOf(response.body);
  }

  async #fetch(path: string, body: unknown, signal: AbortSignal): Promise<Response> {
    const response = await fetch(`${this.#base}${path}`, {
      headers: this.#headers,
      signal,
      redirect: 'error',
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    throw httpError(await response.text(), response);
  }
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void, undefined> {
  const decoder = new TextDecoder();
  let pending = '';
  for await (const bytes of body) {
    pending += decoder.decode(bytes, { stream: true });
    let start = 0;
    for (let end = pending.indexOf('\n'); end !== -1; end = pending.indexOf('\n', start)) {
      if (end > start) yield lineOf(pending.slice(start, end));
      start = end + 1;
    }
    if (start > 0) pending = pending.slice(start);
    if (pending.length > LONGEST_LINE)
      throw new ModelFailure('malformed', { providerId: 'local-runner', code: 'endless_line' });
  }
  // A line that broke off is missed by whoever reads the answer: it has no end then.
  const rest = pending.trim();
  if (rest !== '' && parsed(rest) !== undefined) yield lineOf(rest);
}

function lineOf(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const error = field(value, 'error');
  if (error !== undefined) throw new HttpError({ message: textOf(error) ?? '' });
  return value;
}

function httpError(text: string, { status, headers }: Response): HttpError {
  const message = textOf(field(parsed(text), 'error')) ?? text;
  return new HttpError({ message }, status, headers);
}
