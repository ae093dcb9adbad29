import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { inFolder } from './support/folder.ts';
import { NODE_OPTIONS } from './support/hark.ts';
import { askHelper } from './support/helper.ts';
import { percentile, Samples } from './support/measure.ts';
import { type Benchmark, limitRow } from './support/table.ts';
import { writeTasks } from './support/taskLog.ts';
import { Watched } from './support/watched.ts';

const TASKS = 100_000;
const SOON = 1_000;
const PAGES = 400;
const WARM_UP = 50;
const USER = 'anna';
/** By then the process that is to fire them has them. */
const LEAD_MS = 6_000;
const FIRING = new URL('./support/firingProcess.ts', import.meta.url);
const BARE = new URL('./support/bareTasks.ts', import.meta.url);

interface Fired extends Record<string, number> {
  readonly ms: number;
  readonly mib: number;
  readonly p99: number;
}

export const scheduler: Benchmark = {
  title: `${TASKS.toLocaleString('en-US')} scheduled tasks, ${SOON.toLocaleString('en-US')} of them due within one second; sqlite`,
  async run(rounds) {
    const samples = new Samples();
    for (let round = 0; round < rounds; round++)
      await inFolder(async (folder) => {
        samples.add('bare', await askHelper<Fired>(BARE, [folder, TASKS, SOON]));
        await writeTasks(folder, { count: TASKS, soon: SOON, leadMs: LEAD_MS, userId: USER });
        samples.add('hark', await askHelper<Fired>(FIRING, [folder, SOON], NODE_OPTIONS));
        samples.add('hark', await listPages(folder));
        samples.add('hark', await listAll(folder));
      });
    const ours = (column: string) => samples.median('hark', column);
    const bare = (column: string, unit: string) =>
      `bare heap and table: ${samples.median('bare', column).toFixed(1)} ${unit}`;
    return [
      limitRow('all known after a start', ours('ms'), 400, 'ms', bare('ms', 'ms')),
      limitRow('resident for them', ours('mib'), 60, 'MiB', bare('mib', 'MiB')),
      limitRow('main thread blocked meanwhile', ours('blockedLoading'), 10, 'ms'),
      limitRow('fired late, p99, durably', ours('p99'), 10, 'ms', bare('p99', 'ms')),
      limitRow('main thread blocked meanwhile', ours('blockedFiring'), 10, 'ms'),
      limitRow('a page of 50 over HTTP, p50', ours('page'), 5, 'ms'),
      limitRow('a page of 50 over HTTP, p99', ours('page99'), 20, 'ms'),
      limitRow('main thread blocked at most', ours('blockedListing'), 10, 'ms'),
      limitRow('all of them in one answer', ours('all'), 30_000, 'ms'),
      limitRow('main thread blocked meanwhile', ours('blockedByAll'), 10, 'ms'),
    ];
  },
};

/** Pages from all over the list, one after the other, by a service that has just started. */
async function listPages(folder: string): Promise<Record<string, number>> {
  const service = await startOn(folder);
  const times: number[] = [];
  let blockedListing: number;
  try {
    const places = await placesAllOver(service.url);
    service.watch();
    for (let index = 0; index < PAGES + WARM_UP; index++) {
      const started = performance.now();
      await page(service.url, 50, places[(index * 37) % places.length]);
      if (index >= WARM_UP) times.push(performance.now() - started);
    }
  } finally {
    blockedListing = await service.stop();
  }
  return { page: percentile(times, 50), page99: percentile(times, 99), blockedListing };
}

/** The whole list at once, by a service that has just started. */
async function listAll(folder: string): Promise<Record<string, number>> {
  const service = await startOn(folder);
  let all: number;
  let blockedByAll: number;
  try {
    for (let index = 0; index < WARM_UP; index++) await page(service.url, 50, undefined);
    service.watch();
    const started = performance.now();
    const listed = await page(service.url, undefined, undefined);
    all = performance.now() - started;
    if (listed.tasks.length !== TASKS) throw new Error(`Of ${TASKS} tasks ${listed.tasks.length} are listed`);
  } finally {
    blockedByAll = await service.stop();
  }
  return { all, blockedByAll };
}

function startOn(folder: string): Promise<Watched> {
  return Watched.hark({
    SERVICE_DATA_DIR: folder,
    SERVICE_USER_ID: USER,
    SERVICE_CREDENTIAL_SALT: '00'.repeat(32),
    API_RATE_LIMIT: String(Number.MAX_SAFE_INTEGER),
  });
}

async function placesAllOver(url: string): Promise<readonly string[]> {
  const places: string[] = [];
  for (let after: string | undefined; places.length < PAGES / 2; ) {
    const { tasks, next } = await page(url, 500, after);
    if (next === undefined) break;
    places.push(next, tasks[250]?.id ?? next);
    after = next;
  }
  return places;
}

interface Page {
  readonly tasks: readonly { readonly id: string }[];
  readonly next?: string;
}

async function page(url: string, limit: number | undefined, after: string | undefined): Promise<Page> {
  const query = new URLSearchParams();
  if (limit !== undefined) query.set('limit', String(limit));
  if (after !== undefined) query.set('after', after);
  const path = `/api/scheduler/tasks?${query}`;
  const body = await new Promise<string>((resolve, reject) => {
    const asked = request(url + path, (response) => text(response).then(resolve, reject));
    asked.on('error', reject).end();
  });
  return JSON.parse(body);
}
