/*
 * A process that keeps the index of a memory that grows, again and again, or once. It says of each piece
 * that it is kept, and when all are, and waits to be killed.
 */
import { once } from 'node:events';
import { SettableClock } from '../../src/clock.ts';
import { IndexThread } from '../../src/projections/memory/index/indexThread.ts';
import { Log } from '../../src/store/log.ts';
import { SqliteAdapter } from '../../src/store/sqlite/adapter.ts';
import { note, sampleCatalog } from '../store/sampleEvents.ts';
import { documentOf, find, indexOf, SAVED_AFTER_MS } from './savedIndexes.ts';

const [directory = '', howOften = ''] = process.argv.slice(2);
const log = await Log.open(await SqliteAdapter.open(directory), sampleCatalog);
const clock = new SettableClock(Date.now());
let onSaved = () => {};
const index = indexOf(log, new IndexThread(), clock, {
  onPiece({ number, of }) {
    console.log(`piece ${number}`);
    if (number === of - 1) onSaved();
  },
});
log.onAppended((events) => void index.add('ann', events.flatMap(documentOf)));
for (let grown = log.delivered; ; ) {
  const until = Math.ceil(1.2 * grown) + 1_000;
  const written: Promise<unknown>[] = [];
  for (; grown < until; grown++)
    written.push(log.append(note('ann', `n${grown}`, `a fox and the number ${grown}`)));
  await Promise.all(written);
  await find(index, 'fox');
  const saved = new Promise<void>((resolve) => {
    onSaved = resolve;
  });
  clock.advance(SAVED_AFTER_MS);
  await saved;
  console.log('kept');
  if (howOften === 'once') await once(process, 'SIGTERM');
}
