import { says } from '../../src/demo/model/script.ts';
import { BACKUP, CLOUD, Routing } from '../../test/support/models/routing.ts';
import { longestBlock } from './mainThread.ts';
import { NOBODY } from './nobody.ts';

/* A process of its own: makes ready, as a started service does, and fails over once. Says how long that took. */

const routing = await Routing.start({ onTestFinished: () => undefined }, { ANTHROPIC_BASE_URL: NOBODY });
routing.models.script(says('here'));
await routing.chain('cloud-backup', CLOUD, BACKUP);
const clients = await Promise.all([CLOUD, BACKUP].map(({ provider }) => routing.clients.clientFor(provider)));
// A service has fetched catalogs by then. What the runtime loads for its first request comes as a whole.
await fetch(NOBODY).catch(() => undefined);
const blocked = await longestBlock(async () => {
  for (const client of clients) await client?.gateway.prepare();
});
const started = performance.now();
const { by } = await routing.ask('hi');
const ms = performance.now() - started;
if (by !== BACKUP.provider) throw new Error(`${by} answered`);
console.log(JSON.stringify({ ms, blocked }));
process.exit();
