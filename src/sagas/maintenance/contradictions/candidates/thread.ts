import { availableParallelism } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { keepEnvironmentOutOfCrashReports } from '../../../../crashReports.ts';
import { loadOnnxruntime } from '../../../../onnxruntime.ts';
import { giveWayToOthers } from '../../../../threadPriority.ts';
import { Helper } from './helper.ts';
import type { CandidateReply, CandidateRequest, CandidateThreadData, SelectPairs } from './messages.ts';
import { Selection } from './selection.ts';

/*
 * A thread for one selection: what it took to compare thousands of vectors is free again when it ends. It must not be
 * terminated: while the runtime works for it, that ends the whole process.
 */

keepEnvironmentOutOfCrashReports();
giveWayToOthers();
const port = parentPort;
if (!port) throw new Error('Pairs are selected in a worker thread');

/** From so many statements on, a second thread is worth what it takes to begin one. */
const MANY = 6_000;

const { statements }: CandidateThreadData = workerData;
const helper = statements >= MANY && availableParallelism() > 1 ? new Helper() : undefined;
if (helper) loadRuntime();
const selection = new Selection(helper);
const stopped = new AbortController();

port.on('message', (request: CandidateRequest) => {
  if (request.kind === 'add') selection.add(request);
  else if (request.kind === 'select') void select(request).then(end);
  else end();
});

/** While the statements are still on their way. Where there is none, whoever needs it finds out. */
function loadRuntime(): void {
  loadOnnxruntime().catch(() => undefined);
}

async function select(wanted: SelectPairs): Promise<void> {
  try {
    const pairs = await selection.select(wanted, stopped.signal);
    tell({ kind: 'selected', pairs });
  } catch (error) {
    tell({ kind: 'failed', error: error instanceof Error ? error.name : 'unknown' });
  }
}

function tell(reply: CandidateReply): void {
  port?.postMessage(reply);
}

/** With nobody to listen to any more, the thread ends by itself, as soon as the runtime has come back. */
function end(): void {
  stopped.abort();
  void helper?.end();
  port?.close();
}
