import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import fastify from 'fastify';
import { CHUNK, CHUNKS, PACE_MS, PACED_CHUNKS } from './turns.ts';

/** The limit: a bare Fastify that streams the same chunks out of its hand, one write and one turn for each. */

const app = fastify();
for (const { path, chunks, paceMs } of [
  { path: '/at-length', chunks: CHUNKS, paceMs: 0 },
  { path: '/slowly', chunks: PACED_CHUNKS, paceMs: PACE_MS },
]) {
  app.post(path, async (_, reply) => {
    const { raw } = reply.hijack();
    raw.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let index = 0; index < chunks; index++) {
      raw.write(`id: 1.${index}\ndata: ${JSON.stringify({ type: 'content', content: CHUNK })}\n\n`);
      await (paceMs === 0 ? nextTurn() : wait(paceMs));
    }
    raw.end();
  });
}
await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
const health = typeof address === 'object' ? address?.port : undefined;
console.log(JSON.stringify({ ports: { health } }));
process.on('SIGTERM', () => process.exit());
