import type { Signal } from '@preact/signals';
import { handIsOff } from '../state/hand.ts';
import { Refusal } from './ask.ts';
import { onNews } from './live.ts';

/** Reads, and shows it after `mayShow`. */
export type Work = (signal: AbortSignal, mayShow: () => Promise<void>) => Promise<void>;

interface Following {
  /** In place of what is being read. */
  read(work: Work): void;
  readonly isReading: boolean;
  end(): void;
}

const AGAIN_S = 3;

/**
 * Reads now, when one of the topics is heard, and when the service is back. What could not be read is told, and asked
 * for again by itself where that may help. Nothing that was not asked for moves what the pointer is on.
 */
export function follow(
  topics: readonly string[],
  refusal: Signal<Refusal | undefined>,
  whole: Work,
): Following {
  let running: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReading = false;
  /** Whether somebody waits for what is read, and whether there is news that is not shown yet. */
  let isAsked = false;
  let isOwed = false;
  const stop = () => {
    clearTimeout(timer);
    running?.abort();
  };
  const read = async (work: Work, isNews = false) => {
    stop();
    const own = new AbortController();
    running = own;
    isReading = true;
    if (isNews) isOwed = true;
    else isAsked = true;
    const mayShow = () => {
      isReading = false;
      return handIsOff(own.signal, !isAsked);
    };
    try {
      await work(own.signal, mayShow);
      if (own.signal.aborted) return;
      refusal.value = undefined;
      isAsked = false;
      const isLeft = isOwed && work !== whole;
      isOwed = false;
      if (isLeft) void read(whole, true);
    } catch (error) {
      await mayShow();
      if (own.signal.aborted) return;
      const why = error instanceof Refusal ? error : new Refusal(0, {});
      refusal.value = why;
      if (why.mayPass) timer = setTimeout(() => void read(work, isNews), 1_000 * (why.retryAfter ?? AGAIN_S));
    }
  };
  void read(whole);
  const endNews = onNews(topics, () => void read(whole, true));
  return {
    read: (work) => void read(work),
    get isReading() {
      return isReading;
    },
    end: () => {
      stop();
      endNews();
    },
  };
}
