import { parentPort } from 'node:worker_threads';
import type { FromThread, ThreadRequest } from '../../src/restingThread.ts';

/** Does what tests ask a thread to do: give it back, go on for ever, or die. */
export type Work = { readonly echo: string } | 'forever' | 'die';

const say = (message: FromThread<string>) => parentPort?.postMessage(message);

say('ready');
parentPort?.on('message', ({ id, job }: ThreadRequest<Work>) => {
  if (job === 'die') throw new Error('Asked to');
  while (job === 'forever');
  if (typeof job === 'object') say({ id, answer: job.echo });
});
