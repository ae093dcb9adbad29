import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpenPage } from '../test/support/browser.ts';
import { ensureBuilt } from '../test/support/dashboard.ts';
import { addressOf, converse, startDrawn, visit } from './looks/drawn.ts';
import { fill } from './looks/fill.ts';
import { openStates } from './looks/openStates.ts';

/*
 * node scripts/looks.ts FOLDER [nothing|little|full|open] [path…]: draws each page of the dashboard at 360, 768 and
 * 1440 px, light and dark, with nothing, with what the demo knows, or with 10,000 of everything, for somebody to look
 * at. With `open` it draws the dialogs, menus and unfolded parts of the demo, at 360 and 1440 px.
 */

const [out = '', amount = 'little', ...only] = process.argv.slice(2);
const REST_MS = 700;
/** With much in it, the service first does what came due while it was away. */
const PATIENCE_MS = 180_000;
const PAGES = [
  ...[
    '/',
    '/memory',
    '/memory?tab=episodes',
    '/memory?tab=profile',
    '/why',
    '/last-night',
    '/contradictions',
  ],
  ...['/entities', '/notifications', '/notifications?show=channels', '/schedules', '/workflows', '/webhooks'],
  ...['/tool-servers', '/providers', '/providers?show=slots', '/providers?show=catalog', '/spend', '/models'],
  ...['/devices', '/capture', '/events', '/settings', '/settings?tab=you', '/status', '/setup', '/docs'],
];
const more: Readonly<Record<string, readonly string[]>> = {
  nothing: [],
  little: ['/workflows/about-me'],
  full: ['/chat/long', '/why/c700', '/entities/x0', '/schedules/t9001', '/workflows/digest'],
};

ensureBuilt();
mkdirSync(out, { recursive: true });
const isDemo = amount === 'little' || amount === 'open';
const folder = mkdtempSync(join(tmpdir(), 'hark-looks-'));
if (amount === 'full') await fill(folder);
const service = isDemo
  ? startDrawn('demo')
  : startDrawn('start', { SERVICE_DATA_DIR: folder, OLLAMA_HOST: 'http://127.0.0.1:9' });
try {
  const url = await addressOf(service.stdout);
  await using opened = await OpenPage.at(`${url}/status`);
  const { page } = opened;
  page.setDefaultTimeout(amount === 'open' ? 6_000 : PATIENCE_MS);
  const wanted = [...PAGES, ...(more[amount] ?? [])].filter(
    (path) => only.length === 0 || only.includes(path),
  );
  if (isDemo && wanted.includes('/')) {
    await page.goto(url);
    wanted.push(await converse(page));
  }
  const isNamed = (name: string) => only.length === 0 || only.includes(name);
  if (amount === 'open')
    for (const { name, path, open } of openStates.filter(({ name }) => isNamed(name)))
      for (const width of [360, 1440]) {
        await visit(page, url + path, { width, height: width === 360 ? 720 : 900 });
        // What is asked of a width at which it is not there is left out.
        const isThere = await open(page).then(
          () => true,
          (error: Error) => process.stderr.write(`${name} at ${width}: ${error.message}\n`) && false,
        );
        if (isThere) await draw(`open-${name}-${width}`);
      }
  else
    for (const path of wanted)
      for (const width of [360, 768, 1440]) {
        await visit(page, url + path, { width, height: width === 360 ? 720 : 900 });
        const name = `${amount}-${path.slice(1).replaceAll(/\W+/g, '-') || 'chat'}`;
        await draw(`${name}-${width}`);
      }
  async function draw(name: string) {
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ path: join(out, `${name}-${colorScheme}.png`) });
    }
  }
  for (const complaint of new Set(opened.complaints)) process.stderr.write(`${complaint}\n`);
} finally {
  service.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}
