import { moment, momentOf } from './moment.ts';

let move: (url: string, replace?: boolean) => void = (url) => location.assign(url);

/** Who moves through the pages, as the router does it. */
export function moveBy(route: typeof move): void {
  move = route;
}

/** To a page of this application. The moment that is shown goes along, unless the address names one. */
export function go(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  move(addressOf(to), replace);
}

export function addressOf(to: string): string {
  if (moment.value === undefined || /[?&]at=/.test(to)) return to;
  const [path = '', fragment] = to.split('#');
  const address = `${path}${path.includes('?') ? '&' : '?'}at=${moment.value}`;
  return fragment === undefined ? address : `${address}#${fragment}`;
}

/** Changes what the address says behind the question mark; empty and undefined take a field away. */
export function search(fields: Readonly<Record<string, string | number | undefined>>, replace = true): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, String(value));
  }
  move(`${url.pathname}${url.search}`, replace);
  moment.value = momentOf(url.search);
}
