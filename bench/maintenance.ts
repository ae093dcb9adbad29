import { wordSet } from '../src/application/maintenance/redundancy/planMerges.ts';
import { findSimilar } from '../src/application/maintenance/redundancy/similarSets.ts';
import { Random } from '../test/support/random.ts';
import { inFolder } from './support/folder.ts';
import { askHelper, startHelper } from './support/helper.ts';
import { Samples } from './support/measure.ts';
import { type Benchmark, limitRow, ratioRow } from './support/table.ts';
import type { TurnCalls, TurnTimes } from './support/turnCaller.ts';
import { chatOnly, type Provided, RestClient, said } from './support/turns.ts';
import { textsOf, type Untidy, writeUntidyMemory } from './support/untidyMemory.ts';
import { Watched } from './support/watched.ts';

const CONCLUSIONS = 50_000;
const LEAST = 0.85;
/** Of the sets, every one of these is held against all others; the rest is reckoned from that. */
const NAIVE_ROWS = 400;
const AT_ONCE = 10;
const TURNS = 1_000;
const MODELS = new URL('./support/chatModels.ts', import.meta.url);
const CALLER = new URL('./support/turnCaller.ts', import.meta.url);
const USER = 'anna';

const untidy: Untidy = {
  userId: USER,
  episodes: 10_000,
  conclusions: 10_000,
  stale: 0.2,
  redundant: 0.05,
  doubtful: 0.1,
  orphans: 0.3,
};

/** Each sweep has something to do with every conclusion, and never comes to an end of it. */
const restless: Untidy = { ...untidy, stale: 1, doubtful: 0 };

export const maintenance: Benchmark = {
  title: `Sweeps of a memory of ${untidy.conclusions.toLocaleString('en-US')} conclusions and as many episodes, with no model that judges`,
  async run(rounds) {
    const samples = new Samples();
    const sets = textsOf({ conclusions: CONCLUSIONS, redundant: 0.1 }, new Random(5)).map(wordSet);
    const { answer: models, stop } = await startHelper<Provided>(MODELS);
    for (let round = 0; round < rounds; round++) {
      samples.add('join', { ms: timeOf(() => findSimilar(sets, LEAST, () => {})) });
      samples.add('naive', { ms: naive(sets) });
      await inFolder(async (folder) => samples.add('sweep', await sweepOnce(folder)));
      await inFolder(async (folder) => samples.add('chat', await chatBeside(folder, models)));
    }
    await stop();
    const seconds = (samples.median('naive', 'ms') / 1_000).toFixed(0);
    const against = `every pair: ${seconds} s (${NAIVE_ROWS} rows, scaled)`;
    const quiet = { name: 'no sweep', figure: samples.median('chat', 'quiet') };
    const what = `Jaccard ≥ ${LEAST} over ${CONCLUSIONS.toLocaleString('en-US')} conclusions of 8 to 20 words`;
    return [
      limitRow(what, samples.median('join', 'ms'), 400, 'ms', against),
      limitRow('a whole sweep, durable', samples.median('sweep', 'ms'), 1_500, 'ms'),
      limitRow('main thread blocked at most', samples.median('sweep', 'blocked'), 10, 'ms'),
      ratioRow('chat beside sweeps, p99', quiet, samples.median('chat', 'busy'), { most: 1.2 }, 'ms'),
    ];
  },
};

function timeOf(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function naive(sets: readonly (readonly string[])[]): number {
  const others = sets.map((set) => new Set(set));
  let found = 0;
  const ms = timeOf(() => {
    for (let row = 0; row < NAIVE_ROWS; row++) {
      const one = sets[Math.floor((row * sets.length) / NAIVE_ROWS)] ?? [];
      for (const other of others) {
        let shared = 0;
        for (const word of one) if (other.has(word)) shared++;
        if (shared / (one.length + other.size - shared) >= LEAST) found++;
      }
    }
  });
  if (found < NAIVE_ROWS) throw new Error('Every set is like itself');
  // Each pair is looked at once, and not from both sides.
  return (ms * sets.length) / NAIVE_ROWS / 2;
}

async function sweepOnce(folder: string): Promise<Record<string, number>> {
  await writeUntidyMemory(folder, untidy);
  const service = await harkOn(folder);
  const client = new RestClient(service.url);
  // Until the memory is loaded, which is not the sweep's.
  await (await fetch(`${service.url}/api/memory/maintain/history`)).text();
  service.watch();
  const started = performance.now();
  const { summary } = await client.post('/api/memory/maintain', {});
  const ms = performance.now() - started;
  if (!JSON.stringify(summary).includes('"decayed":')) throw new Error('There was no sweep');
  return { ms, blocked: await service.stop() };
}

async function chatBeside(folder: string, models: Provided): Promise<Record<string, number>> {
  await writeUntidyMemory(folder, restless);
  const service = await harkOn(folder, {
    ...chatOnly(models),
    SERVICE_USER_ID: 'ben',
    SERVICE_MEMORY_DECAY_FACTOR: '0.999',
  });
  await turns(service.url);
  const { p99: quiet } = await turns(service.url);
  const busy = new AbortController();
  const sweeping = sweepUntil(busy.signal, service.url);
  const { p99 } = await turns(service.url);
  busy.abort();
  const sweeps = await sweeping;
  await service.stop();
  if (sweeps === 0) throw new Error('There was no sweep meanwhile');
  return { quiet, busy: p99 };
}

async function sweepUntil(signal: AbortSignal, url: string): Promise<number> {
  let sweeps = 0;
  while (!signal.aborted) {
    const headers = { 'content-type': 'application/json', 'x-user-id': USER };
    const answer = await fetch(`${url}/api/memory/maintain`, { method: 'POST', headers, body: '{}' });
    await answer.text();
    if (answer.ok) sweeps++;
  }
  return sweeps;
}

function turns(url: string): Promise<TurnTimes> {
  const calls: TurnCalls = { how: 'rest', url, what: said.later, atOnce: AT_ONCE, count: TURNS };
  return askHelper(CALLER, calls);
}

function harkOn(folder: string, more: Provided = {}): Promise<Watched> {
  const many = String(Number.MAX_SAFE_INTEGER);
  return Watched.hark({
    SERVICE_DATA_DIR: folder,
    SERVICE_USER_ID: USER,
    SERVICE_NLI_ENABLED: 'false',
    SERVICE_BACKGROUND_WORK_POLICY: 'always',
    API_RATE_LIMIT: many,
    CHAT_RATE_LIMIT: many,
    ...more,
  });
}
