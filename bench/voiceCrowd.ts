import { join } from 'node:path';
import { inFolder } from './support/folder.ts';
import { startHelper } from './support/helper.ts';
import { Samples } from './support/measure.ts';
import { type Benchmark, limitRow } from './support/table.ts';
import type { VoiceCrowd, VoiceCrowdTimes } from './support/voiceCrowd.ts';
import { Watched } from './support/watched.ts';

const CONNECTIONS = 200;
const SECONDS = 12;
const SETTLE_MS = 4_000;
const CROWD = new URL('./support/voiceCrowd.ts', import.meta.url);

export const voiceCrowd: Benchmark = {
  title: `${CONNECTIONS} microphones at once, frames of 20 ms, voices looked for in all of them`,
  run: (rounds) =>
    inFolder(async (folder) => {
      const samples = new Samples();
      for (let round = 0; round < Math.min(rounds, 3); round++) {
        const server = await Watched.hark({
          SERVICE_DATA_DIR: join(folder, String(round)),
          API_RATE_LIMIT: '1000000000',
        });
        const crowd = (asked: Omit<VoiceCrowd, 'port'>) =>
          startHelper<VoiceCrowdTimes>(CROWD, { port: server.port, ...asked } satisfies VoiceCrowd);
        // What loads with the first of all is no part of a session.
        await (await crowd({ connections: 8, seconds: 3, isOn: true })).stop();
        await settled();
        const before = server.residentBytes();
        const idle = await crowd({ connections: CONNECTIONS, seconds: 2, isOn: false });
        await settled();
        samples.add('idle', { kilobytes: (server.residentBytes() - before) / CONNECTIONS / 1_024 });
        await idle.stop();
        // That many come at once is another matter.
        setTimeout(() => server.watch(), SETTLE_MS);
        const processor = server.processorSeconds();
        const { answer, stop } = await crowd({ connections: CONNECTIONS, seconds: SECONDS, isOn: true });
        await stop();
        const cores = (server.processorSeconds() - processor) / SECONDS;
        samples.add('crowd', { late99: answer.late99, cores, blockedMs: await server.stop() });
      }
      const crowd = (column: string) => samples.median('crowd', column);
      return [
        limitRow('a frame is heard, late at p99', crowd('late99'), 20, 'ms'),
        limitRow('processor, connecting included', crowd('cores'), 1, 'cores', 'Silero alone: 0.8 cores'),
        limitRow('main thread blocked', crowd('blockedMs'), 10, 'ms'),
        limitRow('an idle session', samples.median('idle', 'kilobytes'), 200, 'KB'),
      ];
    }),
};

function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1_500));
}
