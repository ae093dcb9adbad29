import { parentPort } from 'node:worker_threads';
import { keepEnvironmentOutOfCrashReports } from '../crashReports.ts';
import type { FromThread, ThreadRequest } from '../restingThread.ts';
import { giveWay } from '../threadPriority.ts';
import type { ReadAnswer, SpokenConversation } from './conversation.ts';
import { readConversation } from './readConversation.ts';

/* A thread of its own, since the dictionary of names takes 200 ms and some ten megabytes to load. */

keepEnvironmentOutOfCrashReports();
giveWay();
const port = parentPort;
if (!port) throw new Error('Language is read in a worker thread');

port.postMessage('ready' satisfies FromThread<ReadAnswer>);
port.on('message', ({ id, job }: ThreadRequest<SpokenConversation>) => {
  port.postMessage({ id, answer: answerTo(job) } satisfies FromThread<ReadAnswer>);
});

function answerTo(conversation: SpokenConversation): ReadAnswer {
  try {
    return { reading: readConversation(conversation) };
  } catch (error) {
    // The name alone: what an error says may quote the text.
    return { failed: error instanceof Error ? error.name : 'unknown' };
  }
}
