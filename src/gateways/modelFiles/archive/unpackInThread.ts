import { Worker } from 'node:worker_threads';
import { DownloadError } from '../download.ts';
import type { FromUnpacking, Unpacking } from './unpack.ts';

const THREAD = new URL('./unpackThread.ts', import.meta.url);

/** What the operating system said, as it says it of files that are written here. */
class NotWritten extends Error {
  readonly code: string;

  constructor(code: string) {
    super('An archive could not be unpacked');
    this.code = code;
  }
}

/** Rejects with the reason of the signal, and then nothing writes any more. */
export async function unpackInThread(
  unpacking: Unpacking,
  { signal, onRead }: { readonly signal: AbortSignal; readonly onRead: (bytes: number) => void },
): Promise<void> {
  signal.throwIfAborted();
  const worker = new Worker(THREAD, { workerData: unpacking });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  worker.on('message', (message: FromUnpacking) => {
    if (message === 'done') resolve();
    else if ('read' in message) onRead(message.read);
    else if ('code' in message) reject(new NotWritten(message.code));
    else
      reject(
        new DownloadError(`The archive cannot be used: ${lowered(message.broken)}`, { isPassing: false }),
      );
  });
  worker.on('error', reject);
  worker.on('exit', () => reject(new Error('The thread that unpacks ended')));
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    await worker.terminate();
  }
}

function lowered(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}
