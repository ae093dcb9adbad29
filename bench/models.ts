import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createGateway } from '../src/gateways/models/createGateway.ts';
import { type ProviderId, providerIds } from '../src/vocabulary.ts';
import { bareClient, bareResponses, type Listen, lengths } from './support/bareModels.ts';
import { callAtOnce, Samples } from './support/measure.ts';
import { type Benchmark, limitRow, type Row, ratioRow } from './support/table.ts';

const SERVER = fileURLToPath(new URL('./support/modelServer.ts', import.meta.url));
const WORDS = 500;
const AT_ONCE = 100;
const STREAMS = 300;
const FIRST_TOKENS = 300;
const WARM_UP = 100;

export const models: Benchmark = {
  title: 'Streamed completions: a gateway over the bare SDK, same scripted server',
  async run(rounds) {
    const { urls, stop } = await startServer();
    const samples = new Samples();
    const pairs = [
      ...providerIds.map((id) => ({
        id,
        bare: bareClient(id, urls[id]),
        ours: ourClient(id, urls[id], 'any'),
      })),
      {
        id: 'cloud-b, Responses',
        bare: bareResponses(urls['cloud-b']),
        ours: ourClient('cloud-b', urls['cloud-b'], 'thinking'),
      },
    ];
    for (const { bare, ours } of pairs) for (const one of [bare, ours]) await firstTokens(one, WARM_UP);
    for (let round = 0; round < rounds; round++) {
      for (const { id, bare, ours } of pairs) await compare(id, bare, ours, round, samples);
    }
    await stop();
    return pairs.flatMap(({ id }) => rowsOf(id, samples));
  },
};

function rowsOf(id: string, samples: Samples): readonly Row[] {
  const bare = { name: 'bare SDK', figure: samples.median(`${id} bare`, 'perSecond') };
  const first = samples.median(`${id} bare`, 'first');
  const added = samples.median(`${id} ours`, 'first') - first;
  const ours = samples.median(`${id} ours`, 'perSecond');
  return [
    limitRow(`${id}: added to the first token`, added, 1, 'ms', `bare SDK: ${first.toFixed(2)} ms`),
    ratioRow(`${id}: parts, ${AT_ONCE} streams at once`, bare, ours, { least: 0.95 }, '/s'),
  ];
}

/** In turns, and whoever was first is second next time: the one after has warmer caches, and more garbage. */
async function compare(
  id: string,
  bare: Listen,
  ours: Listen,
  round: number,
  samples: Samples,
): Promise<void> {
  const both = [
    [`${id} bare`, bare],
    [`${id} ours`, ours],
  ] as const;
  const ordered = round % 2 === 0 ? both : both.toReversed();
  for (const [name, listen] of ordered) samples.add(name, { first: await firstTokens(listen, FIRST_TOKENS) });
  for (const [name, listen] of ordered) {
    globalThis.gc?.();
    samples.add(name, { perSecond: await partsPerSecond(listen) });
  }
}

/** The median of the milliseconds until something is heard, one call after the other. */
async function firstTokens(listen: Listen, count: number): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < count; call++) {
    const started = performance.now();
    await listen('short', () => times.push(performance.now() - started));
  }
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}

async function partsPerSecond(listen: Listen): Promise<number> {
  let parts = 0;
  const { perSecond } = await callAtOnce(AT_ONCE, STREAMS, () =>
    listen('long', () => {
      parts++;
    }),
  );
  if (parts !== STREAMS * WORDS) throw new Error(`${parts} parts were heard, of ${STREAMS * WORDS}`);
  return perSecond * WORDS;
}

function ourClient(providerId: ProviderId, baseUrl: string, kind: 'any' | 'thinking'): Listen {
  const gateway = createGateway(providerId, { apiKey: 'sk-benchmark', baseUrl });
  const { signal } = new AbortController();
  return async (length, hear) => {
    const request = {
      model: lengths[length][kind],
      messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hello?' }] }],
    };
    for await (const part of gateway.complete(request, signal)) if (part.type === 'text') hear(part.text);
  };
}

async function startServer(): Promise<{ urls: Record<ProviderId, string>; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [SERVER], { stdio: ['pipe', 'pipe', 'inherit'] });
  const { value = '' } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const stop = async () => {
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
  };
  return { urls: JSON.parse(value), stop };
}
