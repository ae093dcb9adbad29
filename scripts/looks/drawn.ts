import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Page } from 'playwright-core';

const PROGRAM = join(import.meta.dirname, '../../bin/hark.js');
const PORTS = { HEALTH_PORT: '0', MCP_PORT: '0', AUDIO_PORT: '0' };

/** The service whose pages are drawn, with the demo or with what lies in its folder; it ends with `SIGTERM`. */
export function startDrawn(
  command: 'demo' | 'start',
  environment: Readonly<Record<string, string>> = {},
): ChildProcessByStdio<null, Readable, null> {
  const { PATH = '' } = process.env;
  return spawn(process.execPath, [PROGRAM, command], {
    env: { PATH, ...PORTS, API_RATE_LIMIT: '1000000', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** As it says it when it is ready. */
export async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [address] = /http:\/\/[\w.:]+/.exec(line) ?? [];
    if (address) return address;
    const port = /"health":(\d+)/.exec(line)?.[1];
    if (port) return `http://127.0.0.1:${port}`;
  }
  throw new Error('The service did not say where it listens');
}

/** Something is said on the page of chats and answered; resolves with the path of that conversation. */
export async function converse(page: Page): Promise<string> {
  await page.locator('textarea:enabled').fill('Remember that I am allergic to peanuts. What is 12 times 12?');
  await page.keyboard.press('Enter');
  await page
    .getByText(/tokens/)
    .first()
    .waitFor();
  return new URL(page.url()).pathname;
}

/** Opens a page at this width, and resolves when all of it is there. */
export async function visit(page: Page, url: string, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.goto(url);
  await page.locator('h1').waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
}
