import { fileURLToPath } from 'node:url';
import { inFolder } from './support/folder.ts';
import { NODE_OPTIONS } from './support/hark.ts';
import { askHelper } from './support/helper.ts';
import { Samples } from './support/measure.ts';
import { type Benchmark, ratioRow } from './support/table.ts';
import type { VoiceLoad } from './support/voiceLoad.ts';
import { VOICE_TOOLS } from './support/voiceService.ts';
import { Watched } from './support/watched.ts';

/* What hark's WebSockets for voice cost, with all that stands before and behind them, beside `ws` alone. */

const CONNECTIONS = 200;
const WINDOW = 4;
const SECONDS = 3;
const LOAD = new URL('./support/voiceLoad.ts', import.meta.url);
const KINDS = { frames: '/ws/audio', events: '/v1/realtime' } as const;
const SERVERS = {
  bare: new URL('./support/bareVoice.ts', import.meta.url),
  hark: new URL('./support/echoVoice.ts', import.meta.url),
} as const;

export const voiceWire: Benchmark = {
  title: `Audio echoed over ${CONNECTIONS} WebSockets, 20 ms each, ${WINDOW} under way on each, a server with one core`,
  needs: VOICE_TOOLS,
  run: async (rounds) => {
    const samples = new Samples();
    for (let round = 0; round < rounds; round++)
      for (const kind of ['frames', 'events'] as const)
        for (const name of ['bare', 'hark'] as const)
          await inFolder((folder) => echo(name, kind, samples, folder));
    const echoed = (kind: keyof typeof KINDS, what: string, bare: string, least: number) => {
      const limit = { name: bare, figure: samples.median(`bare ${kind}`, 'perSecond') };
      return ratioRow(what, limit, samples.median(`hark ${kind}`, 'perSecond'), { least }, '/s');
    };
    return [
      echoed('frames', 'frames on /ws/audio', 'bare ws', 0.5),
      echoed('events', 'events with base64 on /v1/realtime', 'bare ws and JSON', 0.4),
    ];
  },
};

async function echo(
  name: keyof typeof SERVERS,
  kind: keyof typeof KINDS,
  samples: Samples,
  folder: string,
): Promise<void> {
  const file = fileURLToPath(SERVERS[name]);
  const server = await Watched.start(
    [...NODE_OPTIONS, file],
    { SERVICE_DATA_DIR: folder, API_RATE_LIMIT: '1000000000' },
    0,
  );
  const load: VoiceLoad = {
    ...{ port: server.port, path: KINDS[kind], connections: CONNECTIONS },
    ...{ window: WINDOW, seconds: SECONDS, kind },
  };
  samples.add(`${name} ${kind}`, await askHelper<{ perSecond: number }>(LOAD, load));
  await server.stop();
}
