import { BACKUP, CLOUD, Routing } from '../test/support/models/routing.ts';
import { says } from '../test/support/models/script.ts';
import { percentile } from './support/measure.ts';
import { type Benchmark, limitRow } from './support/table.ts';

const ASKS = 50;
/** Nobody listens there: the connection is refused. */
const NOBODY = 'http://127.0.0.1:9';

export const failover: Benchmark = {
  title: 'The second provider answers when the first refuses the connection',
  async run(rounds) {
    const ends: (() => unknown)[] = [];
    const after = (end: unknown) => {
      if (typeof end === 'function') ends.push(() => end());
    };
    const routing = await Routing.start({ after }, { ANTHROPIC_BASE_URL: NOBODY });
    routing.models.script(says('here'));
    const direct = await timesOf(routing, rounds * ASKS, BACKUP);
    const failedOver = await timesOf(routing, rounds * ASKS, CLOUD, BACKUP);
    for (const end of ends) await end();
    const against = `asked at once: ${percentile(direct, 50).toFixed(1)} ms`;
    return [
      limitRow('failing over, whole answer, p50', percentile(failedOver, 50), 50, 'ms', against),
      limitRow('failing over, whole answer, p99', percentile(failedOver, 99), 50, 'ms', against),
    ];
  },
};

async function timesOf(routing: Routing, count: number, ...chain: (typeof CLOUD)[]): Promise<number[]> {
  const [first, ...fallbacks] = chain;
  if (!first) throw new TypeError('Nobody to ask');
  await routing.chain('cloud-backup', first, ...fallbacks);
  // The providers' clients load when they are first asked, once in the life of a process.
  await routing.ask('warm up');
  const times: number[] = [];
  for (let ask = 0; ask < count; ask++) {
    const started = performance.now();
    const { by } = await routing.ask('hi');
    times.push(performance.now() - started);
    if (by !== BACKUP.provider) throw new Error(`${by} answered`);
  }
  return times;
}
