interface Bounds {
  readonly ms: number;
  readonly cancelled: AbortSignal;
  /** What the work is refused with when it is ended before it is done; its signal says the same. */
  reasonFor(end: 'late' | 'cancelled'): unknown;
}

/** Work that does not end in time, or does not heed that it was cancelled, is left behind. */
export async function bounded<Result>(
  { ms, cancelled, reasonFor }: Bounds,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (cancelled.aborted) throw reasonFor('cancelled');
  const end = new AbortController();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const stop = (why: 'late' | 'cancelled') => {
    const reason = reasonFor(why);
    // First, since work that heeds its signal may say so at once, in words of its own.
    reject(reason);
    end.abort(reason);
  };
  const onCancelled = () => stop('cancelled');
  cancelled.addEventListener('abort', onCancelled, { once: true });
  // Work that was left behind with its process must not keep that alive.
  const timer = setTimeout(() => stop('late'), ms).unref();
  try {
    return await Promise.race([ended, work(end.signal)]);
  } finally {
    clearTimeout(timer);
    cancelled.removeEventListener('abort', onCancelled);
  }
}
