import { parentPort } from 'node:worker_threads';
import { keepEnvironmentOutOfCrashReports } from '../../crashReports.ts';
import type { FromThread, ThreadRequest } from '../../restingThread.ts';
import { WordCounts } from './wordCounts.ts';

/* A thread of its own, since the table of tokens takes 130 ms and 90 MB to load. */

keepEnvironmentOutOfCrashReports();
const port = parentPort;
if (!port) throw new Error('Tokens are counted in a worker thread');

const counts = new WordCounts();
port.postMessage('ready' satisfies FromThread<readonly number[]>);
port.on('message', ({ id, job: texts }: ThreadRequest<readonly string[]>) => {
  const answer = texts.map((text) => counts.count(text));
  port.postMessage({ id, answer } satisfies FromThread<readonly number[]>);
});
