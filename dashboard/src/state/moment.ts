import { signal } from '@preact/signals';

/** The moment that the whole page shows (Unix ms), undefined for now. It is the `at` of the address. */
export const moment = signal<number | undefined>(momentOf(location.search));

export function momentOf(query: string): number | undefined {
  const at = Number(new URLSearchParams(query).get('at') ?? Number.NaN);
  return Number.isSafeInteger(at) && at > 0 ? at : undefined;
}

/** The part of a request by which it is answered as it was then. */
export function asItWas(): { readonly at?: number } {
  return moment.value === undefined ? {} : { at: moment.value };
}

addEventListener('popstate', () => {
  moment.value = momentOf(location.search);
});
