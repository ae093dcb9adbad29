import type { StoreAdapter } from '../../src/store/adapter.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';

/** A log in memory in whose place another one can be put, as when a Redis comes back without its data. */
export function replaceableAdapter(): {
  readonly adapter: StoreAdapter;
  replaceBy(other: StoreAdapter): Promise<void>;
} {
  let current: StoreAdapter = new MemoryAdapter();
  let tellReplaced = async (): Promise<void> => {};
  const onReplaced: StoreAdapter['onReplaced'] = (listener) => {
    tellReplaced = listener;
  };
  const adapter = new Proxy(current, {
    get(_first, name) {
      if (name === 'onReplaced') return onReplaced;
      const value: unknown = Reflect.get(current, name);
      return typeof value === 'function' ? value.bind(current) : value;
    },
  });
  return {
    adapter,
    async replaceBy(other) {
      current = other;
      await tellReplaced();
    },
  };
}
