import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { writeDevices } from './support/deviceLog.ts';
import { inFolder } from './support/folder.ts';
import { percentile, Samples } from './support/measure.ts';
import { type Benchmark, limitRow } from './support/table.ts';
import { Watched } from './support/watched.ts';

const DEVICES = 10_000;
const PAGE = 50;
const WARM_UP = 20;
const USER = 'anna';

export const deviceList: Benchmark = {
  title: `${DEVICES.toLocaleString('en-US')} devices of one user, listed by pages of ${PAGE}; sqlite`,
  async run(rounds) {
    const samples = new Samples();
    for (let round = 0; round < rounds; round++)
      await inFolder(async (folder) => {
        await writeDevices(folder, DEVICES, USER);
        samples.add('hark', await listPages(folder));
      });
    const ours = (column: string) => samples.median('hark', column);
    return [
      limitRow('a page over HTTP, p50', ours('page'), 5, 'ms'),
      limitRow('a page over HTTP, p99', ours('page99'), 20, 'ms'),
      limitRow('main thread blocked at most', ours('blocked'), 10, 'ms'),
    ];
  },
};

/** Each page once, from the first to the last, by a service that has just started. */
async function listPages(folder: string): Promise<Record<string, number>> {
  const service = await Watched.hark({
    SERVICE_DATA_DIR: folder,
    SERVICE_USER_ID: USER,
    SERVICE_CREDENTIAL_SALT: '00'.repeat(32),
    API_RATE_LIMIT: String(Number.MAX_SAFE_INTEGER),
  });
  const times: number[] = [];
  let blocked: number;
  try {
    service.watch();
    let listed = 0;
    for (let after = ''; ; listed++) {
      const started = performance.now();
      const { next } = await page(service.url, after);
      if (listed >= WARM_UP) times.push(performance.now() - started);
      if (next === undefined) break;
      after = next;
    }
  } finally {
    blocked = await service.stop();
  }
  return { page: percentile(times, 50), page99: percentile(times, 99), blocked };
}

async function page(url: string, after: string): Promise<{ readonly next?: string }> {
  const path = `/api/devices?limit=${PAGE}${after === '' ? '' : `&after=${after}`}`;
  const body = await new Promise<string>((resolve, reject) => {
    const asked = request(url + path, (response) => text(response).then(resolve, reject));
    asked.on('error', reject).end();
  });
  return JSON.parse(body);
}
