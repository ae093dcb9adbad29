import { request as ask, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { percentile } from './measure.ts';

/*
 * A process of its own: begins turns that speak slowly, lets go of each, and takes it up again a few times where
 * it was first left. Says how long the first message took that was missed.
 */

export interface ReattachCalls {
  readonly url: string;
  readonly text: string;
  readonly atOnce: number;
  readonly times: number;
  readonly pauseMs: number;
}

export interface ReattachTimes {
  readonly p50: number;
  readonly p99: number;
}

const { url, text, atOnce, times, pauseMs }: ReattachCalls = JSON.parse(process.argv[2] ?? '');

const taken: number[] = [];
await Promise.all(Array.from({ length: atOnce }, (_, number) => comeAndGo(number)));
const result: ReattachTimes = { p50: percentile(taken, 50), p99: percentile(taken, 99) };
console.log(JSON.stringify(result));
process.exit();

async function comeAndGo(number: number): Promise<void> {
  await wait(number * (pauseMs / atOnce));
  const { turnId, lastId } = await firstOf('POST', '/api/chat/stream', {}, { text });
  for (let time = 0; time < times; time++) {
    await wait(pauseMs);
    const started = performance.now();
    await firstOf('GET', `/api/chat/stream/${turnId}`, { 'last-event-id': lastId });
    taken.push(performance.now() - started);
  }
}

/** Listens for one piece of text, and goes. */
async function firstOf(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<{ turnId: string; lastId: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const asking = ask(url + path, { method, headers: { ...headers, ...json } }, resolve).once('error', reject);
  asking.end(body === undefined ? undefined : JSON.stringify(body));
  const answer = await promise;
  let heard = '';
  for await (const bytes of answer) {
    heard += bytes;
    const [, lastId] = /id: (\S+)\ndata: \{"type":"content"/.exec(heard) ?? [];
    if (lastId !== undefined) return { turnId: String(answer.headers['x-turn-id'] ?? ''), lastId };
  }
  throw new Error(`${answer.statusCode}: ${heard}`);
}
