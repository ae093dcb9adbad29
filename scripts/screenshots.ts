import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { OpenPage } from '../test/support/browser.ts';
import { ensureBuilt } from '../test/support/dashboard.ts';

/*
 * node scripts/screenshots.ts: draws the pages of the dashboard for README and docs/, from the demo, in Chromium.
 */

const root = join(import.meta.dirname, '..');
const REST_MS = 800;
const known = z.object({ conclusions: z.array(z.object({ id: z.string() })) });
const folder = join(root, 'docs/pictures');
const QUESTION = 'Remember that I am allergic to peanuts. What is 12 times 12?';

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  /** Which belief is explained, is known only to the demo that runs. */
  readonly belief?: true;
}

const shots: readonly Shot[] = [
  { name: 'chat', path: '/' },
  { name: 'memory', path: '/memory' },
  { name: 'why', path: '/why/', belief: true },
  { name: 'why-dark', path: '/why/', belief: true, scheme: 'dark' },
  { name: 'entities', path: '/entities' },
  { name: 'last-night', path: '/last-night' },
  { name: 'schedules', path: '/schedules' },
  { name: 'providers', path: '/providers' },
  { name: 'devices', path: '/devices' },
  { name: 'events', path: '/events' },
  { name: 'health-dark', path: '/status', scheme: 'dark' },
  { name: 'memory-phone', path: '/memory', width: 360 },
  { name: 'settings-phone', path: '/settings', width: 360 },
];

ensureBuilt();
mkdirSync(folder, { recursive: true });
const demo = spawn(process.execPath, [join(root, 'bin/hark.js'), 'demo'], {
  cwd: root,
  env: { ...process.env, HEALTH_PORT: '0', MCP_PORT: '0', AUDIO_PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const url = await addressOf(demo.stdout);
  await using opened = await OpenPage.at(url);
  const { page } = opened;
  await page.locator('textarea:enabled').fill(QUESTION);
  await page.keyboard.press('Enter');
  await page
    .getByText(/tokens/)
    .first()
    .waitFor();
  const chat = new URL(page.url()).pathname;
  const answer = await fetch(`${url}/api/memory/conclusions?limit=1`);
  const [believed] = known.parse(await answer.json()).conclusions;
  for (const { name, path, width = 1200, scheme = 'light', belief } of shots) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: width < 600 ? 720 : 760 });
    await page.goto(url + (path === '/' ? chat : belief ? `${path}${believed?.id}` : path));
    await page.locator('h1').waitFor();
    await page.locator('.loading').waitFor({ state: 'detached' });
    // A picture of the page at rest: what it asks for after its first frame is there too.
    await setTimeout(REST_MS);
    await page.screenshot({ path: join(folder, `${name}.png`) });
  }
} finally {
  demo.kill('SIGTERM');
}

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [address] = /http:\/\/[\w.:]+/.exec(line) ?? [];
    if (address) return address;
  }
  throw new Error('The demo did not say where it listens');
}
