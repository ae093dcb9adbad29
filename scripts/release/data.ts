import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';
import { z } from 'zod';
import { serveDemoModel } from '../../src/demo/model/demoModel.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { seed } from '../../src/demo/seed.ts';
import { startService } from '../../src/library.ts';
import { readVersion } from '../../src/version.ts';

/*
 * node scripts/release/data.ts: lives a little with this version, and keeps in `migrations/data/<version>` the log that
 * came of it, and what the service then shows. A release keeps its own, and every later version has to show the same. Until
 * it is released, a version may write its own anew.
 */

const folder = join(import.meta.dirname, '../../migrations/data', readVersion());
/** The clock of the service, which stands still. */
const NOW = Date.UTC(2026, 10, 23, 9);
const QUIET_MS = 1_000;

const PREFERENCES = '/api/users/default/preferences';
/** What somebody would miss. */
const PATHS = [
  '/api/chat/history/kitchen',
  '/api/chat/sessions',
  '/api/entities',
  '/api/memory/conclusions',
  '/api/memory/episodes',
  '/api/memory/export',
  '/api/memory/profile',
  '/api/notifications/channels',
  PREFERENCES,
  '/api/scheduler/tasks',
];

const data = mkdtempSync(join(tmpdir(), 'hark-data-'));
const models = await ScriptedModels.start({ record: false });
serveDemoModel(models);
const options = {
  ...{ HEALTH_PORT: 0, MCP_PORT: 0, AUDIO_PORT: 0, SERVICE_MDNS_ENABLED: false, LOG_LEVEL: 'error' },
  ...{ NODE_ENV: 'test', SERVICE_TEST_NOW: NOW, SERVICE_NLI_ENABLED: false },
  SERVICE_BACKGROUND_WORK_POLICY: 'always',
  ...{ SERVICE_DATA_DIR: data, OLLAMA_HOST: models.url('local-runner') },
};

const first = await startService(options);
await live(first.url);
await quiet(first.url);
await first.stop();
// What is shown is what a start finds, and not what was still in memory.
const second = await startService(options);
await quiet(second.url);
const shown = Object.fromEntries(
  await Promise.all(PATHS.map(async (path) => [path, await ask(second.url, 'GET', path)] as const)),
);
await second.stop();
await models.stop();

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'hark.db.br'), brotliCompressSync(readFileSync(join(data, 'hark.db'))));
writeFileSync(join(folder, 'shown.json'), `${JSON.stringify({ now: NOW, shown }, null, 1)}\n`);
rmSync(data, { recursive: true });

async function live(url: string): Promise<void> {
  await seed(url, NOW);
  await ask(url, 'PUT', PREFERENCES, { timezone: 'Europe/Amsterdam', locale: 'en-GB' });
  const told = await ask(url, 'POST', '/api/memory/conclusions', { text: 'Keeps the spare key at Mia’s.' });
  const { conclusion } = z.object({ conclusion: z.object({ id: z.string() }) }).parse(told);
  await ask(url, 'DELETE', `/api/memory/conclusions/${conclusion.id}`);
  await ask(url, 'POST', '/api/chat', { text: 'What is 17 * 23?', sessionId: 'kitchen' });
  await ask(url, 'POST', '/api/scheduler/tasks', { name: 'Tea', every: '1 day', text: 'The tea is ready.' });
  await ask(url, 'POST', '/api/notifications/channels', {
    ...{ name: 'Phone', type: 'ntfy', settings: { url: 'https://ntfy.example.org', topic: 'robin' } },
  });
}

/** Resolves when nothing has been written for a while. */
async function quiet(url: string): Promise<void> {
  for (let before = -1, head = await headOf(url); head !== before; ) {
    await sleep(QUIET_MS);
    [before, head] = [head, await headOf(url)];
  }
}

async function headOf(url: string): Promise<number> {
  const newest = await ask(url, 'GET', '/api/events?limit=1&before=1000000000');
  return (
    z.object({ events: z.array(z.object({ position: z.number() })) }).parse(newest).events[0]?.position ?? 0
  );
}

async function ask(url: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(url + path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} gave ${answer.status}: ${text}`);
  const isWhole = answer.headers.get('content-type')?.startsWith('application/json');
  return isWhole
    ? JSON.parse(text)
    : text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
}
