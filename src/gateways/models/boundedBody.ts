import type { Blamed } from './classify.ts';
import { ModelFailure } from './failure.ts';
import { piecesOf } from './pieces.ts';

/** Room for two thousand models at 2 KB each, which is more than any list has. */
const LONGEST_ANSWER = 4 * 2 ** 20;
const LONGEST_ERROR = 64 * 2 ** 10;

/** The JSON of an answer that comes as a whole. One that is larger than any should be is given up in the middle. */
export function jsonOf(response: Response, blamed: Blamed): Promise<unknown> {
  return jsonIn(piecesOf(response), blamed, LONGEST_ANSWER);
}

export async function jsonIn(
  pieces: AsyncIterable<Uint8Array>,
  blamed: Blamed,
  longest: number,
): Promise<unknown> {
  const text = await textWithin(pieces, longest);
  if (text === undefined) throw new ModelFailure('malformed', { ...blamed, code: 'too_large' });
  return JSON.parse(text);
}

/** What an error says, and nothing where it says too much. */
export async function errorText(response: Response): Promise<string> {
  return (await textWithin(piecesOf(response), LONGEST_ERROR)) ?? '';
}

/** Undefined when there is more; the connection is closed then. */
async function textWithin(pieces: AsyncIterable<Uint8Array>, most: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes > most) return undefined;
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}
