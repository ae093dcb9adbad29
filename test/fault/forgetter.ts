/*
 * A process that writes a text, forgets it, and says so as soon as it was told that this is durable: first the
 * keys that it destroyed, in hexadecimal, then that they are gone. It then waits to be killed.
 */
import { Log } from '../../src/store/log.ts';
import { SqliteAdapter } from '../../src/store/sqlite/adapter.ts';
import { forget, note, sampleCatalog } from '../store/sampleEvents.ts';

const [directory = '', text = '', notes = '1'] = process.argv.slice(2);
const adapter = await SqliteAdapter.open(directory);
const log = await Log.open(adapter, sampleCatalog);
const names = Array.from({ length: Number(notes) }, (_, index) => `n${index}`);
for (const name of names) await log.append(note('ann', name, text));
for (const { bytes } of await adapter.exportKeys())
  console.log(Buffer.from(bytes.subarray(8)).toString('hex'));
await Promise.all(names.map((name) => log.append(forget('ann', name))));
console.log('forgotten');
process.stdin.resume();
