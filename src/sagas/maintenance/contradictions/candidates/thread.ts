import { parentPort } from 'node:worker_threads';
import { keepEnvironmentOutOfCrashReports } from '../../../../crashReports.ts';
import type { CandidateReply, CandidateRequest } from './messages.ts';
import { Selection } from './selection.ts';

/* A thread for one selection: what it took to compare thousands of vectors is free again when it ends. */

keepEnvironmentOutOfCrashReports();
const port = parentPort;
if (!port) throw new Error('Pairs are selected in a worker thread');

const selection = new Selection();

port.on('message', (request: CandidateRequest) => {
  if (request.kind === 'add') {
    selection.add(request);
    return;
  }
  const selected = selection.select(request).then(
    (pairs): CandidateReply => ({ kind: 'selected', pairs }),
    (error): CandidateReply => ({ kind: 'failed', error: error instanceof Error ? error.name : 'unknown' }),
  );
  void selected.then((reply) => {
    port.postMessage(reply);
    // With nobody to listen to any more, the thread ends by itself.
    port.close();
  });
});
