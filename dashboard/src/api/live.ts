import { signal } from '@preact/signals';
import { type Message, Refusal } from './ask.ts';
import { listen } from './listen.ts';

export type LogEvent = Message<'GET /api/events/stream'>;

const MOST_WAIT_MS = 15_000;
/** So long nobody may answer before the page says so: a service that hangs, or more windows than connections. */
const MOST_SILENCE_MS = 10_000;

/** Whether what happens in the service is heard as it happens. */
export const connection = signal<'connecting' | 'live' | 'lost' | 'busy'>('connecting');

type Hear = (event: LogEvent) => void;
const listeners = new Set<{ readonly matches: (type: string) => boolean; readonly hear: Hear }>();
const returns = new Set<() => void>();

/** Called for each event of these topics (`memory.*`, `chat.reply.heard`) from now on; returns what ends it. */
export function onTopics(topics: readonly string[], hear: Hear): () => void {
  const one = { matches: matcherOf(topics), hear };
  listeners.add(one);
  return () => listeners.delete(one);
}

/** Called when the service is heard, at first and again: what happened until then is read anew. */
export function onReturn(act: () => void): () => void {
  returns.add(act);
  return () => returns.delete(act);
}

/** What happens many times at once is read once. */
const TOGETHER_MS = 150;

/** Called when there is something new on these topics, once for what comes together, and when the service is back. */
export function onNews(topics: readonly string[], act: () => void, togetherMs = TOGETHER_MS): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = () => {
    clearTimeout(timer);
    timer = undefined;
    act();
  };
  const ends = [
    onTopics(topics, () => {
      timer ??= setTimeout(now, togetherMs);
    }),
    onReturn(now),
  ];
  return () => {
    clearTimeout(timer);
    for (const end of ends) end();
  };
}

/**
 * One stream for the whole page, which is begun again where it ended. A browser keeps six connections to a service for
 * all its tabs: one that nobody sees leaves its own to the others, and hears what it missed when it is seen again.
 */
export async function followLog(): Promise<never> {
  let after: string | undefined;
  let failures = 0;
  for (;;) {
    const seen = await whenSeen();
    const silence = setTimeout(() => (connection.value = 'lost'), MOST_SILENCE_MS);
    const onHeaders = () => {
      clearTimeout(silence);
      greet();
    };
    let refusal: Refusal | undefined;
    try {
      const options = { onHeaders, signal: seen };
      for await (const { id, data } of listen('GET /api/events/stream', after ? { after } : {}, options)) {
        failures = 0;
        after = id ?? after;
        for (const { matches, hear } of listeners) if (matches(data.type)) hear(data);
      }
    } catch (error) {
      // Whatever it was: it is asked for again, and the page says so.
      if (error instanceof Refusal) refusal = error;
    }
    clearTimeout(silence);
    if (seen.aborted) {
      // Where something was heard, the stream goes on after it, and nothing else is asked for.
      if (after === undefined) connection.value = 'connecting';
      continue;
    }
    failures++;
    connection.value = refusal?.status === 429 ? 'busy' : 'lost';
    const pauseMs = Math.min(MOST_WAIT_MS, 250 * 2 ** failures) * (0.5 + Math.random() / 2);
    await waitOrWake(1_000 * (refusal?.retryAfter ?? 0) + pauseMs);
  }
}

/** Waits until somebody sees the page; the signal says when nobody does any more. */
export async function whenSeen(): Promise<AbortSignal> {
  await changed(() => !document.hidden);
  const seen = new AbortController();
  void changed(() => document.hidden).then(() => seen.abort());
  return seen.signal;
}

/** Resolves when it is so: whether the page is seen decides it. */
function changed(isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isSo()) return;
      removeEventListener('visibilitychange', look);
      resolve();
    };
    addEventListener('visibilitychange', look);
    look();
  });
}

function greet(): void {
  const wasLive = connection.value === 'live';
  connection.value = 'live';
  // At first too: what was read before anything was heard may have changed in between.
  if (!wasLive) for (const act of returns) act();
}

function waitOrWake(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
  });
}

function matcherOf(topics: readonly string[]): (type: string) => boolean {
  const exact = new Set(topics.filter((topic) => !topic.endsWith('*')));
  const starts = topics.filter((topic) => topic.endsWith('*')).map((topic) => topic.slice(0, -1));
  return (type) => exact.has(type) || starts.some((start) => type.startsWith(start));
}
