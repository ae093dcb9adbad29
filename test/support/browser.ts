import assert from 'node:assert/strict';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

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

/** A page in a real browser, with a profile of its own, and what it complained of or asked elsewhere. */
export class OpenPage implements AsyncDisposable {
  readonly page: Page;
  /** Errors, warnings and what its policy refused. */
  readonly complaints: string[] = [];
  /** Of requests to other origins. */
  readonly elsewhere: string[] = [];
  readonly #browser: Browser;

  private constructor(browser: Browser, page: Page, origin: string) {
    this.#browser = browser;
    this.page = page;
    page.on('pageerror', ({ message }) => this.complaints.push(message));
    page.on('console', (message) => {
      // What the API refuses, the page tells of itself.
      const isRefusal = message.location().url.startsWith(`${origin}/api/`);
      if (['error', 'warning'].includes(message.type()) && !isRefusal) this.complaints.push(message.text());
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith('data:') && new URL(url).origin !== origin) this.elsewhere.push(url);
    });
  }

  /** Its microphone hears what is in the WAV file, once. */
  static async at(url: string, { microphone }: { readonly microphone?: string } = {}): Promise<OpenPage> {
    assert.ok(executable, 'There is no browser');
    const sound =
      microphone === undefined
        ? []
        : [
            ...['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
            `--use-file-for-fake-audio-capture=${microphone}%noloop`,
          ];
    const browser = await chromium.launch({ executablePath: executable, args: [...args, ...sound] });
    const opened = new OpenPage(browser, await (await browser.newContext()).newPage(), new URL(url).origin);
    await opened.page.goto(url);
    return opened;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}
