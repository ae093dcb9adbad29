import { parentPort, workerData } from 'node:worker_threads';
import { keepEnvironmentOutOfCrashReports } from '../../crashReports.ts';
import { judgePairs } from './inference.ts';
import { type LoadedModel, loadModel, RefusedModel } from './loading.ts';
import type { NliReply, NliRequest, NliThreadData } from './messages.ts';

/*
 * A thread of its own for one model: it takes some hundred megabytes, which are free again when it ends. It must not be
 * terminated: while the runtime works for it, that ends the whole process.
 */

keepEnvironmentOutOfCrashReports();
const port = parentPort;
if (!port) throw new Error('The inference model lives in a worker thread');

const data: NliThreadData = workerData;
const say = (reply: NliReply) => port.postMessage(reply);

const loading = loadModel(data);
loading.then(
  () => say({ kind: 'loaded' }),
  (error) => {
    const refusal = error instanceof RefusedModel ? error.refusal : { because: 'runtime' as const };
    say({ kind: 'refused', refusal });
    port.close();
  },
);

let isEnding = false;
/** One after the other: the runtime is let go only when it has nothing to do. */
let last: Promise<void> = Promise.resolve();

port.on('message', (request: NliRequest) => {
  if (request.kind === 'end') isEnding = true;
  last = last.then(async () => answer(await loading, request)).catch(() => undefined);
});

async function answer(model: LoadedModel, request: NliRequest): Promise<void> {
  if (request.kind === 'end') {
    await model.session.release();
    port?.close();
    return;
  }
  if (isEnding) return;
  const { id, pairs } = request;
  try {
    say({ kind: 'judged', id, verdicts: await judgePairs(model, pairs) });
  } catch (error) {
    // The name alone: what an error says may quote a sentence.
    say({ kind: 'failed', id, error: error instanceof Error ? error.name : 'unknown' });
  }
}
