import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
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
  readonly #texts = new TextsOfThisTurn(textOf);
  readonly #unnamed = new TextsOfThisTurn(unnamedTextOf);

  constructor(log: Logger, { heartbeatMs = HEARTBEAT_MS, stallMs = STALL_MS }: EventStreamOptions = {}) {
    this.#log = log;
    this.#heartbeatMs = heartbeatMs;
    this.#stallMs = stallMs;
  }

  /** Ends every stream that has no end; their readers come back by themselves. */
  closeEndless(): void {
    for (const raw of this.#endless) raw.end();
  }

  /**
   * `batches` has to end when the caller is gone, which is what the caller's signal is for. Messages without names reach
   * clients that only know `onmessage`.
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    batches: Listening,
    isNamed = true,
  ): Promise<void> {
    const { raw } = reply;
    if (!batches.isBounded) this.#endless.add(raw);
    this.#begin(request, reply, batches.headers);
    const heartbeat = setInterval(() => {
      if (isWritable(raw) && !mustDrain(raw)) send(raw, HEARTBEAT);
    }, this.#heartbeatMs);
    try {
      await this.#tell(raw, batches, isNamed ? this.#texts : this.#unnamed);
      if (batches.lastWords !== undefined && isWritable(raw)) send(raw, `data: ${batches.lastWords}\n\n`);
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

  /** Together with others, as long as it keeps up with them. */
  async #tell(raw: ServerResponse, batches: Listening, texts: TextsOfThisTurn): Promise<void> {
    const tell = (batch: readonly StreamMessage[]) => {
      if (!isWritable(raw)) return false;
      return knowsChunks(raw) ? raw.socket.write(texts.chunkOf(batch)) : raw.write(texts.of(batch));
    };
    for (let goesOn = true; goesOn; goesOn &&= isWritable(raw)) {
      goesOn = await (batches.join?.(tell) ?? this.#catchUp(raw, batches, texts, tell));
      if (goesOn && mustDrain(raw)) await this.#drained(raw);
    }
  }

  /** By itself, to where it can be told together with others, or to the end. */
  async #catchUp(
    raw: ServerResponse,
    batches: Listening,
    texts: TextsOfThisTurn,
    tell: (batch: readonly StreamMessage[]) => boolean,
  ): Promise<boolean> {
    for await (const batch of batches) {
      if (!hasTime()) await fairShare();
      if (!isWritable(raw)) break;
      const text = batches.join ? texts.of(batch) : texts.alone(batch);
      if (text && !send(raw, text)) await this.#drained(raw);
      const together = isWritable(raw) && batches.join?.(tell);
      if (together) return together;
    }
    return false;
  }

  async #drained(raw: ServerResponse): Promise<void> {
    // Whatever ends the wait ends all of it: what stayed behind would pile up with every batch.
    const over = new AbortController();
    const { signal } = over;
    const stalled = later(this.#stallMs, undefined, { signal }).then(() => raw.destroy());
    try {
      const drained = [raw, raw.socket ?? raw].map((writable) => once(writable, 'drain', { signal }));
      await Promise.race([...drained, once(raw, 'close', { signal }), stalled]);
    } catch {
      raw.destroy();
    } finally {
      over.abort();
    }
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
  readonly #batches = new KeptForATurn<readonly StreamMessage[], Buffer>();
  readonly #data = new KeptForATurn<object, string>();
  readonly #textOf: typeof textOf;

  constructor(toText: typeof textOf) {
    this.#textOf = toText;
  }

  of(batch: readonly StreamMessage[]): string {
    return this.#textOf(batch, (data) => this.#data.get(data, (one) => JSON.stringify(one)));
  }

  /** Of a batch that nobody else is sent. */
  alone(batch: readonly StreamMessage[]): string {
    return this.#textOf(batch);
  }

  /** Of a batch that many are sent as one. */
  chunkOf(batch: readonly StreamMessage[]): Buffer {
    return this.#batches.get(batch, () => Buffer.from(chunkOf(this.of(batch))));
  }
}

function textOf(
  batch: readonly StreamMessage[],
  jsonOf: (data: object) => string = (data) => JSON.stringify(data),
): string {
  let text = '';
  for (const { id, event, data } of batch) {
    if (id !== undefined) text += `id: ${id}\n`;
    if (event !== undefined) text += `event: ${event}\n`;
    text += `data: ${jsonOf(data)}\n\n`;
  }
  return text;
}

function unnamedTextOf(
  batch: readonly StreamMessage[],
  jsonOf: (data: object) => string = (data) => JSON.stringify(data),
): string {
  let text = '';
  for (const { id, data } of batch)
    text += `${id === undefined ? '' : `id: ${id}\n`}data: ${jsonOf(data)}\n\n`;
  return text;
}

/**
 * A map that is emptied points from its old table to its new one, entries and all. Once one of them had grown old,
 * all that came after it would outlive every quick collection, so there is a new map for each turn.
 */
class KeptForATurn<Key, Value> {
  #kept: Map<Key, Value> | undefined;

  get(key: Key, make: (key: Key) => Value): Value {
    const kept = this.#kept?.get(key);
    if (kept !== undefined) return kept;
    const made = make(key);
    this.#put(key, made);
    return made;
  }

  #put(key: Key, value: Value): void {
    if (!this.#kept) {
      this.#kept = new Map();
      setImmediate(() => {
        this.#kept = undefined;
      });
    }
    this.#kept.set(key, value);
  }
}

/*
 * The parts of a body whose length is not known before, sent as soon as they are written. Node would frame each in
 * three pieces and hold them to the end of the turn: a fifth of what a streamed turn costs, and a frame of its own for
 * each of a thousand readers of the same bytes.
 */

interface Chunked extends ServerResponse {
  readonly socket: Socket;
}

/** Its head is on the way, and its body goes in chunks: what it is sent now comes next. */
function knowsChunks(raw: ServerResponse & { readonly chunkedEncoding?: boolean }): raw is Chunked {
  return raw.socket !== null && raw.headersSent && raw.chunkedEncoding === true;
}

function chunkOf(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

/** False when it has to drain before more is sent. */
function send(raw: ServerResponse, text: string): boolean {
  return knowsChunks(raw) ? raw.socket.write(chunkOf(text)) : raw.write(text);
}

function mustDrain({ writableNeedDrain, socket }: ServerResponse): boolean {
  return writableNeedDrain || socket?.writableNeedDrain === true;
}
