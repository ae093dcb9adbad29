import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { StoreCommandRunner } from '../src/commands/runner.ts';
import type { StoreAdapter } from '../src/store/adapter.ts';
import { Log } from '../src/store/log.ts';
import { openAdapter } from '../src/store/open.ts';
import { emmettSqlite } from './support/emmett.ts';
import { inFolder } from './support/folder.ts';
import { longestBlock } from './support/mainThread.ts';
import { callAtOnce, Samples } from './support/measure.ts';
import { BareFileLog, bareAppend } from './support/peers.ts';
import { onRedisWithLimit } from './support/redisLimit.ts';
import { type Benchmark, limitRow, ratioRow } from './support/table.ts';
import { completeToolCall, toolCall, toolCallCompleted } from './support/toolCalls.ts';

const STREAMS = 10_000;
const AT_ONCE = 64;
const MANY = 40_000;
const FEW = 3_000;

const calls = Array.from({ length: MANY }, (_, index) => toolCall(index));

/** What the bare limits write: the same event with its envelope. */
function asWritten(index: number): unknown {
  const stream = `agent-${index % STREAMS}`;
  const meta = {
    at: 1_700_000_000_000,
    actor: `user-${index % 100}`,
    correlationId: `c-${index}`,
    schema: 1,
  };
  return { type: toolCallCompleted.type, streamId: stream, version: 1, data: calls[index % MANY], meta };
}

const written = Array.from({ length: MANY }, (_, index) => asWritten(index));

export const append: Benchmark = {
  title: 'Durable appends',
  async run(rounds) {
    const samples = new Samples();
    for (let round = 0; round < rounds; round++) {
      await inFolder(async (folder) => {
        await measureLimits(folder, samples);
        const sqlite = await openAdapter('embedded', join(folder, 'data'));
        await measureOurs(sqlite, 'sqlite', samples);
        await onRedisWithLimit(written, async (url, limit) => {
          samples.add('redis limit', { perSecond: limit });
          await measureOurs(await openAdapter(url, folder), 'redis', samples);
        });
      });
    }
    const bare = { name: 'bare file, group fdatasync', figure: samples.median('bare 64', 'perSecond') };
    const emmett = { name: 'emmett-sqlite, one at a time', figure: samples.median('emmett', 'perSecond') };
    const script = {
      name: 'Lua check and XADD, pipelined',
      figure: samples.median('redis limit', 'perSecond'),
    };
    const one = { name: 'write and fdatasync', figure: samples.median('bare 1', 'p50') };
    const ours = samples.median('sqlite 64', 'perSecond');
    return [
      ratioRow('sqlite, 64 callers', bare, ours, { least: 0.5 }, '/s'),
      ratioRow('sqlite, 64 callers', emmett, ours, { least: 20 }, '/s'),
      ratioRow('sqlite, one caller, p50', one, samples.median('sqlite 1', 'p50'), { most: 2.5 }, 'ms'),
      ratioRow(
        'redis everysec, 64 callers',
        script,
        samples.median('redis 64', 'perSecond'),
        { least: 0.6 },
        '/s',
      ),
      limitRow('main thread blocked, sqlite', samples.median('sqlite 64', 'blocked'), 10, 'ms'),
      limitRow('main thread blocked, redis', samples.median('redis 64', 'blocked'), 10, 'ms'),
    ];
  },
};

async function measureLimits(folder: string, samples: Samples): Promise<void> {
  const log = new BareFileLog(join(folder, 'bare-64'));
  const many = await callAtOnce(AT_ONCE, MANY, (index) =>
    log.append(`agent-${index % STREAMS}`, Math.floor(index / STREAMS), written[index]),
  );
  samples.add('bare 64', { perSecond: many.perSecond });
  log.close();
  const descriptor = openSync(join(folder, 'bare-1'), 'a');
  const one = await callAtOnce(1, FEW, async (index) => bareAppend(descriptor, written[index]));
  samples.add('bare 1', { p50: one.p50 });
  closeSync(descriptor);
  const emmett = await emmettSqlite(join(folder, 'emmett.db'));
  const peer = await callAtOnce(1, 1_000, (index) => emmett.append(`agent-${index}`, calls[index]));
  samples.add('emmett', { perSecond: peer.perSecond });
  emmett.close();
}

/** Through the command runner: load, decide, append, deliver. */
async function measureOurs(adapter: StoreAdapter, name: string, samples: Samples): Promise<void> {
  const store = await Log.open(adapter, [toolCallCompleted]);
  const runner = new StoreCommandRunner({ store, clock: Date.now, newId: () => 'unused' });
  const run = (index: number) => {
    const call = calls[index % MANY];
    if (!call) throw new RangeError(`No call ${index}`);
    const context = { userId: `user-${index % 100}`, correlationId: `c-${index}` };
    return runner.run(completeToolCall, { agent: index % STREAMS, call }, context);
  };
  await callAtOnce(AT_ONCE, STREAMS, run);
  const one = await callAtOnce(1, FEW, run);
  let perSecond = 0;
  const blocked = await longestBlock(async () => {
    ({ perSecond } = await callAtOnce(AT_ONCE, MANY, run));
  });
  samples.add(`${name} 1`, { p50: one.p50 });
  samples.add(`${name} 64`, { perSecond, blocked });
  await store.close();
}
