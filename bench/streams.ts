import { fileURLToPath } from 'node:url';
import { inFolder } from './support/folder.ts';
import { askHelper, startHelper } from './support/helper.ts';
import { Samples } from './support/measure.ts';
import type { ReattachCalls, ReattachTimes } from './support/reattachCaller.ts';
import type { StreamCalls, StreamTimes } from './support/streamCaller.ts';
import { type Benchmark, limitRow, ratioRow } from './support/table.ts';
import { CHUNKS, chatOnly, PACE_MS, PACED_CHUNKS, type Provided, said } from './support/turns.ts';
import { Watched } from './support/watched.ts';

/*
 * What is counted are the model's chunks that reach the client, until the last stream has ended: of ours that is a
 * whole turn with its events, of Fastify nothing but the writing. Text that has waited for its reader comes in
 * one message, so that messages would be the wrong thing to count.
 */
const AT_ONCE = 200;
const FASTIFY = fileURLToPath(new URL('./support/fastifyStreams.ts', import.meta.url));
const MODELS = new URL('./support/chatModels.ts', import.meta.url);
const LISTEN = new URL('./support/streamCaller.ts', import.meta.url);
const REATTACH = new URL('./support/reattachCaller.ts', import.meta.url);
const REATTACHING: Omit<ReattachCalls, 'url'> = { text: said.slowly, atOnce: 50, times: 5, pauseMs: 200 };

export const streams: Benchmark = {
  title: `Streamed turns over POST /api/chat/stream, ${AT_ONCE} at once, ${CHUNKS} chunks each`,
  run: (rounds) =>
    inFolder(async (folder) => {
      const { answer: models, stop } = await startHelper<Provided>(MODELS);
      const limits = { API_RATE_LIMIT: '1000000000', CHAT_RATE_LIMIT: '1000000000' };
      const samples = new Samples();
      for (let round = 0; round < rounds; round++) {
        const bare = await Watched.start([FASTIFY], {});
        samples.add('fastify', await measure(bare, { long: '/at-length', slow: '/slowly' }));
        await bare.stop();
        const ours = await Watched.hark({ ...chatOnly(models), ...limits, SERVICE_DATA_DIR: folder });
        const path = '/api/chat/stream';
        samples.add('hark', await measure(ours, { long: path, slow: path }));
        const asked: ReattachCalls = { ...REATTACHING, url: ours.url };
        samples.add('reattach', { ...(await askHelper<ReattachTimes>(REATTACH, asked)) });
        samples.add('hark', { blockedMs: await ours.stop() });
      }
      await stop();
      return rowsOf(samples);
    }),
};

function rowsOf(samples: Samples) {
  const bare = (column: string) => samples.median('fastify', column);
  const ours = (column: string) => samples.median('hark', column);
  const chunks = { name: 'bare Fastify', figure: bare('perSecond') };
  const late = `bare Fastify: ${bare('late99').toFixed(2)} ms`;
  return [
    ratioRow('chunks of the model', chunks, ours('perSecond'), { least: 0.4 }, '/s'),
    limitRow(`a chunk every ${PACE_MS} ms, late at p99`, ours('late99'), 10, 'ms', late),
    limitRow('re-attached, to the first message, p99', samples.median('reattach', 'p99'), 20, 'ms'),
    limitRow('main thread blocked', ours('blockedMs'), 10, 'ms'),
  ];
}

async function measure(server: Watched, paths: { readonly long: string; readonly slow: string }) {
  const listen = (path: string, text: string, chunks: number, apartMs = 0) => {
    const body = JSON.stringify({ text, sessionId: '#' });
    const asked: StreamCalls = { port: server.port, path, body, atOnce: AT_ONCE, chunks, apartMs };
    return askHelper<StreamTimes>(LISTEN, asked);
  };
  await listen(paths.long, said.atLength, CHUNKS);
  await listen(paths.slow, said.slowly, PACED_CHUNKS, 2);
  server.watch();
  const { perSecond } = await listen(paths.long, said.atLength, CHUNKS);
  const { late99 } = await listen(paths.slow, said.slowly, PACED_CHUNKS, 2);
  return { perSecond, late99 };
}
