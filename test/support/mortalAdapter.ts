import type { StoreAdapter } from '../../src/store/adapter.ts';

/** One process's hold on a store that others share: killed, it asks nothing any more and hears no answer. */
export function mortalAdapter(shared: StoreAdapter): { readonly adapter: StoreAdapter; kill(): void } {
  let isDead = false;
  const never = () => new Promise<never>(() => {});
  const adapter = new Proxy(shared, {
    get(_shared, name) {
      const value: unknown = Reflect.get(shared, name);
      if (typeof value !== 'function') return value;
      return async (...args: readonly unknown[]) => {
        if (isDead) return never();
        const answer: unknown = await value.apply(shared, args);
        return isDead ? never() : answer;
      };
    },
  });
  return {
    adapter,
    kill() {
      isDead = true;
    },
  };
}
