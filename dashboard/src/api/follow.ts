import type { Signal } from '@preact/signals';
import { Refusal } from './ask.ts';
import { onNews } from './live.ts';

export type Work = (signal: AbortSignal) => Promise<void>;

interface Following {
  /** In place of what is being read. */
  read(work: Work): void;
  readonly isReading: boolean;
  end(): void;
}

const AGAIN_S = 3;

/**
 * Reads now, when one of the topics is heard, and when the service is back. What could not be read is told, and asked
 * for again by itself where that may help.
 */
export function follow(
  topics: readonly string[],
  refusal: Signal<Refusal | undefined>,
  whole: Work,
): Following {
  let running: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
    running?.abort();
  };
  const read = async (work: Work) => {
    stop();
    const own = new AbortController();
    running = own;
    try {
      await work(own.signal);
      if (!own.signal.aborted) refusal.value = undefined;
    } catch (error) {
      if (own.signal.aborted) return;
      const why = error instanceof Refusal ? error : new Refusal(0, {});
      refusal.value = why;
      if (why.mayPass) timer = setTimeout(() => void read(work), 1_000 * (why.retryAfter ?? AGAIN_S));
    } finally {
      if (running === own) running = undefined;
    }
  };
  void read(whole);
  const endNews = onNews(topics, () => void read(whole));
  return {
    read: (work) => void read(work),
    get isReading() {
      return running !== undefined;
    },
    end: () => {
      stop();
      endNews();
    },
  };
}
