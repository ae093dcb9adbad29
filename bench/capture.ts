import { Buffer } from 'node:buffer';
import { z } from 'zod';
import { inFolder } from './support/folder.ts';
import { percentile, Samples } from './support/measure.ts';
import { type Benchmark, limitRow } from './support/table.ts';
import { Watched } from './support/watched.ts';

const BYTES = 1_048_576;
const WARM_UP = 10;
const SEGMENTS = 50;

const started = z.object({ streamId: z.string() });

export const capture: Benchmark = {
  title: 'Captured segments: 1 MB of audio that waits in an encrypted file, one after the other',
  run: (rounds) =>
    inFolder(async (folder) => {
      const samples = new Samples();
      for (let round = 0; round < rounds; round++) {
        const environment = {
          API_RATE_LIMIT: '1000000000',
          SERVICE_CREDENTIAL_SALT: 'ab'.repeat(32),
          SERVICE_DATA_DIR: `${folder}/${round}`,
        };
        const server = await Watched.hark(environment, 0);
        const consent = { deviceId: 'hall', enabled: true, consentLevel: 'active' };
        await ask(server, 'PUT', '/api/capture/consent', consent, 200);
        const start = { deviceId: 'hall', modalities: ['audio'] };
        const { streamId } = started.parse(await ask(server, 'POST', '/api/capture/start', start, 201));
        const path = `/api/capture/streams/${streamId}/segments`;
        const body = {
          modality: 'audio',
          startedAt: 1,
          durationMs: 1_000,
          mimeType: 'audio/pcm',
          content: pcm(),
        };
        for (let count = 0; count < WARM_UP; count++) await ask(server, 'POST', path, body, 202);
        server.watch();
        const took: number[] = [];
        for (let count = 0; count < SEGMENTS; count++) {
          const before = performance.now();
          await ask(server, 'POST', path, body, 202);
          took.push(performance.now() - before);
        }
        samples.add('segment', { p50: percentile(took, 50), p99: percentile(took, 99) });
        samples.add('segment', { blockedMs: await server.stop() });
      }
      const segment = (column: string) => samples.median('segment', column);
      return [
        limitRow('accepted, p50', segment('p50'), 20, 'ms'),
        limitRow('accepted, p99', segment('p99'), 20, 'ms'),
        limitRow('main thread blocked', segment('blockedMs'), 10, 'ms'),
      ];
    }),
};

function pcm(): string {
  return Buffer.alloc(BYTES, 3).toString('base64');
}

async function ask(server: Watched, method: string, path: string, body: unknown, expected: number) {
  const answer = await fetch(server.url + path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== expected) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
