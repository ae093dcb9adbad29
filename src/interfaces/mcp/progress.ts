const EVERY_MS = 5_000;

/** How far a call is, in seconds of those that it may take. */
export interface Elapsed {
  readonly progress: number;
  readonly total: number;
}

/**
 * Tells a client that its call is being worked on: at once, and then from time to time, so that nobody takes it for
 * lost. Returns what ends it.
 */
export function tellProgress(tell: (elapsed: Elapsed) => void, longestMs: number): () => void {
  const startedAt = performance.now();
  const total = longestMs / 1_000;
  tell({ progress: 0, total });
  const telling = setInterval(() => {
    tell({ progress: Math.round((performance.now() - startedAt) / 1_000), total });
  }, EVERY_MS);
  return () => clearInterval(telling);
}
