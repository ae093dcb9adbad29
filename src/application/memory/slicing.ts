import type { ImportedTurn } from '../../events/memory.ts';

interface Sliced {
  /** The number of its first turn: that of the last one before it, where the text of that goes on. */
  readonly from: number;
  readonly turns: readonly ImportedTurn[];
}

/** Each turn is counted with a comma; brackets, less the comma that the last one does not have. */
const AROUND_THEM = 1;
/** What JSON makes of one unit of a text, at most. */
const MOST_BYTES_OF_A_UNIT = 6;

/**
 * What was said, in slices of no more than so many bytes of JSON, names and times of one turn aside. There is always
 * one. The same words are cut at the same places.
 */
export function slicesOf(turns: readonly ImportedTurn[], mostBytes: number): readonly Sliced[] {
  const longest = Math.max(2, Math.floor(mostBytes / (2 * MOST_BYTES_OF_A_UNIT)));
  let current: { from: number; turns: ImportedTurn[] } = { from: 0, turns: [] };
  const slices = [current];
  let bytes = AROUND_THEM;
  for (const [number, turn] of turns.entries())
    for (const text of piecesOf(turn.text, longest)) {
      const piece = { ...turn, text };
      const size = Buffer.byteLength(JSON.stringify(piece)) + 1;
      if (bytes + size > mostBytes && current.turns.length > 0) {
        current = { from: number, turns: [] };
        slices.push(current);
        bytes = AROUND_THEM;
      }
      const last = current.turns.at(-1);
      const goesOn = last && current.from + current.turns.length - 1 === number;
      if (goesOn) current.turns[current.turns.length - 1] = { ...last, text: last.text + text };
      else current.turns.push(piece);
      bytes += size;
    }
  return slices;
}

const BEGINS_A_PAIR = /[\ud800-\udbff]$/;

/** No longer than that, and no character is cut in two; one of an empty text. */
function* piecesOf(text: string, longest: number): Generator<string> {
  let from = 0;
  do {
    const piece = text.slice(from, from + longest);
    const isCut = from + piece.length < text.length && BEGINS_A_PAIR.test(piece);
    yield isCut ? piece.slice(0, -1) : piece;
    from += isCut ? piece.length - 1 : piece.length;
  } while (from < text.length);
}
