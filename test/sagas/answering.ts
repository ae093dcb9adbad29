import { asyncScheduler } from 'rxjs';
import { Log } from '../../src/store/log.ts';
import { RedisAdapter } from '../../src/store/redis/adapter.ts';
import { add } from '../support/counting.ts';
import { runtimeOn, sagaCatalog, sagaOf } from '../support/sagas.ts';

/*
 * answering.ts <redis url> <instance>: a process with one saga, which answers each number by adding it to two
 * other streams, and says so on stdout after the first. Ends when its stdin does.
 */

const [url = '', instanceId = ''] = process.argv.slice(2);
const log = await Log.open(await RedisAdapter.open(url), sagaCatalog);
const saga = sagaOf(async ({ stream }, { run }, n) => {
  await run(add, { to: `${stream}-first-answer`, n }, { step: 'first' });
  process.stdout.write(`${n}\n`);
  await run(add, { to: `${stream}-second-answer`, n }, { step: 'second' });
});
const onFailure = (name: string, error: unknown) => console.error(name, error);
const runtime = runtimeOn(log, saga, { instanceId, onFailure, scheduler: asyncScheduler });
runtime.start();
process.stdout.write('ready\n');
process.stdin.resume().on('end', async () => {
  await runtime.stop();
  await log.close();
});
