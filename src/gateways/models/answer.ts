import type { IncomingMessage } from 'node:http';
import { headersOf } from '../network/connections.ts';
import { Pieces } from './pieces.ts';

/**
 * The answer of a provider, as the SDKs take it. It is read as text, as JSON, or piece by piece, and in no other way.
 */
export class ProviderAnswer extends Response {
  readonly pieces: Pieces;

  constructor(message: IncomingMessage, onEnd: () => void) {
    const { statusCode = 0, statusMessage = '' } = message;
    super(null, { status: statusCode, statusText: statusMessage, headers: headersOf(message) });
    this.pieces = new Pieces(message, onEnd);
  }

  override readonly text = async (): Promise<string> => {
    const decoder = new TextDecoder();
    let text = '';
    for await (const piece of this.pieces) text += decoder.decode(piece, { stream: true });
    return text + decoder.decode();
  };

  override readonly json = async (): Promise<unknown> => JSON.parse(await this.text());
}
