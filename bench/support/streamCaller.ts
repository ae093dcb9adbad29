import { connect } from 'node:net';
import { percentile } from './measure.ts';
import { MARK, PACE_MS } from './turns.ts';

/*
 * A process of its own: listens to streams, many at once, on bare sockets, and counts the chunks of the model in
 * what it receives. It counts a mark that each chunk has, not messages: text that waited for a reader comes in
 * one message, and is as much text. Says how many chunks a second came until the last stream had ended, and how
 * much later than they were due those came that were paced.
 */

export interface StreamCalls {
  readonly port: number;
  readonly path: string;
  /** Sent with each; the stream's number takes the place of `#`. */
  readonly body: string;
  readonly atOnce: number;
  /** In each stream. */
  readonly chunks: number;
  /** Between the beginnings of two streams, so that paced chunks are not all due in the same moment. */
  readonly apartMs: number;
}

export interface StreamTimes {
  readonly perSecond: number;
  readonly late99: number;
}

const { port, path, body, atOnce, chunks, apartMs }: StreamCalls = JSON.parse(process.argv[2] ?? '');

const gaps: number[] = [];
const run = `${process.pid}-${Date.now()}`;
const started = performance.now();
await Promise.all(Array.from({ length: atOnce }, (_, number) => listen(number)));
const seconds = (performance.now() - started) / 1_000;
const times: StreamTimes = {
  perSecond: (atOnce * chunks) / seconds,
  late99: percentile(gaps, 99) - PACE_MS,
};
console.log(JSON.stringify(times));
process.exit();

async function listen(number: number): Promise<void> {
  if (apartMs > 0) await new Promise((resolve) => setTimeout(resolve, number * apartMs));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(port, '127.0.0.1');
  const sent = body.replace('#', `${run}-${number}`);
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(sent)}`,
  ];
  socket.setNoDelay(true).write(`${head.join('\r\n')}\r\n\r\n${sent}`);
  let heard = 0;
  let last = 0;
  socket.on('data', (bytes) => {
    const now = performance.now();
    const count = marksIn(bytes);
    if (count === 0) return;
    if (last > 0) gaps.push(now - last);
    last = now;
    heard += count;
  });
  socket.once('error', reject);
  socket.once('close', () => {
    if (heard === chunks) resolve();
    else reject(new Error(`${heard} chunks were heard, of ${chunks}`));
  });
  await promise;
}

function marksIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(MARK); at !== -1; at = bytes.indexOf(MARK, at + 1)) count++;
  return count;
}
