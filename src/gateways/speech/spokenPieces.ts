import type { Wave } from './wave.ts';
import { audible, type WordTime, wordTimes } from './wordTimes.ts';

/** Some seconds of speech: what is longer is begun before the rest of it is spoken. */
const LONGEST_PIECE = 240;
const LEAD_SECONDS = 0.02;
const PAUSE_SECONDS = 0.2;

/** Sentences, and parts of what is too long for one. Without a letter or a figure there is nothing to say. */
function piecesOf(text: string): readonly string[] {
  const sentences = text.replaceAll(/\s+/g, ' ').split(/(?<=[.!?])(?= )|(?<=[。！？])(?![。！？])/u);
  const cut = new RegExp(`.{1,${LONGEST_PIECE}}(?= |$)|.{1,${LONGEST_PIECE}}`, 'gu');
  return sentences
    .flatMap((sentence) => sentence.match(cut) ?? [])
    .map((piece) => piece.trim())
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece));
}

/** Speaks piece by piece, each with its words in their time, and without the silence that would only be waited for. */
export async function* spokenPieces(
  text: string,
  speak: (piece: string) => Promise<Wave>,
  signal: AbortSignal,
): AsyncGenerator<Wave & { readonly words: readonly WordTime[] }> {
  let spoken = 0;
  for (const piece of piecesOf(text)) {
    const { rate, samples } = await speak(piece);
    if (signal.aborted) return;
    const { from, to } = audible(samples);
    const first = Math.max(0, from - Math.round(LEAD_SECONDS * rate));
    const heard = samples.subarray(first, to + Math.round(PAUSE_SECONDS * rate));
    const words = wordTimes(piece, spoken + (from - first) / rate, spoken + (to - first) / rate);
    yield { rate, samples: heard, words };
    spoken += heard.length / rate;
    // What came meanwhile, a cancel among it, has its turn.
    await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) return;
  }
}
