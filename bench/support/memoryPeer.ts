import { join } from 'node:path';
import { importPeer, importPeerOf } from '../ensurePeers.ts';
import { percentile } from './measure.ts';
import { Summaries } from './summaries.ts';

/*
 * A process of its own: a memory layer of others, called as the library that it is, with the same texts and the same
 * model that embeds at once. It takes in what it is to remember, or it says how long a search and a saving take.
 */

export interface MemoryPeer {
  readonly peer: 'mastra' | 'mem0';
  readonly folder: string;
  readonly embedderUrl: string;
  readonly episodes: number;
  /** So many of each are measured; with none, the memory is filled. */
  readonly asked: number;
}

export interface PeerTimes {
  readonly search: number;
  readonly save: number;
}

interface Layer {
  fill(texts: readonly string[]): Promise<void>;
  save(text: string): Promise<unknown>;
  search(query: string): Promise<readonly unknown[]>;
}

type Construct<Made> = new (options: unknown) => Made;

const WARM_UP = 20;
const DIMENSIONS = 384;
const MODEL = 'text-embedding-3-small';
const AT_ONCE = 500;

const given: MemoryPeer = JSON.parse(process.argv[2] ?? '');
const { peer, folder, embedderUrl, episodes, asked } = given;

async function vectorsOf(texts: readonly string[]): Promise<readonly (readonly number[])[]> {
  const answer = await fetch(`${embedderUrl}/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-benchmark' },
    body: JSON.stringify({ model: MODEL, input: texts, encoding_format: 'float' }),
  });
  const { data } = (await answer.json()) as { data: readonly { readonly embedding: readonly number[] }[] };
  return data.map(({ embedding }) => embedding);
}

interface MastraMemory {
  createThread(options: object): Promise<unknown>;
  saveMessages(options: object): Promise<unknown>;
  recall(options: object): Promise<{ readonly messages: readonly unknown[] }>;
}

async function mastra(): Promise<Layer> {
  process.env.MASTRA_TELEMETRY_DISABLED = '1';
  const { Memory } = await importPeer<{ Memory: Construct<MastraMemory> }>('@mastra/memory');
  const { LibSQLStore, LibSQLVector } = await importPeer<{
    LibSQLStore: Construct<{ init?(): Promise<void> }>;
    LibSQLVector: Construct<unknown>;
  }>('@mastra/libsql');
  const storage = new LibSQLStore({ id: 'store', url: `file:${join(folder, 'mastra.db')}` });
  const vector = new LibSQLVector({ id: 'vectors', url: `file:${join(folder, 'vectors.db')}` });
  const embedder = {
    ...{ specificationVersion: 'v2', provider: 'scripted', modelId: MODEL },
    ...{ maxEmbeddingsPerCall: 512, supportsParallelCalls: true },
    doEmbed: async ({ values }: { readonly values: readonly string[] }) => {
      return { embeddings: await vectorsOf(values), usage: { tokens: 1 } };
    },
  };
  const options = { lastMessages: false, semanticRecall: { topK: 10, messageRange: 0, scope: 'resource' } };
  const memory = new Memory({ storage, vector, embedder, options });
  await storage.init?.();
  const place = { threadId: 'thread', resourceId: 'anna' };
  await memory.createThread(place);
  let last = Date.now();
  const messageOf = (text: string) => ({
    ...{ id: `m${++last}`, role: 'user', type: 'text', createdAt: new Date(last), ...place },
    content: { format: 2, parts: [{ type: 'text', text }], content: text },
  });
  const fill = async (texts: readonly string[]) => {
    for (let from = 0; from < texts.length; from += AT_ONCE)
      await memory.saveMessages({ messages: texts.slice(from, from + AT_ONCE).map(messageOf) });
  };
  return {
    fill,
    save: (text) => fill([text]),
    search: async (query) => {
      const wanted = { ...place, perPage: 0, vectorSearchString: query, threadConfig: options };
      return (await memory.recall(wanted)).messages;
    },
  };
}

interface Mem0Memory {
  add(messages: readonly object[], options: object): Promise<unknown>;
  search(query: string, options: object): Promise<{ readonly results: readonly unknown[] }>;
}

async function mem0(): Promise<Layer> {
  Object.assign(process.env, { MEM0_TELEMETRY: 'false', MEM0_DIR: folder, HOME: folder });
  const { Memory } = await importPeerOf<{ Memory: Construct<Mem0Memory> }>('mem0', 'mem0ai/oss');
  const model = { apiKey: 'sk-benchmark', baseURL: embedderUrl };
  const memory = new Memory({
    embedder: { provider: 'openai', config: { ...model, model: MODEL, embeddingDims: DIMENSIONS } },
    llm: { provider: 'openai', config: { ...model, model: 'gpt-5-mini' } },
    vectorStore: {
      provider: 'memory',
      config: { collectionName: 'c', dimension: DIMENSIONS, dbPath: join(folder, 'vectors.db') },
    },
    historyStore: { provider: 'sqlite', config: { historyDbPath: join(folder, 'history.db') } },
  });
  // As it is given: what a model would make of it is not measured.
  const fill = async (texts: readonly string[]) => {
    for (let from = 0; from < texts.length; from += AT_ONCE) {
      const messages = texts.slice(from, from + AT_ONCE).map((content) => ({ role: 'user', content }));
      await memory.add(messages, { userId: 'anna', infer: false });
    }
  };
  return {
    fill,
    save: (text) => fill([text]),
    search: async (query) => {
      const wanted = { topK: 10, filters: { user_id: 'anna' }, threshold: 0 };
      return (await memory.search(query, wanted)).results;
    },
  };
}

// What is said on standard output is the answer.
for (const level of ['log', 'info', 'debug', 'warn'] as const) console[level] = () => undefined;
const layer = await (peer === 'mastra' ? mastra() : mem0());
// Of the same words each time.
const summaries = new Summaries();
if (asked === 0) await layer.fill(Array.from({ length: episodes }, () => summaries.text(30)));
const times: { search: number[]; save: number[] } = { search: [], save: [] };
for (let round = 0; round < (asked === 0 ? 0 : asked + WARM_UP); round++) {
  const started = performance.now();
  const found = await layer.search(summaries.query().join(' '));
  const searched = performance.now();
  await layer.save(summaries.text(30));
  if (round < WARM_UP) continue;
  if (found.length === 0) throw new Error(`${peer} found nothing`);
  times.search.push(searched - started);
  times.save.push(performance.now() - searched);
}
const medians: PeerTimes = { search: percentile(times.search, 50), save: percentile(times.save, 50) };
process.stdout.write(`${JSON.stringify(asked === 0 ? null : medians)}\n`);
process.exit();
