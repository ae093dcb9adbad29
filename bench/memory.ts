import { mkdirSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventCatalog } from '../src/events/catalog.ts';
import { Log } from '../src/store/log.ts';
import { openAdapter } from '../src/store/open.ts';
import { inFolder } from './support/folder.ts';
import { writeMemory } from './support/fullMemory.ts';
import { askHelper, startHelper } from './support/helper.ts';
import { percentile, Samples } from './support/measure.ts';
import type { MemoryPeer, PeerTimes } from './support/memoryPeer.ts';
import { Summaries } from './support/summaries.ts';
import { type Benchmark, limitRow, ratioRow } from './support/table.ts';
import { Watched } from './support/watched.ts';

const EPISODES = 10_000;
const ASKED = 400;
const WARM_UP = 50;
/** What they are compared with comes after as many events of the same process: V8 has compiled by then what it ever will. */
const KEPT_BEFORE = 1_000;
const LOOK_MS = 3_000;
const SETTLES_MS = 5_000;
const USER = 'anna';
const PEER = new URL('./support/memoryPeer.ts', import.meta.url);
/** They take their time. */
const PEERS_ASKED = 30;
const EMBEDDER = new URL('./support/embedServer.ts', import.meta.url);
const CHAT = { provider: 'cloud-b', model: 'gpt-5-mini' } as const;
const EMBEDDING = { provider: 'cloud-b', model: 'text-embedding-3-small' } as const;

export const memory: Benchmark = {
  title: `One user's memory of ${EPISODES.toLocaleString('en-US')} episodes and vectors, over HTTP; a model that embeds at once`,
  async run(rounds) {
    const samples = new Samples();
    const embedder = await startHelper<string>(EMBEDDER);
    try {
      await withPeers(embedder.answer, async (measurePeers) => {
        for (let round = 0; round < rounds; round++) {
          await inFolder((folder) => measure(folder, embedder.answer, samples));
          await measurePeers(samples);
        }
      });
    } finally {
      await embedder.stop();
    }
    const ours = (column: string) => samples.median('hark', column);
    const peer = (name: MemoryPeer['peer'], column: string) => {
      return { name: peerNames[name], figure: samples.median(name, column) };
    };
    const bare = { name: 'bare append', figure: samples.median('bare', 'append') };
    return [
      limitRow('search, p50', ours('search'), 3, 'ms'),
      ratioRow('search, p50', peer('mastra', 'search'), ours('search'), { most: 0.33 }, 'ms'),
      ratioRow('search, p50', peer('mem0', 'search'), ours('search'), { most: 0.01 }, 'ms'),
      limitRow('search, p99', ours('search99'), 20, 'ms'),
      limitRow('the first search of a cold user', ours('cold'), 400, 'ms'),
      limitRow('the same with no index kept', ours('unkept'), 400, 'ms'),
      limitRow('context, p50', ours('context'), 5, 'ms'),
      limitRow('context, p99', ours('context99'), 20, 'ms'),
      ratioRow('keeping a conclusion, p50', bare, ours('save'), { most: 1.8 }, 'ms'),
      ratioRow('keeping a conclusion, p50', peer('mastra', 'save'), ours('save'), { most: 1 }, 'ms'),
      ratioRow('keeping a conclusion, p50', peer('mem0', 'save'), ours('save'), { most: 1 }, 'ms'),
      limitRow('main thread blocked at most', ours('blocked'), 10, 'ms'),
    ];
  },
};

const peerNames = { mastra: 'Mastra memory, libsql', mem0: 'mem0ai' } as const;

/** Each peer is filled once: to take in ten thousand texts takes it minutes. */
async function withPeers(
  embedderUrl: string,
  work: (measure: (samples: Samples) => Promise<void>) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const asking = (['mastra', 'mem0'] as const).map((peer) => {
      const own = join(folder, peer);
      mkdirSync(own);
      const given = { peer, folder: own, embedderUrl, episodes: EPISODES };
      return {
        peer,
        ask: (asked: number) => askHelper<PeerTimes>(PEER, { ...given, asked } satisfies MemoryPeer),
      };
    });
    for (const { ask } of asking) await ask(0);
    await work(async (samples) => {
      for (const { peer, ask } of asking) samples.add(peer, { ...(await ask(PEERS_ASKED)) });
    });
  });
}

async function measure(folder: string, embedderUrl: string, samples: Samples): Promise<void> {
  const summaries = new Summaries();
  const texts = Array.from({ length: EPISODES }, () => summaries.text(30));
  await writeMemory(folder, USER, texts, EMBEDDING);
  samples.add('bare', { append: await bareAppend(folder) });
  const many = String(Number.MAX_SAFE_INTEGER);
  const environment = {
    SERVICE_DATA_DIR: folder,
    SERVICE_USER_ID: USER,
    SERVICE_CREDENTIAL_SALT: '00'.repeat(32),
    API_RATE_LIMIT: many,
    // A few words have little in common with thirty.
    SERVICE_MEMORY_SIMILARITY_THRESHOLD: '0.05',
    OPENAI_API_KEY: 'sk-benchmark',
    OPENAI_BASE_URL: embedderUrl,
  };
  await leaveIndex(folder, environment, samples);
  const service = await Watched.hark(environment);
  const caller = new Caller(service.url);
  try {
    const queries = Array.from({ length: ASKED + WARM_UP }, () => summaries.query().join(' '));
    let byMeaning = 0;
    const search = async (query = '') => {
      const path = `/api/memory/search?q=${encodeURIComponent(query)}`;
      if ((await caller.call('GET', path)).includes('"semantic"')) byMeaning++;
    };
    const cold = await firstSearch(caller);
    const found = await timed(queries, search, () => service.watch());
    if (byMeaning < ASKED / 2) throw new Error('Little was found by meaning');
    const told = await timed(queries, (query) => caller.call('POST', '/api/memory/context', { query }));
    const keep = () =>
      caller.call('POST', '/api/memory/conclusions', { text: `I like ${summaries.query().join(' ')}` });
    for (let before = 0; before < KEPT_BEFORE; before++) await keep();
    // What was said gets its vectors a moment later.
    await sleep(SETTLES_MS);
    const kept = await timed(queries, keep);
    samples.add('hark', { cold, search: found.p50, search99: found.p99 });
    samples.add('hark', { context: told.p50, context99: told.p99, save: kept.p50 });
  } finally {
    caller.close();
    samples.add('hark', { blocked: await service.stop() });
  }
}

/** The first search of all reads the log; some time after it, the index is kept for those who come back. */
async function leaveIndex(
  folder: string,
  environment: Readonly<Record<string, string>>,
  samples: Samples,
): Promise<void> {
  const service = await Watched.hark(environment);
  const caller = new Caller(service.url);
  try {
    await caller.call('PUT', '/api/slots', { slots: { chat: CHAT, embedding: EMBEDDING } });
    samples.add('hark', { unkept: await firstSearch(caller) });
    for (let [before, now] = [-1, 0]; now === 0 || now !== before; ) {
      await sleep(LOOK_MS);
      [before, now] = [now, snapshotsIn(folder)];
    }
  } finally {
    caller.close();
    await service.stop();
  }
}

async function firstSearch(caller: Caller): Promise<number> {
  const started = performance.now();
  await caller.call('GET', '/api/memory/search?q=cold');
  return performance.now() - started;
}

function snapshotsIn(folder: string): number {
  const db = new DatabaseSync(join(folder, 'hark.db'), { readOnly: true });
  try {
    const row = db.prepare("select count(*) as count from snapshots where name like 'index of %'").get();
    return Number(row?.count);
  } finally {
    db.close();
  }
}

/** What it takes to have an event of this size on the disk, and nothing else. */
async function bareAppend(folder: string): Promise<number> {
  const store = await Log.open(await openAdapter('embedded', folder), eventCatalog);
  const events = [
    { type: 'memory.profile.changed', data: { profile: { name: 'Anna, who likes this and that' } } },
  ];
  const who = { userId: 'bare', correlationId: 'bench', causationId: null };
  const { p50 } = await timed(Array.from({ length: ASKED + WARM_UP }), () =>
    store.append({ stream: 'memory-bare', events, expected: 'any', at: Date.now(), ...who }),
  );
  await store.close();
  return p50;
}

/** One after the other. */
async function timed<Input>(
  inputs: readonly Input[],
  one: (input: Input) => Promise<unknown>,
  warm: () => void = () => {},
): Promise<{ readonly p50: number; readonly p99: number }> {
  const times: number[] = [];
  for (const [index, input] of inputs.entries()) {
    if (index === WARM_UP) warm();
    const started = performance.now();
    await one(input);
    times.push(performance.now() - started);
  }
  const measured = times.slice(WARM_UP);
  return { p50: percentile(measured, 50), p99: percentile(measured, 99) };
}

/** Asks over one connection that stays. */
class Caller {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: string) {
    this.#url = url;
  }

  async call(method: string, path: string, body?: unknown): Promise<string> {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const asked = request(this.#url + path, { method, agent: this.#agent, headers }, resolve);
      asked.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
    const said = await text(response);
    if ((response.statusCode ?? 500) >= 400) throw new Error(`${method} ${path}: ${said}`);
    return said;
  }

  close(): void {
    this.#agent.destroy();
  }
}
