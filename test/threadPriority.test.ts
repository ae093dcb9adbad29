import assert from 'node:assert/strict';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { test } from 'vitest';
import { skippedFor } from './support/skippedFor.ts';

const GIVES_WAY = `
  import { getPriority } from 'node:os';
  import { parentPort } from 'node:worker_threads';
  const { giveWayToOthers } = await import('${new URL('../src/threadPriority.ts', import.meta.url)}');
  giveWayToOthers();
  parentPort.postMessage(getPriority());
`;

const isLinux = process.platform === 'linux';

test('a thread gives way to others, and takes no other along', {
  ...skippedFor(isLinux ? false : 'no Linux: threads have no priority of their own'),
}, async () => {
  const before = getPriority();
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(GIVES_WAY)}`));
  assert.deepEqual(await once(thread, 'message'), [10]);
  assert.equal(getPriority(), before);
});
