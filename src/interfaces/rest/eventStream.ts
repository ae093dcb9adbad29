import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as later } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fairShare, hasTime } from '../../fairShare.ts';
import type { Logger } from '../../logger.ts';
import type { Listening, StreamMessage } from '../operation.ts';

export interface EventStreamOptions {
  readonly heartbeatMs?: number;
  /** A reader that takes nothing for so long is disconnected. */
  readonly stallMs?: number;
}

const HEARTBEAT_MS = 15_000;
const STALL_MS = 20_000;
const HEARTBEAT = ': still here\n\n';

/**
 * Sends messages as server-sent events. A message is asked for only when the socket has taken what came before,
 * so a slow reader costs one batch of memory; one that stops reading is disconnected and may resume by id.
 */
export class EventStreams {
  readonly #log: Logger;
  readonly #heartbeatMs: number;
  readonly #stallMs: number;
  /** Those that would go on for ever. */
  readonly #endless = new Set<ServerResponse>();
  readonly #texts = new TextsOfThisTurn();

  constructor(log: Logger, { heartbeatMs = HEARTBEAT_MS, stallMs = STALL_MS }: EventStreamOptions = {}) {
    this.#log = log;
    this.#heartbeatMs = heartbeatMs;
    this.#stallMs = stallMs;
  }

  /** Ends every stream that has no end; their readers come back by themselves. */
  closeEndless(): void {
    for (const raw of this.#endless) raw.end();
  }

  /** `batches` has to end when the caller is gone, which is what the caller's signal is for. */
  async send(request: FastifyRequest, reply: FastifyReply, batches: Listening): Promise<void> {
    const { raw } = reply;
    if (!batches.isBounded) this.#endless.add(raw);
    this.#begin(request, reply, batches.headers);
    const heartbeat = setInterval(() => {
      if (isWritable(raw) && !raw.writableNeedDrain) raw.write(HEARTBEAT);
    }, this.#heartbeatMs);
    try {
      for await (const batch of batches) {
        if (!hasTime()) await fairShare();
        if (!isWritable(raw)) break;
        const text = batch.map((message) => this.#frame(message)).join('');
        if (text && !raw.write(text)) await this.#drained(raw);
      }
      if (batches.lastWords !== undefined && isWritable(raw)) raw.write(`data: ${batches.lastWords}\n\n`);
    } catch (error) {
      this.#log.warn({ err: error, correlationId: request.visit?.correlationId }, 'stream ended');
    } finally {
      clearInterval(heartbeat);
      this.#endless.delete(raw);
      raw.end();
    }
  }

  #begin(request: FastifyRequest, reply: FastifyReply, headers: Listening['headers']): void {
    const { visit } = request;
    reply.hijack();
    reply.raw.writeHead(200, {
      ...visit?.headers,
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    });
    reply.raw.flushHeaders();
    visit?.end(200);
  }

  async #drained(raw: ServerResponse): Promise<void> {
    // Whatever ends the wait ends all of it: what stayed behind would pile up with every batch.
    const over = new AbortController();
    const { signal } = over;
    const stalled = later(this.#stallMs, undefined, { signal }).then(() => raw.destroy());
    try {
      await Promise.race([once(raw, 'drain', { signal }), once(raw, 'close', { signal }), stalled]);
    } catch {
      raw.destroy();
    } finally {
      over.abort();
    }
  }

  #frame({ id, event, data }: StreamMessage): string {
    const head = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`;
    return `${head}data: ${this.#texts.of(data)}\n\n`;
  }
}

function isWritable(raw: ServerResponse): boolean {
  return !raw.writableEnded && !raw.destroyed;
}

/**
 * What a thousand readers are sent at the same time is turned into text once. Nothing is kept beyond the turn:
 * it may be forgotten by then.
 */
class TextsOfThisTurn {
  readonly #texts = new Map<object, string>();

  of(data: object): string {
    let text = this.#texts.get(data);
    if (text === undefined) {
      text = JSON.stringify(data);
      if (this.#texts.size === 0) setImmediate(() => this.#texts.clear());
      this.#texts.set(data, text);
    }
    return text;
  }
}
