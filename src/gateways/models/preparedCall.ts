import type { RequestOptions } from 'node:http';
import { ProviderAnswer } from './answer.ts';
import { headersOf, send } from './ask.ts';
import { errorText } from './boundedBody.ts';
import { parsed } from './loose.ts';
import { Pieces } from './pieces.ts';
import { HttpError } from './providerError.ts';
import { requestJson } from './toldTools.ts';

/** An SDK, of which one call is wanted again and again. */
interface Sdk {
  buildRequest(options: {
    readonly method: 'post';
    readonly path: string;
    readonly body: Readonly<Record<string, never>>;
  }): Promise<{ readonly url: string; readonly req: RequestInit }>;
}

/**
 * One call of an SDK, whose address and headers it is asked for once: they differ by nothing from call to call. It
 * would make them anew for each from five lists of headers, and note each answer in a register, so that it outlives
 * all young garbage: a tenth of what a turn of chat allocates and costs the processor.
 */
export class PreparedCall {
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(url: URL, headers: Readonly<Record<string, string>>) {
    this.#url = url;
    this.#headers = headers;
  }

  static async of(sdk: Sdk, path: string): Promise<PreparedCall> {
    const { url, req } = await sdk.buildRequest({ method: 'post', path, body: {} });
    return new PreparedCall(new URL(url), headersOf(req.headers));
  }

  /** What comes of the answer, piece by piece. Rejects with an `HttpError` where it is one. */
  post(body: object, signal: AbortSignal, traceparent?: string): Promise<AsyncIterable<Uint8Array>> {
    const headers = traceparent === undefined ? this.#headers : { ...this.#headers, traceparent };
    return this.#send(headers, requestJson(body), signal);
  }

  /** The same with fields and a file, as forms send them. */
  async upload(form: FormData, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const whole = new Response(form);
    const type = { 'content-type': whole.headers.get('content-type') ?? '' };
    return this.#send({ ...this.#headers, ...type }, await whole.bytes(), signal);
  }

  async #send(
    headers: Readonly<Record<string, string>>,
    body: string | Uint8Array,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>> {
    const options: RequestOptions = { method: 'POST', headers };
    const { message, forget } = await send(this.#url, options, body, signal);
    const { statusCode = 0 } = message;
    if (statusCode >= 200 && statusCode < 300) return new Pieces(message, forget);
    const answer = new ProviderAnswer(message, forget);
    const text = await errorText(answer);
    throw new HttpError(parsed(text) ?? text, answer.status, answer.headers);
  }
}
