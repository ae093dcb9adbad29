import { useEffect, useState } from 'preact/hooks';
import { Refusal } from '../api/ask.ts';
import { type Difference, differenceSince } from '../state/difference.ts';

interface Read {
  readonly difference?: Difference;
  readonly refusal?: Refusal;
}

/** Reads both, then and now, once. */
export function useDifference(at: number): Read {
  const [read, setRead] = useState<Read>({});
  useEffect(() => {
    const own = new AbortController();
    differenceSince(at, own.signal)
      .then((difference) => setRead({ difference }))
      .catch((error: unknown) => {
        if (!own.signal.aborted) setRead({ refusal: error instanceof Refusal ? error : new Refusal(0, {}) });
      });
    return () => own.abort();
  }, [at]);
  return read;
}
