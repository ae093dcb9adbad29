import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Refusal } from './ask.ts';
import { onNews } from './live.ts';

interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly next?: string | undefined;
}

export interface Pages<Row> {
  /** Undefined until the first page is here; what was asked for before stays until then. */
  readonly rows: ReadonlySignal<readonly Row[] | undefined>;
  readonly total: ReadonlySignal<number>;
  readonly hasMore: ReadonlySignal<boolean>;
  readonly refusal: ReadonlySignal<Refusal | undefined>;
  more(): void;
  reload(): void;
}

interface State<Row> extends Pages<Row> {
  readonly rows: Signal<readonly Row[] | undefined>;
  readonly total: Signal<number>;
  readonly hasMore: Signal<boolean>;
  readonly refusal: Signal<Refusal | undefined>;
  more: () => void;
  reload: () => void;
}

/**
 * A long list, page by page. Read anew when `key` changes, and as far as it was read when one of the topics is heard
 * or the service is back. `load` is asked for what comes behind the page before.
 */
export function usePages<Row>(
  key: string,
  load: (after: string | undefined, signal: AbortSignal) => Promise<Page<Row>>,
  topics: readonly string[],
): Pages<Row> {
  const state = useMemo(newState<Row>, []);
  const heard = topics.join();
  useEffect(() => {
    let next: string | undefined;
    let running: AbortController | undefined;
    const read = async (from: string | undefined, before: readonly Row[], least: number) => {
      running?.abort();
      const own = new AbortController();
      running = own;
      try {
        let rows = before;
        let after = from;
        do {
          const page = await load(after, own.signal);
          if (own.signal.aborted) return;
          rows = [...rows, ...page.rows];
          after = page.next;
          state.total.value = page.total;
        } while (after !== undefined && rows.length < least);
        next = after;
        state.rows.value = rows;
        state.hasMore.value = next !== undefined;
        state.refusal.value = undefined;
      } catch (error) {
        if (!own.signal.aborted) state.refusal.value = error instanceof Refusal ? error : new Refusal(0, {});
      } finally {
        if (running === own) running = undefined;
      }
    };
    const again = () => void read(undefined, [], state.rows.value?.length ?? 0);
    state.reload = again;
    // What is being read comes first: then it is asked for again by who is still at the end.
    state.more = () => {
      if (!running && next !== undefined) void read(next, state.rows.value ?? [], 0);
    };
    void read(undefined, [], 0);
    const end = onNews(topics, again);
    return () => {
      running?.abort();
      end();
    };
  }, [state, key, heard]);
  return { ...state, more: () => state.more(), reload: () => state.reload() };
}

function newState<Row>(): State<Row> {
  return {
    rows: signal<readonly Row[] | undefined>(undefined),
    total: signal(0),
    hasMore: signal(false),
    refusal: signal<Refusal | undefined>(undefined),
    more: () => {},
    reload: () => {},
  };
}
