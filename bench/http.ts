import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inFolder } from './support/folder.ts';
import { Samples } from './support/measure.ts';
import { type Benchmark, limitRow, ratioRow } from './support/table.ts';
import { loadWithWrk, onCore } from './support/wrk.ts';

const SECONDS = 3;
const WARM_UP_SECONDS = 1;
const KEY = 'the-key-of-the-benchmark';
const HARK = join(import.meta.dirname, '../bin/hark.js');

/** One route with a small JSON answer, and nothing around it. */
const FASTIFY = `import fastify from 'fastify';
  const app = fastify();
  const body = () => ({ id: 'agent-1', name: 'research agent', status: 'running', version: 42,
    tools: ['memory.search', 'memory.write', 'web.fetch'], usage: { input: 1234, output: 567 } });
  app.get('/agent', (request, reply) => { reply.send(body()); });
  await app.listen({ port: 0, host: '127.0.0.1' });
  console.log(JSON.stringify({ ports: { health: app.server.address().port } }));
  process.on('SIGTERM', () => process.exit(0));`;

/** Watches the main thread from SIGUSR2 on, and says at the end for how long it was blocked at most. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
  import { monitorEventLoopDelay } from 'node:perf_hooks';
  const delay = monitorEventLoopDelay({ resolution: 1 });
  process.on('SIGUSR2', () => { delay.reset(); delay.enable(); });
  process.on('exit', () => console.log(JSON.stringify({ blockedMs: delay.max / 1e6 })));`)}`;

export const http: Benchmark = {
  title: 'A GET served from a projection, with authentication, limits and metrics; 64 connections',
  run: (rounds) =>
    inFolder(async (folder) => {
      const samples = new Samples();
      const environment = { SERVICE_DATA_DIR: folder, SERVICE_API_KEY: KEY, API_RATE_LIMIT: '1000000000' };
      const header = `Authorization: Bearer ${KEY}`;
      for (let round = 0; round < rounds; round++) {
        const bare = await start(['--input-type=module', '--eval', FASTIFY], {});
        samples.add('fastify', await measure(bare, '/agent', []));
        const ours = await start([HARK, 'start'], environment);
        samples.add('hark', await measure(ours, '/api/settings', [header]));
      }
      const bare = (column: string) => ({ name: 'bare Fastify', figure: samples.median('fastify', column) });
      const ours = (column: string) => samples.median('hark', column);
      return [
        ratioRow('requests', bare('perSecond'), ours('perSecond'), { least: 0.6 }, '/s'),
        ratioRow('p99', bare('p99'), ours('p99'), { most: 2 }, 'ms'),
        limitRow(
          'main thread blocked at most',
          ours('blockedMs'),
          10,
          'ms',
          `bare Fastify: ${samples.median('fastify', 'blockedMs').toFixed(1)} ms`,
        ),
      ];
    }),
};

interface Started {
  readonly child: ChildProcess;
  readonly port: number;
  readonly lines: AsyncIterator<string>;
}

async function start(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Started> {
  const [command = process.execPath, ...rest] = onCore(0, [process.execPath, '--import', WATCH, ...args]);
  const ports = { HEALTH_PORT: '0', MCP_PORT: '0', AUDIO_PORT: '0' };
  const child = spawn(command, rest, {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...ports, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: join(import.meta.dirname, '..'),
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value = '' } = await lines.next();
  return { child, port: JSON.parse(value).ports.health, lines };
}

async function measure({ child, port, lines }: Started, path: string, headers: readonly string[]) {
  const url = `http://127.0.0.1:${port}${path}`;
  await loadWithWrk(url, WARM_UP_SECONDS, headers);
  child.kill('SIGUSR2');
  const { perSecond, p99 } = await loadWithWrk(url, SECONDS, headers);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  let blockedMs = Number.NaN;
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    blockedMs = JSON.parse(line.value).blockedMs ?? blockedMs;
  }
  await ended;
  return { perSecond, p99, blockedMs };
}
