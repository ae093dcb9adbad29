import { inFolder } from './support/folder.ts';
import { percentile, Samples } from './support/measure.ts';
import { type Benchmark, limitRow } from './support/table.ts';
import { Watched } from './support/watched.ts';
import { LOAD_TOOLS, loadWithWrk } from './support/wrk.ts';

const SECONDS = 3;
const WARM_UP_SECONDS = 1;
const KEY = 'the-key-of-the-benchmark';
const PATH = '/api/users/default/preferences';
const LISTENING = 50;

interface Device {
  readonly id: string;
  readonly secret: string;
}

export const devices: Benchmark = {
  title: 'Devices: a GET by their own proof, 64 connections; and the end of what goes on for them',
  needs: LOAD_TOOLS,
  run: (rounds) =>
    inFolder(async (folder) => {
      const samples = new Samples();
      for (let round = 0; round < rounds; round++) {
        const environment = { SERVICE_API_KEY: KEY, API_RATE_LIMIT: '1000000000' };
        const server = await Watched.hark({ ...environment, SERVICE_DATA_DIR: `${folder}/${round}` }, 0);
        const device = await add(server);
        const byDevice = [`X-Device-Id: ${device.id}`, `X-Device-Secret: ${device.secret}`];
        const byKey = [`Authorization: Bearer ${KEY}`];
        for (const headers of [byKey, byDevice])
          await loadWithWrk(server.url + PATH, WARM_UP_SECONDS, headers);
        server.watch();
        for (const [how, headers] of [
          ['key', byKey],
          ['device', byDevice],
          ['device', byDevice],
          ['key', byKey],
        ] as const)
          samples.add(how, { ...(await loadWithWrk(server.url + PATH, SECONDS, headers)) });
        samples.add('end', { p99: await untilCutOff(server) });
        samples.add('end', { blockedMs: await server.stop() });
      }
      const p50 = (how: string) => samples.median(how, 'p50');
      const against = `by the API key: ${p50('key').toFixed(2)} ms; by a device: ${p50('device').toFixed(2)} ms`;
      const end = (column: string) => samples.median('end', column);
      return [
        limitRow('a proof adds, p50', Math.max(0, p50('device') - p50('key')), 0.3, 'ms', against),
        limitRow('suspended, to the end of its stream, p99', end('p99'), 1_000, 'ms'),
        limitRow('main thread blocked', end('blockedMs'), 10, 'ms'),
      ];
    }),
};

/** Of as many devices as listen, suspended one after the other. */
async function untilCutOff(server: Watched): Promise<number> {
  const took: number[] = [];
  for (let count = 0; count < LISTENING; count++) {
    const { id, secret } = await add(server);
    const headers = { 'x-device-id': id, 'x-device-secret': secret };
    const { body } = await fetch(server.mcpUrl, { headers });
    const ended = body?.pipeTo(new WritableStream()).catch(() => undefined);
    const before = performance.now();
    await ask(server, 'PUT', `/api/devices/${id}`, { status: 'suspended' });
    await ended;
    took.push(performance.now() - before);
  }
  return percentile(took, 99);
}

async function add(server: Watched): Promise<Device> {
  // Of one address three may wait at a time: each is approved before the next.
  const wanted = { type: 'custom', capabilities: {} };
  const { device, secret } = await ask(server, 'POST', '/api/devices/register', wanted);
  await ask(server, 'PUT', `/api/devices/${device.id}`, { status: 'active' });
  return { id: device.id, secret };
}

async function ask(
  server: Watched,
  method: string,
  path: string,
  body: object,
): Promise<{ readonly device: { readonly id: string }; readonly secret: string }> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const answer = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return JSON.parse(await answer.text());
}
