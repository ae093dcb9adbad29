import { join } from 'node:path';
import { fillLog } from './replay.ts';
import { inFolder } from './support/folder.ts';
import { startHark } from './support/hark.ts';
import { Samples } from './support/measure.ts';
import { measureStart } from './support/measureStart.ts';
import { settingsChanged } from './support/settingsChanges.ts';
import { type Benchmark, limitRow } from './support/table.ts';

const EVENTS = 1_000_000;

/** A bare Fastify with one route: what a Node service costs before it does anything. */
const FASTIFY = `import fastify from 'fastify';
  const app = fastify();
  app.get('/', () => ({ ok: true }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  console.log('{"msg":"ready"}');`;

export const start: Benchmark = {
  title: 'From the start of the process to ready',
  run: (rounds) =>
    inFolder(async (folder) => {
      const samples = new Samples();
      const full = join(folder, 'full');
      await fillLog(full, EVENTS, settingsChanged);
      // The first start reads the whole log and leaves the snapshots; it also fills the compile cache.
      await measureStart(startHark, { SERVICE_DATA_DIR: full });
      for (let round = 0; round < rounds; round++) {
        const empty = { SERVICE_DATA_DIR: join(folder, `empty-${round}`) };
        samples.add('fastify', await measureStart(['--input-type=module', '--eval', FASTIFY], {}));
        samples.add('empty', await measureStart(startHark, empty));
        samples.add('full', await measureStart(startHark, { SERVICE_DATA_DIR: full }));
      }
      const bare = `bare Fastify: ${samples.median('fastify', 'ms').toFixed(0)} ms, ${samples.median('fastify', 'mib').toFixed(0)} MiB`;
      return [
        limitRow('empty', samples.median('empty', 'ms'), 300, 'ms', bare),
        limitRow('empty, resident', samples.median('empty', 'mib'), 120, 'MiB', bare),
        limitRow('1,000,000 events and snapshots', samples.median('full', 'ms'), 800, 'ms'),
        limitRow('the same, resident', samples.median('full', 'mib'), 200, 'MiB'),
      ];
    }),
};
