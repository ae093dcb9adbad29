import type { Browser } from 'playwright-core';
import { afterAll } from 'vitest';
import { launchBrowser, OpenPage } from './browser.ts';

/** That of a test file: it starts for longer than many a test lasts. */
let shared: Promise<Browser> | undefined;
afterAll(async () => (await shared)?.close());

/** A page with a profile of its own. */
export async function openPage(
  url: string,
  options?: { readonly isKept?: boolean; readonly timezoneId?: string },
): Promise<OpenPage> {
  shared ??= launchBrowser();
  return OpenPage.beside(await shared, url, options);
}
