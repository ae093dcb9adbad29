import { parentPort, workerData } from 'node:worker_threads';
import { keepEnvironmentOutOfCrashReports } from '../../crashReports.ts';
import { judgePairs } from './inference.ts';
import { type LoadedModel, loadModel, RefusedModel } from './loading.ts';
import type { NliReply, NliRequest, NliThreadData } from './messages.ts';

/* A thread of its own for one model: it takes some hundred megabytes, which are free again when it ends. */

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

port.on('message', (request: NliRequest) => {
  loading.then((model) => answer(model, request)).catch(() => undefined);
});

async function answer(model: LoadedModel, request: NliRequest): Promise<void> {
  if (request.kind === 'end') {
    await model.session.release();
    port?.close();
    return;
  }
  const { id, pairs } = request;
  try {
    say({ kind: 'judged', id, verdicts: await judgePairs(model, pairs) });
  } catch (error) {
    // The name alone: what an error says may quote a sentence.
    say({ kind: 'failed', id, error: error instanceof Error ? error.name : 'unknown' });
  }
}
