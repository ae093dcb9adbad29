import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/*
 * The parts of a body whose length is not known before, sent as soon as they are written. Node would frame each in
 * three pieces and hold them to the end of the turn: a fifth of what a streamed turn costs, and a frame of its own for
 * each of a thousand readers of the same bytes.
 */

interface Chunked extends ServerResponse {
  readonly socket: Socket;
}

/** Its head is on the way, and its body goes in chunks: what it is sent now comes next. */
export function knowsChunks(raw: ServerResponse & { readonly chunkedEncoding?: boolean }): raw is Chunked {
  return raw.socket !== null && raw.headersSent && raw.chunkedEncoding === true;
}

export function chunkOf(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

/** False when it has to drain before more is sent. */
export function send(raw: ServerResponse, text: string): boolean {
  return knowsChunks(raw) ? raw.socket.write(chunkOf(text)) : raw.write(text);
}

export function mustDrain({ writableNeedDrain, socket }: ServerResponse): boolean {
  return writableNeedDrain || socket?.writableNeedDrain === true;
}
