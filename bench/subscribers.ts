import { fileURLToPath } from 'node:url';
import { inFolder } from './support/folder.ts';
import { askHelper } from './support/helper.ts';
import { Samples } from './support/measure.ts';
import type { SubscriberCalls, SubscriberTimes } from './support/subscriberCaller.ts';
import { type Benchmark, limitRow } from './support/table.ts';
import { Watched } from './support/watched.ts';

const SUBSCRIBERS = 1_000;
const EVENTS = 50;
const BARE = fileURLToPath(new URL('./support/bareSubscribers.ts', import.meta.url));
const CALL = new URL('./support/subscriberCaller.ts', import.meta.url);

export const subscribers: Benchmark = {
  title: `An event reaches ${SUBSCRIBERS.toLocaleString('en-US')} subscribers of GET /api/events/stream`,
  run: (rounds) =>
    inFolder(async (folder) => {
      const samples = new Samples();
      for (let round = 0; round < rounds; round++) {
        samples.add('bare', await measure(await Watched.start([BARE], {})));
        const environment = { API_RATE_LIMIT: '1000000', SERVICE_DATA_DIR: folder };
        samples.add('hark', await measure(await Watched.hark(environment)));
      }
      const bare = (column: string) => `bare SSE, no log: ${samples.median('bare', column).toFixed(1)} ms`;
      const ours = (column: string) => samples.median('hark', column);
      return [
        limitRow('after it is durable, p50', ours('p50'), 20, 'ms', bare('p50')),
        limitRow('after it is durable, p99', ours('p99'), 20, 'ms', bare('p99')),
        limitRow('after it is asked for, fsync included, p99', ours('asked99'), 40, 'ms', bare('asked99')),
        limitRow(
          'main thread blocked, 1,000 who come and go included',
          ours('blockedMs'),
          10,
          'ms',
          bare('blockedMs'),
        ),
      ];
    }),
};

async function measure(server: Watched): Promise<Record<string, number>> {
  const { port } = server;
  const tell = () =>
    askHelper<SubscriberTimes>(CALL, {
      port,
      subscribers: SUBSCRIBERS,
      events: EVENTS,
    } satisfies SubscriberCalls);
  await tell();
  server.watch();
  const times = await tell();
  return { ...times, blockedMs: await server.stop() };
}
