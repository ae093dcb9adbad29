import { parentPort } from 'node:worker_threads';
import { keepEnvironmentOutOfCrashReports } from '../crashReports.ts';
import { giveWay } from '../giveWay.ts';
import type { ReadReply, ReadRequest } from './conversation.ts';
import { readConversation } from './readConversation.ts';

/* A thread of its own, since the dictionary of names takes 200 ms and some ten megabytes to load. */

keepEnvironmentOutOfCrashReports();
giveWay();
const port = parentPort;
if (!port) throw new Error('Language is read in a worker thread');

port.on('message', ({ id, conversation }: ReadRequest) => {
  try {
    port.postMessage({ id, reading: readConversation(conversation) } satisfies ReadReply);
  } catch (error) {
    // The name alone: what an error says may quote the text.
    const failed = error instanceof Error ? error.name : 'unknown';
    port.postMessage({ id, failed } satisfies ReadReply);
  }
});
