import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { says } from '../src/demo/model/script.ts';
import { BACKUP, CLOUD, Routing } from '../test/support/models/routing.ts';
import { percentile, Samples } from './support/measure.ts';
import { NOBODY } from './support/nobody.ts';
import { type Benchmark, limitRow } from './support/table.ts';

const ASKS = 50;
const FIRSTS = 5;
const FIRST = fileURLToPath(new URL('./support/firstFailover.ts', import.meta.url));

export const failover: Benchmark = {
  title: 'The second provider answers when the first refuses the connection',
  async run(rounds) {
    const ends: (() => unknown)[] = [];
    const onTestFinished = (end: unknown) => {
      if (typeof end === 'function') ends.push(() => end());
    };
    const routing = await Routing.start({ onTestFinished }, { ANTHROPIC_BASE_URL: NOBODY });
    routing.models.script(says('here'));
    const direct = await timesOf(routing, rounds * ASKS, BACKUP);
    const failedOver = await timesOf(routing, rounds * ASKS, CLOUD, BACKUP);
    for (const end of ends) await end();
    const firsts = new Samples();
    for (let round = 0; round < FIRSTS; round++) firsts.add('first', await firstOfAProcess());
    const against = `asked at once: ${percentile(direct, 50).toFixed(1)} ms`;
    return [
      limitRow('failing over, whole answer, p50', percentile(failedOver, 50), 50, 'ms', against),
      limitRow('failing over, whole answer, p99', percentile(failedOver, 99), 50, 'ms', against),
      limitRow('the first time in the life of a process', firsts.median('first', 'ms'), 50, 'ms'),
      limitRow('main thread blocked while both SDKs load', firsts.median('first', 'blocked'), 10, 'ms'),
    ];
  },
};

function firstOfAProcess(): Record<string, number> {
  return JSON.parse(execFileSync(process.execPath, [FIRST], { encoding: 'utf8' }));
}

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
