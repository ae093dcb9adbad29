import { isRecord, listOf, parsed, textOf } from './loose.ts';

/** Two statements, as a model is asked whether they contradict each other. */
export interface AskedPair {
  readonly name: string;
  readonly first: string;
  readonly second: string;
}

/** The pairs that a request asks about; none in one that asks something else. */
export function pairsAsked({ lastText }: { readonly lastText: string }): readonly AskedPair[] {
  return listOf(parsed(lastText)).flatMap((pair) =>
    isRecord(pair) && typeof pair.pair === 'string'
      ? [{ name: pair.pair, first: textOf(pair.first), second: textOf(pair.second) }]
      : [],
  );
}

/** A verdict on each of some pairs, as a model gives it. */
export function verdictsOn(
  pairs: readonly AskedPair[],
  isContradiction: (pair: AskedPair) => boolean,
  confidence = 0.9,
): Readonly<Record<string, object>> {
  return Object.fromEntries(
    pairs.map((pair) => [
      pair.name,
      { reasoning: 'looked at both', contradiction: isContradiction(pair), confidence },
    ]),
  );
}

/** One denies what the other says. */
export function denies({ first, second }: AskedPair): boolean {
  return / not /.test(first) !== / not /.test(second);
}
