import { parentPort } from 'node:worker_threads';
import { keepEnvironmentOutOfCrashReports } from '../crashReports.ts';
import { type ErrorCode, isHarkError } from '../errors.ts';
import type { FromThread, ThreadRequest } from '../restingThread.ts';
import { backUp } from './backup.ts';
import { openReadOnly } from './open.ts';

/* The whole log is read twice and hashed: in a thread of its own nobody waits for it. */

/** One log, into one file. */
export interface BackupJob {
  readonly url: string;
  readonly dataDirectory: string;
  readonly file: string;
}

export type BackupAnswer =
  | { readonly events: number }
  | { readonly code: ErrorCode; readonly cause?: unknown };

keepEnvironmentOutOfCrashReports();
const port = parentPort;
if (!port) throw new Error('Backups are made in a worker thread');

port.postMessage('ready' satisfies FromThread<BackupAnswer>);
port.on('message', ({ id, job }: ThreadRequest<BackupJob>) => {
  void answer(job).then((made) => port.postMessage({ id, answer: made } satisfies FromThread<BackupAnswer>));
});

async function answer({ url, dataDirectory, file }: BackupJob): Promise<BackupAnswer> {
  try {
    const adapter = await openReadOnly(url, dataDirectory);
    try {
      return { events: (await backUp(adapter, file)).events };
    } finally {
      await adapter.close();
    }
  } catch (error) {
    const isFull = error instanceof Error && /ENOSPC|disk is full/.test(error.message);
    if (isHarkError(error)) return { code: error.code };
    return { code: isFull ? 'STORAGE_FULL' : 'INTERNAL', cause: error };
  }
}
