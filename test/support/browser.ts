import assert from 'node:assert/strict';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const executable = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** Says why the tests that need a browser are left out; false where there is one. For the option `skip`. */
export const browserIsMissing: string | false =
  executable === undefined ? 'chromium is not installed (apt-get install chromium)' : false;

/** It speaks to the service alone, and keeps nothing. */
const args = [
  ...['--no-sandbox', '--headless', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** What a test waits for on a page comes in a moment; a machine that is busy with others is given time. */
const WAIT_MS = 120_000;

export function launchBrowser(...more: readonly string[]): Promise<Browser> {
  assert.ok(executable, 'There is no browser');
  return chromium.launch({ executablePath: executable, args: [...args, ...more] });
}

/** A page in a real browser, with a profile of its own, and what it complained of or asked elsewhere. */
export class OpenPage implements AsyncDisposable {
  readonly page: Page;
  /** Errors, warnings and what its policy refused. */
  readonly complaints: string[] = [];
  /** Of requests to other origins. */
  readonly elsewhere: string[] = [];
  readonly #close: () => Promise<void>;

  private constructor(page: Page, origin: string, close: () => Promise<void>) {
    this.#close = close;
    this.page = page;
    page.on('pageerror', ({ message }) => this.complaints.push(message));
    page.on('console', (message) => {
      // What the API refuses, the page tells of itself.
      const { url } = message.location();
      const isRefusal = url.startsWith(`${origin}/api/`);
      if (['error', 'warning'].includes(message.type()) && !isRefusal)
        this.complaints.push(`${message.text()} (${url})`);
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith('data:') && new URL(url).origin !== origin) this.elsewhere.push(url);
    });
  }

  /** In a browser of its own, whose microphone hears what is in the WAV file, once. */
  static async at(url: string, { microphone }: { readonly microphone?: string } = {}): Promise<OpenPage> {
    const sound =
      microphone === undefined
        ? []
        : [
            ...['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
            `--use-file-for-fake-audio-capture=${microphone}%noloop`,
          ];
    const browser = await launchBrowser(...sound);
    return OpenPage.#in(await browser.newContext(), url, () => browser.close());
  }

  /**
   * In one that others use as well. The worker that keeps the page for when the service is away does not start, unless
   * it is asked for: no test holds back or changes an answer that goes past it.
   */
  static async beside(
    browser: Browser,
    url: string,
    { isKept = false, timezoneId }: { readonly isKept?: boolean; readonly timezoneId?: string } = {},
  ): Promise<OpenPage> {
    const context = await browser.newContext(timezoneId === undefined ? {} : { timezoneId });
    if (!isKept)
      await context.addInitScript(
        'if (navigator.serviceWorker) navigator.serviceWorker.register = () => new Promise(() => undefined)',
      );
    return OpenPage.#in(context, url, () => context.close());
  }

  static async #in(context: BrowserContext, url: string, close: () => Promise<void>): Promise<OpenPage> {
    context.setDefaultTimeout(WAIT_MS);
    const opened = new OpenPage(await context.newPage(), new URL(url).origin, close);
    await opened.page.goto(url);
    return opened;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}
