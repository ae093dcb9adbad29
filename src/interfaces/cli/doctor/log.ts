import { existsSync } from 'node:fs';
import { findDisorder } from '../../../store/disorder.ts';
import { databaseFile } from '../../../store/sqlite/database.ts';
import { damagedPages } from '../../../store/sqlite/integrity.ts';
import { type OpenLog, withLog } from '../openLog.ts';
import { type Check, type CheckResult, fail, ok, type Patient } from './check.ts';

const MEND = 'Restore a backup into an empty folder: hark restore <file> --data-dir <folder>';

export const logCheck: Check = {
  name: 'log',
  async run(patient) {
    const { url, dataDirectory } = patient.place;
    if (url === 'none' || url === 'memory') return [ok(`SERVICE_KVSTORE_URL=${url}: no log is kept`)];
    if (url !== 'embedded') return withLog(patient.place, checkEvents);
    if (!existsSync(databaseFile(dataDirectory))) return [ok('none yet; the first start begins one')];
    return checkFile(patient);
  },
};

async function checkFile({ place, depth }: Patient): Promise<CheckResult[]> {
  const damage = damagedPages(databaseFile(place.dataDirectory), depth);
  if (damage.length > 0) return damage.map((what) => fail(`the database is damaged: ${what}`, MEND));
  const how = depth === 'full' ? 'the database is whole, indexes too' : 'the database is whole';
  return [ok(how), ...(await withLog(place, checkEvents))];
}

async function checkEvents(log: OpenLog): Promise<CheckResult[]> {
  const disorder = await findDisorder(log.adapter, log.head);
  if (disorder.length > 0) return disorder.map((what) => fail(what, MEND));
  await decodeNewest(log);
  return [ok(`${log.head} events, with no gap in positions or in any stream; the newest reads`)];
}

async function decodeNewest({ store, head }: OpenLog): Promise<void> {
  for await (const { events } of store.readAll({ after: head - 1, until: head })) {
    for (const event of events) void event.data;
  }
}
