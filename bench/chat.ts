import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { RedisServer } from '../test/support/redis.ts';
import { inFolder } from './support/folder.ts';
import { askHelper, startHelper } from './support/helper.ts';
import type { MastraTurns } from './support/mastraAgent.ts';
import { Samples } from './support/measure.ts';
import { type Benchmark, limitRow, type Row, ratioRow } from './support/table.ts';
import type { TurnCalls, TurnTimes } from './support/turnCaller.ts';
import { chatOnly, type Provided, said } from './support/turns.ts';
import { Watched } from './support/watched.ts';

/*
 * The model answers after 200 to 300 ms, as models do, and says after how many: what a turn takes beyond that is
 * measured, and what the bare SDK takes beyond it is taken off. Without the delay, 50 callers that ask again at
 * once would keep the processor busy all the time, and what each waits for would be the other 49: that is
 * throughput, which is what the comparison with an agent library measures. The models differ in their delay, or
 * the callers would ask in step and wait for each other all the same.
 */
const AT_ONCE = 50;
const TURNS = 2_000;
const WARM_UP = 500;
/** With something to remember in each: of one user, who says not many of them at once. */
const REMEMBERING = { count: 200, atOnce: 4 } as const;
const UNLIMITED = { API_RATE_LIMIT: '1000000000', CHAT_RATE_LIMIT: '1000000000' };
/** Without a delay. */
const QUICK_TURNS = 2_000;
const MASTRA_TURNS = 500;
const MODELS = new URL('./support/chatModels.ts', import.meta.url);
const CALLER = new URL('./support/turnCaller.ts', import.meta.url);
const MASTRA = new URL('./support/mastraAgent.ts', import.meta.url);

export const chat: Benchmark = {
  title: `Whole turns without tools over POST /api/chat, ${AT_ONCE} at once, scripted model`,
  run: (rounds) =>
    inFolder(async (folder) => {
      const { answer: models, stop } = await startHelper<Provided>(MODELS);
      const redis = await RedisServer.start({ appendonly: 'yes', appendfsync: 'everysec' });
      const samples = new Samples();
      for (let round = 0; round < rounds; round++) {
        const sdk = { how: 'sdk', url: models.ANTHROPIC_BASE_URL ?? '' } as const;
        await turns({ ...sdk, what: said.later, count: AT_ONCE });
        samples.add('sdk', { ...(await turns({ ...sdk, what: said.later, count: TURNS })) });
        const stores = { sqlite: 'embedded', redis: redis.url };
        for (const [name, store] of Object.entries(stores)) {
          const environment = () => ({
            ...chatOnly(models),
            SERVICE_KVSTORE_URL: store,
            SERVICE_DATA_DIR: mkdtempSync(join(folder, 'hark-')),
          });
          samples.add(name, await measure(environment()));
          samples.add(`${name}, remembering`, await measureRemembering(environment()));
        }
        const mastra: MastraTurns = {
          folder: mkdtempSync(join(folder, 'mastra-')),
          modelUrl: models.OPENROUTER_BASE_URL ?? '',
          atOnce: AT_ONCE,
          warmUp: AT_ONCE,
          count: MASTRA_TURNS,
        };
        samples.add('mastra', await askHelper(MASTRA, mastra));
      }
      await redis.stop();
      await stop();
      return [...rowsOf('sqlite', samples), ...rowsOf('redis', samples)];
    }),
};

function rowsOf(store: string, samples: Samples): readonly Row[] {
  const added = (column: string) => samples.median(store, column) - samples.median('sdk', column);
  const bare = (column: string) => `bare SDK: ${samples.median('sdk', column).toFixed(2)} ms`;
  const agent = { name: 'Mastra agent, libsql', figure: samples.median('mastra', 'perSecond') };
  const told = (column: string) => samples.median(`${store}, remembering`, column);
  return [
    limitRow(`${store}: added to a turn, p50`, added('p50'), 3, 'ms', bare('p50')),
    limitRow(`${store}: added to a turn, p99`, added('p99'), 15, 'ms', bare('p99')),
    ratioRow(`${store}: turns without delay`, agent, samples.median(store, 'quick'), { least: 3 }, '/s'),
    limitRow(
      `${store}: remembering adds to a turn, p50`,
      told('remembering') - told('without'),
      2,
      'ms',
      `a turn without: ${told('without').toFixed(2)} ms`,
    ),
    limitRow(`${store}: main thread blocked`, samples.median(store, 'blocked'), 10, 'ms'),
  ];
}

async function measure(environment: Provided): Promise<Readonly<Record<string, number>>> {
  const hark = await Watched.hark({ ...environment, ...UNLIMITED });
  const rest = { how: 'rest', url: hark.url } as const;
  await turns({ ...rest, what: said.later, count: WARM_UP });
  hark.watch();
  const { p50, p99 } = await turns({ ...rest, what: said.later, count: TURNS });
  const { perSecond: quick } = await turns({ ...rest, what: said.atOnce, count: QUICK_TURNS });
  return { p50, p99, quick, blocked: await hark.stop() };
}

/** In one service, turns with nothing to remember and turns with something, each kind after as many of its own. */
async function measureRemembering(environment: Provided): Promise<Readonly<Record<string, number>>> {
  const hark = await Watched.hark({ ...environment, ...UNLIMITED });
  const take = (what: string) =>
    askHelper<TurnTimes>(CALLER, { how: 'rest', url: hark.url, what, ...REMEMBERING });
  for (const kind of [said.later, said.remembering]) await take(kind);
  const { p50: without } = await take(said.later);
  const { p50: remembering } = await take(said.remembering);
  await hark.stop();
  return { without, remembering };
}

function turns(calls: Omit<TurnCalls, 'atOnce'>): Promise<TurnTimes> {
  const asked: TurnCalls = { ...calls, atOnce: AT_ONCE };
  return askHelper(CALLER, asked);
}
