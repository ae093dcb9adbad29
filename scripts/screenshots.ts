import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { OpenPage } from '../test/support/browser.ts';
import { ensureBuilt } from '../test/support/dashboard.ts';
import { addressOf, converse, startDrawn, visit } from './looks/drawn.ts';
import { indexedPng } from './looks/indexedPng.ts';

/*
 * node scripts/screenshots.ts [name…]: draws each page of the dashboard for README and docs/, from the demo, in
 * Chromium.
 */

const root = join(import.meta.dirname, '..');
const only = process.argv.slice(2);
const REST_MS = 800;
const folder = join(root, 'docs/pictures');

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
}

ensureBuilt();
mkdirSync(folder, { recursive: true });
const demo = startDrawn('demo');
try {
  const url = await addressOf(demo.stdout);
  await using opened = await OpenPage.at(url);
  const { page } = opened;
  const chat = await converse(page);
  await post('/api/notifications', { text: 'The train to Bergen leaves at 7:43 from platform 5.' });
  await post('/api/workflows/about-me/execute', { input: {} });
  const shots = await shotsOf(chat);
  for (const { name, path, width = 1200, scheme = 'light' } of shots) {
    if (only.length > 0 && !only.includes(name)) continue;
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await visit(page, url + path, { width, height: width < 600 ? 720 : 760 });
    // A picture of the page at rest: what it asks for after its first frame is there too.
    await setTimeout(REST_MS);
    writeFileSync(join(folder, `${name}.png`), indexedPng(await page.screenshot()));
  }

  async function shotsOf(chat: string): Promise<readonly Shot[]> {
    const why = `/why/${await idOf('/api/memory/conclusions?q=allergic', 'conclusions')}`;
    const entity = `/entities/${await idOf('/api/entities?q=Mia', 'entities')}`;
    const task = `/schedules/${await idOf('/api/scheduler/tasks', 'tasks')}`;
    return [
      { name: 'chat', path: chat },
      { name: 'memory', path: '/memory' },
      { name: 'episodes', path: '/memory?tab=episodes' },
      { name: 'profile', path: '/memory?tab=profile' },
      { name: 'conclusions', path: '/why' },
      { name: 'why', path: why },
      { name: 'last-night', path: '/last-night' },
      { name: 'thresholds', path: '/last-night?show=otherwise' },
      { name: 'contradictions', path: '/contradictions' },
      { name: 'entities', path: '/entities' },
      { name: 'entity', path: entity },
      { name: 'notifications', path: '/notifications' },
      { name: 'channels', path: '/notifications?show=channels' },
      { name: 'schedules', path: '/schedules' },
      { name: 'task', path: task },
      { name: 'workflows', path: '/workflows' },
      { name: 'workflow', path: '/workflows/about-me' },
      { name: 'webhooks', path: '/webhooks' },
      { name: 'tool-servers', path: '/tool-servers' },
      { name: 'providers', path: '/providers' },
      { name: 'slots', path: '/providers?show=slots' },
      { name: 'catalog', path: '/providers?show=catalog' },
      { name: 'spend', path: '/spend' },
      { name: 'models', path: '/models' },
      { name: 'devices', path: '/devices' },
      { name: 'capture', path: '/capture' },
      { name: 'events', path: '/events' },
      { name: 'settings', path: '/settings' },
      { name: 'health', path: '/status' },
      { name: 'setup', path: '/setup' },
      { name: 'api', path: '/docs' },
      { name: 'past', path: `/memory?at=${Date.now() - 1_000}` },
      { name: 'why-dark', path: why, scheme: 'dark' },
      { name: 'health-dark', path: '/status', scheme: 'dark' },
      { name: 'chat-phone', path: chat, width: 360 },
      { name: 'memory-phone', path: '/memory', width: 360 },
      { name: 'settings-phone', path: '/settings', width: 360 },
    ];
  }

  /** Of the first that is listed; what things are called is known only to the demo that runs. */
  async function idOf(path: string, list: string): Promise<string> {
    const answer: unknown = await (await fetch(url + path)).json();
    const [first] = z.record(z.string(), z.unknown()).parse(answer)[list] as unknown[];
    return z.object({ id: z.string() }).parse(first).id;
  }

  async function post(path: string, body: unknown): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
  }
} finally {
  demo.kill('SIGTERM');
}
