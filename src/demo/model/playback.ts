import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { FailureName, Refusal } from './failures.ts';
import { type Prepared, preparePieces, prepareStream, utteranceOf } from './preparation.ts';
import type { Protocol } from './protocol.ts';
import type { RecordedRequest } from './recordedRequest.ts';
import type { Failed, Reply, Spoken, Trouble } from './script.ts';

/** Sends one reply to one request. */
export class Playback {
  readonly #protocol: Protocol;
  readonly #request: RecordedRequest;
  readonly #response: ServerResponse;

  constructor(protocol: Protocol, request: RecordedRequest, response: ServerResponse) {
    this.#protocol = protocol;
    this.#request = request;
    this.#response = response;
  }

  async play(reply: Reply): Promise<void> {
    if (reply.delayMs !== undefined) await this.#pause(reply.delayMs);
    if (this.#response.destroyed) return;
    switch (reply.kind) {
      case 'plain':
        this.#response.writeHead(reply.status, reply.headers).end(reply.body);
        return;
      case 'failed':
        this.#refuse(this.#refusal(reply.failure, reply));
        return;
      case 'vectors':
        this.#sendJson(this.#protocol.embeddings(reply.vectors, this.#request));
        return;
      case 'unanswered':
        if (reply.how === 'reset') await this.#trouble('reset');
        return;
      case 'spoken':
        await (this.#request.stream ? this.#speak(reply) : this.#whole(reply));
        return;
      case 'pieces':
        await this.#stream(reply.contentType, preparePieces(reply), reply.paceMs);
    }
  }

  #speak(reply: Spoken): Promise<void> {
    const steps = prepareStream(this.#protocol, reply, this.#request);
    return this.#stream(this.#protocol.streamType, steps, reply.paceMs);
  }

  async #stream(contentType: string, steps: readonly Prepared[], paceMs: number | undefined): Promise<void> {
    this.#response.writeHead(200, { ...this.#protocol.headers(), 'content-type': contentType });
    this.#response.flushHeaders();
    for (const step of steps) {
      if (!(await this.#take(step, paceMs)) || this.#response.destroyed) return;
    }
    this.#response.end();
  }

  /** False when nothing of the answer may follow. */
  async #take(step: Prepared, paceMs: number | undefined): Promise<boolean> {
    switch (step.type) {
      case 'bytes':
        if (!this.#response.write(step.bytes)) await this.#orGone(this.#drained());
        if (paceMs !== undefined) await (paceMs === 0 ? setImmediate() : this.#pause(paceMs));
        return true;
      case 'wait':
        await this.#orGone(step.until);
        return true;
      case 'error':
        this.#response.end(this.#protocol.errorFrame(this.#refusal(step.failure), this.#request));
        return false;
      case 'trouble':
        return this.#trouble(step.trouble);
    }
  }

  /** What goes wrong within the answer goes wrong in the middle of its only body. */
  async #whole(reply: Spoken): Promise<void> {
    for (const item of reply.items) {
      if (item.type === 'wait') await this.#orGone(item.until);
      if (item.type === 'error') return this.#refuse(this.#refusal(item.failure));
    }
    const body = JSON.stringify(this.#protocol.whole(utteranceOf(reply, this.#request)));
    const trouble = reply.items.find((item) => item.type === 'trouble');
    if (!trouble) return this.#send(200, body);
    this.#response.writeHead(200, { ...this.#protocol.headers(), 'content-type': 'application/json' });
    this.#response.write(body.slice(0, body.length / 2));
    if (await this.#trouble(trouble.trouble)) this.#response.end();
  }

  /** True when the answer goes on. What comes before it is on its way first. */
  async #trouble(trouble: Trouble): Promise<boolean> {
    switch (trouble) {
      case 'reset':
      case 'cut':
        this.#request.breakOff();
        await this.#sent();
        if (trouble === 'reset') this.#response.socket?.resetAndDestroy();
        else this.#response.socket?.destroy();
        return false;
      case 'hang':
        return false;
      case 'end':
      case 'half-frame':
        this.#response.end();
        return false;
      case 'broken-json':
      case 'broken-frame':
        return true;
    }
  }

  #refusal(failure: FailureName, reply?: Failed): Refusal {
    const { model, apiKey } = this.#request;
    return this.#protocol.refusal(failure, { model, apiKey, retryAfterSeconds: reply?.retryAfterSeconds });
  }

  #refuse({ status, headers, body }: Refusal): void {
    this.#send(status, typeof body === 'string' ? body : JSON.stringify(body), headers);
  }

  #sendJson(value: unknown): void {
    this.#send(200, JSON.stringify(value));
  }

  #send(status: number, body: string, headers: Readonly<Record<string, string>> = {}): void {
    this.#response
      .writeHead(status, { ...this.#protocol.headers(), 'content-type': 'application/json', ...headers })
      .end(body);
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => this.#response.once('drain', resolve));
  }

  /** A turn of the event loop, in which what was written reaches the system. */
  #sent(): Promise<unknown> {
    if (!this.#response.headersSent) return Promise.resolve();
    return this.#orGone(setImmediate());
  }

  async #pause(ms: number): Promise<void> {
    // A timer that is left would keep the process.
    await setTimeout(ms, undefined, { signal: this.#request.gone }).catch(() => undefined);
  }

  /** A client that went away is waited for no longer. */
  #orGone(promise: Promise<unknown>): Promise<unknown> {
    return Promise.race([promise, this.#request.ended]);
  }
}
