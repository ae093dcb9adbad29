import { inFolder } from './support/folder.ts';
import { Samples } from './support/measure.ts';
import { type Benchmark, limitRow, ratioRow } from './support/table.ts';
import { Watched } from './support/watched.ts';
import { LOAD_TOOLS, loadWithWrk } from './support/wrk.ts';

const SECONDS = 3;
const WARM_UP_SECONDS = 1;
const KEY = 'the-key-of-the-benchmark';

/** One route with a small JSON answer, and nothing around it. */
const FASTIFY = `import fastify from 'fastify';
  const app = fastify();
  const body = () => ({ id: 'agent-1', name: 'research agent', status: 'running', version: 42,
    tools: ['memory.search', 'memory.write', 'web.fetch'], usage: { input: 1234, output: 567 } });
  app.get('/agent', (request, reply) => { reply.send(body()); });
  await app.listen({ port: 0, host: '127.0.0.1' });
  console.log(JSON.stringify({ ports: { health: app.server.address().port } }));
  process.on('SIGTERM', () => process.exit(0));`;

export const http: Benchmark = {
  title: 'A GET served from a projection, with authentication, limits and metrics; 64 connections',
  needs: LOAD_TOOLS,
  run: (rounds) =>
    inFolder(async (folder) => {
      const samples = new Samples();
      const environment = { SERVICE_DATA_DIR: folder, SERVICE_API_KEY: KEY, API_RATE_LIMIT: '1000000000' };
      const header = `Authorization: Bearer ${KEY}`;
      for (let round = 0; round < rounds; round++) {
        const bare = await Watched.start(['--input-type=module', '--eval', FASTIFY], {}, 0);
        samples.add('fastify', await measure(bare, '/agent', []));
        const ours = await Watched.hark(environment, 0);
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

async function measure(server: Watched, path: string, headers: readonly string[]) {
  const url = server.url + path;
  await loadWithWrk(url, WARM_UP_SECONDS, headers);
  server.watch();
  const { perSecond, p99 } = await loadWithWrk(url, SECONDS, headers);
  return { perSecond, p99, blockedMs: await server.stop() };
}
