import { join } from 'node:path';
import { ensureInstalled } from '../scripts/ensureInstalled.ts';
import { mebibytesOf, PackedHark } from '../test/package/installed.ts';
import { fillLog } from './replay.ts';
import { inFolder } from './support/folder.ts';
import { NODE_OPTIONS, startHark } from './support/hark.ts';
import { installedMebibytes, MASTRA } from './support/mastraService.ts';
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

/** In the folder of the peers, whose packages it imports. */
const peer = (program: string) => ['--input-type=module', '--eval', program];

export const start: Benchmark = {
  title: 'From the start of the process to ready, and what is installed',
  run: (rounds) =>
    inFolder(async (folder) => {
      ensureInstalled(import.meta.dirname);
      const samples = new Samples();
      using packed = new PackedHark();
      const installed = packed.install('--omit=optional', '--offline');
      const fromPackage = [...NODE_OPTIONS, installed.bin, 'start'];
      const full = join(folder, 'full');
      await fillLog(full, EVENTS, settingsChanged);
      // The first start reads the whole log and leaves the snapshots; it also fills the compile cache.
      await measureStart(startHark, { SERVICE_DATA_DIR: full });
      await measureStart(fromPackage, { SERVICE_DATA_DIR: join(folder, 'first') });
      for (let round = 0; round < rounds; round++) {
        const empty = (name: string) => ({ SERVICE_DATA_DIR: join(folder, `${name}-${round}`) });
        samples.add('fastify', await measureStart(peer(FASTIFY), {}));
        samples.add('mastra', await measureStart(peer(MASTRA), {}));
        samples.add('package', await measureStart(fromPackage, empty('package')));
        samples.add('empty', await measureStart(startHark, empty('empty')));
        samples.add('full', await measureStart(startHark, { SERVICE_DATA_DIR: full }));
      }
      const told = (name: string, of: string) =>
        `${name}: ${samples.median(of, 'ms').toFixed(0)} ms, ${samples.median(of, 'mib').toFixed(0)} MiB`;
      const bare = told('bare Fastify', 'fastify');
      const mastra = told('Mastra, an agent and no server', 'mastra');
      const bareMiB = installedMebibytes(join(folder, 'fastify'), ['fastify']);
      const mastraMiB = installedMebibytes(join(folder, 'mastra'));
      const inUse = packed.install();
      const data = join(inUse.folder, 'data');
      await inUse.fix(data);
      const used = inUse.mebibytes + mebibytesOf(data);
      return [
        limitRow('package', samples.median('package', 'ms'), 200, 'ms', bare),
        limitRow('package, resident', samples.median('package', 'mib'), 100, 'MiB', mastra),
        limitRow('clone', samples.median('empty', 'ms'), 300, 'ms', bare),
        limitRow('clone, resident', samples.median('empty', 'mib'), 128, 'MiB', mastra),
        limitRow('1,000,000 events and snapshots', samples.median('full', 'ms'), 800, 'ms'),
        limitRow('the same, resident', samples.median('full', 'mib'), 200, 'MiB'),
        limitRow('installed', installed.mebibytes, 40, 'MiB', `Fastify alone: ${bareMiB.toFixed(0)} MiB`),
        limitRow(
          'installed, with speech and onnxruntime',
          used,
          150,
          'MiB',
          `Mastra: ${mastraMiB.toFixed(0)} MiB`,
        ),
      ];
    }),
};
