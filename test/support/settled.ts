import type { Page, Request } from 'playwright-core';
import { becomes } from './dashboard.ts';

/** Requests that are under way; the streams of events and of figures always are. */
const pending = new WeakMap<Page, Set<Request>>();

export function followRequests(page: Page): void {
  const requests = new Set<Request>();
  pending.set(page, requests);
  page.on('request', (request) => {
    if (!/\/api\/(?:events\/stream|health\/figures)/.test(request.url())) requests.add(request);
  });
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
}

/** Until nothing of it is being loaded, for some frames. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  for (let calm = 0; calm < 3; calm++) {
    await becomes(page, "!document.querySelector('.loading')");
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
    if (pending.get(page)?.size !== 0) calm = 0;
  }
}
