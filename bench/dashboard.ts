import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { CDPSession, Page } from 'playwright-core';
import { eventCatalog } from '../src/events/catalog.ts';
import { Log } from '../src/store/log.ts';
import { openAdapter } from '../src/store/open.ts';
import { OpenPage } from '../test/support/browser.ts';
import { ensureBuilt, frames, shellFiles } from '../test/support/dashboard.ts';
import { inFolder } from './support/folder.ts';
import { percentile, Samples } from './support/measure.ts';
import { type Benchmark, limitRow, type Row } from './support/table.ts';
import { FAST_CHUNKS, FAST_PACE_MS, said } from './support/turns.ts';
import { writeUntidyMemory } from './support/untidyMemory.ts';
import { Watched } from './support/watched.ts';

const USER = 'anna';
const CONCLUSIONS = 10_000;
const EVENTS = 100_000;
/** As many events as a house that is always busy has in an hour. */
const LIVE_EVENTS = 3_600;
/** By then the lists of the page are full, and what is run often is compiled: what comes on top of it is growth. */
const FIRST_EVENTS = LIVE_EVENTS / 4;
const STREAM_MS = FAST_CHUNKS * FAST_PACE_MS;
const KB = 1_000;
const root = join(import.meta.dirname, '..');

/** What hands and eyes notice of the page, in a real browser, with a full memory and a long log. */
export const dashboard: Benchmark = {
  title: 'The dashboard in Chromium',
  needs: [{ command: 'chromium', debian: 'chromium' }],
  async run(rounds) {
    ensureBuilt();
    const samples = new Samples();
    const { variables, stop } = await startModels();
    try {
      await inFolder(async (folder) => {
        await fill(folder);
        const service = await Watched.hark({
          ...variables,
          SERVICE_DATA_DIR: folder,
          SERVICE_USER_ID: USER,
          API_RATE_LIMIT: '1000000000',
          CHAT_RATE_LIMIT: '1000000000',
        });
        try {
          for (let round = 0; round < rounds; round++) samples.add('page', await measure(service.url));
        } finally {
          await service.stop();
        }
      });
    } finally {
      stop();
    }
    const ours = (column: string) => samples.median('page', column);
    return [
      ...sizes(),
      limitRow('from the address to a usable chat', ours('usable'), 400, 'ms'),
      limitRow('the same, the processor six times slower', ours('slowed'), 1_500, 'ms'),
      limitRow('memory of 10,000: a key to its paint, p95', ours('memory'), 100, 'ms'),
      limitRow('a log of 100,000: a key to its paint, p95', ours('events'), 100, 'ms'),
      limitRow('200 chunks a second: longest frame', ours('frame'), 50, 'ms'),
      limitRow(`heap after ${LIVE_EVENTS.toLocaleString('en-US')} live events`, ours('heap'), 1.1, '×'),
      limitRow('of that, in the second half', ours('growing'), 1.02, '×'),
    ];
  },
};

function sizes(): readonly Row[] {
  const gzipped = (files: readonly string[]) =>
    files.reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0) / KB;
  const all = globSync(join(root, 'dist/dashboard/**/*.{js,css,html}'));
  return [
    limitRow('shell, gzip', gzipped(shellFiles()), 30, 'KB'),
    limitRow('everything, gzip', gzipped(all), 150, 'KB'),
  ];
}

async function fill(folder: string): Promise<void> {
  const share = { stale: 0.1, redundant: 0.1, doubtful: 0.1, orphans: 0 };
  await writeUntidyMemory(folder, { userId: USER, episodes: 1_000, conclusions: CONCLUSIONS, ...share });
  const store = await Log.open(await openAdapter('embedded', folder), eventCatalog);
  const who = { userId: null, correlationId: 'bench', causationId: null, at: Date.now() };
  for (let from = 0; from < EVENTS; from += 1_000) {
    const events = Array.from({ length: 1_000 }, (_, index) => changed(from + index));
    await store.append({ stream: 'settings', events, expected: 'any', ...who });
  }
  await store.close();
}

const changed = (index: number) =>
  ({ type: 'config:changed', data: { changes: { memoryRetentionDays: 100 + (index % 100) } } }) as const;

async function measure(url: string): Promise<Record<string, number>> {
  await using opened = await OpenPage.at(`${url}/status`);
  const { page } = opened;
  const session = await page.context().newCDPSession(page);
  const usable = await timeToChat(page, url);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  const slowed = await timeToChat(page, url);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const frame = await longestFrame(page, url);
  await page.goto(`${url}/memory`);
  await page.getByRole('searchbox').first().fill('');
  const memory = await toPaint(page, ['h', 'o', 'u', 's', 'e', 'Backspace', 'Backspace', 'Tab', 'Escape']);
  await page.goto(`${url}/events`);
  await page.getByRole('listitem').first().waitFor();
  const events = await toPaint(page, ['j', 'j', 'j', 'k', 'j', 'Enter', 'Escape', 'j', 'k']);
  await liveEvents(page, url, FIRST_EVENTS);
  const before = await held(page, session);
  await liveEvents(page, url, LIVE_EVENTS / 2);
  const half = await held(page, session);
  await liveEvents(page, url, LIVE_EVENTS / 2);
  const after = await held(page, session);
  return { usable, slowed, frame, memory, events, heap: after / before, growing: after / half };
}

/** Bytes that something in the page still holds. What runs when a collection begins outlives it, but not the next. */
async function held(page: Page, session: CDPSession): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (;;) {
    await frames(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    if (usedSize >= least) return least;
    least = usedSize;
  }
}

/** From the moment at which the address is asked for until somebody can write into the chat. */
async function timeToChat(page: Page, url: string): Promise<number> {
  await page.goto('about:blank');
  const started = performance.now();
  await page.goto(`${url}/`, { waitUntil: 'commit' });
  await page.locator('textarea:enabled').waitFor();
  return performance.now() - started;
}

/** How long the slowest of most keys took until what it did was painted, as the browser itself measures it. */
async function toPaint(page: Page, keys: readonly string[]): Promise<number> {
  await page.evaluate(`
    window.painted = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.painted.push(entry.duration);
    }).observe({ type: 'event', durationThreshold: 16, buffered: false });`);
  for (const key of keys) {
    await page.keyboard.press(key);
    await pause(60);
  }
  await pause(200);
  const painted: readonly number[] = await page.evaluate('window.painted');
  return painted.length === 0 ? 16 : percentile(painted, 95);
}

/** Between two frames while a reply is streamed as fast as a fast model speaks. */
async function longestFrame(page: Page, url: string): Promise<number> {
  await page.goto(`${url}/`);
  const field = page.locator('textarea:enabled');
  await field.fill(said.fast);
  await page.keyboard.press('Enter');
  await page.getByText('quick brown fox').first().waitFor();
  return page.evaluate(`new Promise((resolve) => {
    let last = performance.now(), longest = 0;
    const end = last + ${STREAM_MS / 2};
    const step = (now) => {
      longest = Math.max(longest, now - last);
      last = now;
      if (now < end) requestAnimationFrame(step);
      else resolve(longest);
    };
    requestAnimationFrame(step);
  })`);
}

/** Resolves when the page of the log shows the last of them. */
async function liveEvents(page: Page, url: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++)
    // Such changes are told to nobody who reads the log of the process, and so fill no pipe.
    await fetch(`${url}/api/users/${USER}/preferences`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ language: index % 2 === 0 ? 'en' : 'de' }),
    });
  const newest = await fetch(`${url}/api/events?limit=1&before=999999999999999`);
  const { events } = (await newest.json()) as { events: readonly { position: number }[] };
  await page.locator('.event .number').getByText(String(events[0]?.position), { exact: true }).waitFor();
}

/** Models in a process of their own: what they cost is not the page's. */
async function startModels() {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'support/chatModels.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const variables: Record<string, string> = JSON.parse(String(line));
  return { variables, stop: () => child.stdin.end() };
}
