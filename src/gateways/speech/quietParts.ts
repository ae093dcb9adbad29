const RATE = 16_000;
const WINDOW = RATE / 10;

/** Parts of a recording at 16 kHz, none longer than that, cut where it is quietest so that no word is cut in two. */
export function* quietParts(samples: Int16Array, longestSeconds: number): Generator<Int16Array> {
  const longest = longestSeconds * RATE;
  for (let from = 0; from < samples.length; ) {
    const isLast = samples.length - from <= longest;
    const to = isLast ? samples.length : quietest(samples, from + longest / 2, from + longest);
    yield samples.subarray(from, to);
    from = to;
  }
}

function quietest(samples: Int16Array, from: number, to: number): number {
  let best = to;
  let least = Number.POSITIVE_INFINITY;
  for (let at = from; at + WINDOW <= to; at += WINDOW) {
    let loudness = 0;
    for (let index = at; index < at + WINDOW; index++) loudness += Math.abs(samples[index] ?? 0);
    if (loudness > least) continue;
    least = loudness;
    best = at + WINDOW / 2;
  }
  return best;
}
