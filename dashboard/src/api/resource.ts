import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ask, type Input, type OperationName, type Output, type Refusal } from './ask.ts';
import { follow, type Work } from './follow.ts';

export interface Resource<Data> {
  readonly data: ReadonlySignal<Data | undefined>;
  readonly refusal: ReadonlySignal<Refusal | undefined>;
  /** Reads it anew now. */
  reload(): void;
  /** Shows this until it is read again. */
  assume(data: Data): void;
}

/**
 * What an operation answers, read anew when the input changes, when one of the topics is heard, and when the service
 * is back. The last answer stays until the next is here. Undefined as input asks nothing.
 */
export function useResource<Name extends OperationName>(
  name: Name,
  input: Input<Name> | undefined,
  topics: readonly string[] = [],
): Resource<Output<Name>> {
  const read = input && ((signal: AbortSignal) => ask(name, input, { signal }));
  return useRead(JSON.stringify(input), read, topics);
}

/** The same of what takes several operations: read anew when `key` changes. */
export function useRead<Data>(
  key: string | undefined,
  read: ((signal: AbortSignal) => Promise<Data>) | undefined,
  topics: readonly string[] = [],
): Resource<Data> {
  const state = useMemo(() => {
    const data: Signal<Data | undefined> = signal(undefined);
    return { data, refusal: signal<Refusal | undefined>(undefined), reload: () => {} };
  }, []);
  const heard = topics.join();
  useEffect(() => {
    if (!read) return;
    const whole: Work = async (signal, mayShow) => {
      const answer = await read(signal);
      await mayShow();
      if (!signal.aborted) state.data.value = answer;
    };
    const following = follow(topics, state.refusal, whole);
    state.reload = () => following.read(whole);
    return following.end;
  }, [key, heard]);
  return {
    data: state.data,
    refusal: state.refusal,
    reload: () => state.reload(),
    assume: (data) => {
      state.data.value = data;
    },
  };
}
