import { join } from 'node:path';
import { inFolder } from './support/folder.ts';
import { startHark } from './support/hark.ts';
import { Samples } from './support/measure.ts';
import { measureStart } from './support/measureStart.ts';
import { type Benchmark, limitRow } from './support/table.ts';

const WITHOUT = new URL('./support/withoutVoice.ts', import.meta.url);

/** What voice costs who never speaks: starts with it and without, in turns. */
export const voiceStart: Benchmark = {
  title: 'A start, and nobody who speaks',
  run: (rounds) =>
    inFolder(async (folder) => {
      const samples = new Samples();
      for (let round = -1; round < 3 * rounds; round++)
        for (const [name, environment] of [
          ['with', {}],
          ['without', { BENCH_WITHOUT_VOICE: '1' }],
        ] as const) {
          const data = { SERVICE_DATA_DIR: join(folder, `${name}-${round}`) };
          const figures = await measureStart(['--import', WITHOUT.href, ...startHark], {
            ...data,
            ...environment,
          });
          // The first fills the cache of what is compiled.
          if (round >= 0) samples.add(name, figures);
        }
      const row = (what: string, column: 'ms' | 'mib', most: number, unit: 'ms' | 'MiB') => {
        const [whole, bare] = [samples.median('with', column), samples.median('without', column)];
        return limitRow(what, whole - bare, most, unit, `without voice: ${bare.toFixed(0)} ${unit}`);
      };
      return [row('with voice it takes longer by', 'ms', 5, 'ms'), row('and holds more by', 'mib', 1, 'MiB')];
    }),
};
