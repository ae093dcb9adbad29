import { Buffer } from 'node:buffer';
import { Agent, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
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
        const segment = Buffer.from(
          JSON.stringify({
            modality: 'audio',
            startedAt: 1,
            durationMs: 1_000,
            mimeType: 'audio/pcm',
            content: pcm(),
          }),
        );
        for (let count = 0; count < WARM_UP; count++) await ask(server, 'POST', path, segment, 202);
        server.watch();
        const took: number[] = [];
        for (let count = 0; count < SEGMENTS; count++) {
          const before = performance.now();
          await ask(server, 'POST', path, segment, 202);
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

const agent = new Agent({ keepAlive: true });

/** Bytes are sent as they are: with `fetch` and a text, the client would collect its own garbage meanwhile. */
async function ask(
  server: Watched,
  method: string,
  path: string,
  body: object | Buffer,
  expected: number,
): Promise<unknown> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json', 'content-length': bytes.length };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(server.url + path, { method, headers, agent }, resolve)
      .on('error', reject)
      .end(bytes);
  });
  const said = await json(answer);
  if (answer.statusCode !== expected)
    throw new Error(`${path}: ${answer.statusCode} ${JSON.stringify(said)}`);
  return said;
}
