import { createHash } from 'node:crypto';
import type { Claim } from '../../../../language/claim.ts';

export const DIMENSIONS = 384;

/**
 * What statements speak of, as vectors, with no model: a word adds to some place of the vector, the more the fewer
 * statements have it. Two words that meet in one place are as likely to take from each other as to add.
 */
export function* keywordVectors(claims: readonly Claim[]): Generator<Float32Array> {
  const spread = new Map<string, number>();
  for (const { stems } of claims) for (const word of stems) spread.set(word, (spread.get(word) ?? 0) + 1);
  const places = new Map<string, Place>();
  for (const { stems } of claims) {
    const vector = new Float32Array(DIMENSIONS);
    for (const word of stems) {
      const { place, sign } = places.get(word) ?? placeOf(word);
      places.set(word, { place, sign });
      const rarity = Math.sqrt(Math.log(1 + claims.length / (spread.get(word) ?? 1)));
      vector[place] = (vector[place] ?? 0) + sign * rarity;
    }
    yield vector;
  }
}

interface Place {
  readonly place: number;
  readonly sign: 1 | -1;
}

function placeOf(word: string): Place {
  const digest = createHash('sha1').update(word).digest();
  return { place: digest.readUInt32LE(0) % DIMENSIONS, sign: digest.readUInt8(4) % 2 === 0 ? 1 : -1 };
}
