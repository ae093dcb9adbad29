import { parentPort } from 'node:worker_threads';
import { keepEnvironmentOutOfCrashReports } from '../../../../crashReports.ts';
import { loadOnnxruntime } from '../../../../onnxruntime.ts';
import { giveWayToOthers } from '../../../../threadPriority.ts';
import { PairsOfBlocks } from './blocks.ts';
import type { HelperReply, HelperRequest, SharedWork } from './messages.ts';
import { type FoundNearest, NearestOfRows } from './nearestOfRows.ts';
import { compareBlocks } from './products.ts';

/* It ends when it is told to, and is never terminated: while the runtime works for it, that ends the whole process. */

keepEnvironmentOutOfCrashReports();
giveWayToOthers();
const port = parentPort;
if (!port) throw new Error('Rows are compared in a worker thread');

/** Loaded before there is anything to do. */
const loading = loadOnnxruntime();
loading.catch(() => undefined);

port.on('message', (request: HelperRequest) => {
  if (request.kind === 'end') port.close();
  else void answer(request.id, request.work);
});

async function answer(id: number, work: SharedWork): Promise<void> {
  try {
    const found = await partOf(work);
    tell({ kind: 'found', id, found }, [found.similarities.buffer, found.others.buffer]);
  } catch (error) {
    tell({ kind: 'failed', id, error: error instanceof Error ? error.name : 'unknown' }, []);
  }
}

function tell(reply: HelperReply, moved: readonly ArrayBuffer[]): void {
  port?.postMessage(reply, [...moved]);
}

async function partOf({ rows, taken, nearest }: SharedWork): Promise<FoundNearest> {
  const found = new NearestOfRows(rows.count, nearest);
  await compareBlocks(await loading, rows, new PairsOfBlocks(rows, taken), found);
  return found.found;
}
