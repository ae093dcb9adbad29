import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Refusal } from './ask.ts';
import { follow } from './follow.ts';

interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly next?: string | undefined;
}

export interface Pages<Row> {
  /** Undefined until the first page is here; what was asked for before stays until then. */
  readonly data: ReadonlySignal<readonly Row[] | undefined>;
  readonly total: ReadonlySignal<number>;
  readonly hasMore: ReadonlySignal<boolean>;
  readonly refusal: ReadonlySignal<Refusal | undefined>;
  more(): void;
  reload(): void;
}

interface State<Row> extends Pages<Row> {
  readonly data: Signal<readonly Row[] | undefined>;
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
    const read = async (
      signal: AbortSignal,
      mayShow: () => Promise<void>,
      from: string | undefined,
      before: readonly Row[],
      least: number,
    ) => {
      let rows = before;
      let after = from;
      let total = 0;
      do {
        const page = await load(after, signal);
        rows = [...rows, ...page.rows];
        after = page.next;
        total = page.total;
      } while (after !== undefined && rows.length < least);
      await mayShow();
      if (signal.aborted) return;
      next = after;
      state.total.value = total;
      state.data.value = rows;
      state.hasMore.value = next !== undefined;
    };
    let isFirst = true;
    const whole = (signal: AbortSignal, mayShow: () => Promise<void>) => {
      const least = isFirst ? 0 : (state.data.value?.length ?? 0);
      isFirst = false;
      return read(signal, mayShow, undefined, [], least);
    };
    const following = follow(topics, state.refusal, whole);
    state.reload = () => following.read(whole);
    // What is being read comes first: then it is asked for again by who is still at the end.
    state.more = () => {
      if (following.isReading || next === undefined) return;
      const from = next;
      following.read((signal, mayShow) => read(signal, mayShow, from, state.data.value ?? [], 0));
    };
    return following.end;
  }, [state, key, heard]);
  return { ...state, more: () => state.more(), reload: () => state.reload() };
}

function newState<Row>(): State<Row> {
  return {
    data: signal<readonly Row[] | undefined>(undefined),
    total: signal(0),
    hasMore: signal(false),
    refusal: signal<Refusal | undefined>(undefined),
    more: () => {},
    reload: () => {},
  };
}
