import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findDisorder } from '../../../store/disorder.ts';
import { readRedisFacts } from '../../../store/redis/inspection.ts';
import { databaseFile } from '../../../store/sqlite/database.ts';
import { directoryHolder } from '../../../store/sqlite/directoryLock.ts';
import { damagedPages } from '../../../store/sqlite/integrity.ts';
import { describePlace, type OpenLog, withLog } from '../openLog.ts';
import { counted, showBytes } from '../output.ts';
import { type Check, type CheckResult, fail, ok, type Patient, warn } from './check.ts';

const OTHERS = 0o077;
const TIGHT_BYTES = 2 ** 30;
const TOO_TIGHT_BYTES = 64 * 2 ** 20;

export const dataDirectoryCheck: Check = {
  name: 'data directory',
  run({ place: { url, dataDirectory } }) {
    if (!existsSync(dataDirectory))
      return [beforeFirstStart(dataDirectory), freeSpace(dirname(dataDirectory))];
    if (!statSync(dataDirectory).isDirectory())
      return [fail(`${dataDirectory} is not a folder`, 'Set SERVICE_DATA_DIR to a folder')];
    const findings = [...permissions(dataDirectory), freeSpace(dataDirectory)];
    return url === 'embedded' ? [...findings, holder(dataDirectory)] : findings;
  },
};

function beforeFirstStart(directory: string): CheckResult {
  const parent = firstExisting(directory);
  if (isWritable(parent)) return ok(`${directory} does not exist yet; the first start creates it`);
  return fail(
    `${directory} cannot be created in ${parent}`,
    'Set SERVICE_DATA_DIR to a folder you may write to',
  );
}

function permissions(directory: string): CheckResult[] {
  if (!isWritable(directory))
    return [
      fail(`${directory} is not writable`, `Give it to the user of the service: chown -R … ${directory}`),
    ];
  const open = [directory, ...readdirSync(directory).map((name) => join(directory, name))].filter(
    isOpenToOthers,
  );
  if (open.length === 0) return [ok(`${directory}, for its owner alone`)];
  return [
    warn(`open to other users: ${open.join(', ')}`, `chmod -R u+rwX,go= ${directory}`),
    ok(`${directory}, writable`),
  ];
}

/** A file may be gone by the time it is looked at: a running service removes some. */
function isOpenToOthers(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0;
}

function freeSpace(path: string): CheckResult {
  const { bavail, bsize } = statfsSync(firstExisting(path));
  const free = bavail * bsize;
  const words = `${showBytes(free)} free on its disk`;
  const mend = 'Make room, or set SERVICE_DATA_DIR to a folder on another disk';
  if (free < TOO_TIGHT_BYTES) return fail(words, mend);
  return free < TIGHT_BYTES ? warn(words, mend) : ok(words);
}

function holder(directory: string): CheckResult {
  const pid = directoryHolder(directory);
  return ok(pid === undefined ? 'hark is not running' : `hark is running (process ${pid})`);
}

function firstExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : firstExisting(dirname(path));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const OLDEST_REDIS = 7;

const lossAtCrash: Readonly<Record<string, string>> = {
  always: 'nothing that was acknowledged is lost when the machine fails',
  everysec: 'up to one second of what was acknowledged is lost when the machine fails',
  no: 'what the system had not written yet is lost when the machine fails',
};

export const redisCheck: Check = {
  name: 'Redis',
  async run({ place }) {
    if (!place.url.startsWith('redis')) return [];
    const { version, maxmemoryPolicy, appendonly, appendfsync } = await readRedisFacts(place.url);
    return [
      Number.parseInt(version, 10) >= OLDEST_REDIS
        ? ok(`Redis ${version} at ${describePlace(place)}`)
        : fail(`Redis ${version} is too old`, `Install Redis ${OLDEST_REDIS} or newer`),
      maxmemoryPolicy === 'noeviction'
        ? ok('it never evicts keys')
        : fail(
            `it may evict keys (maxmemory-policy ${maxmemoryPolicy}), and a log must lose none`,
            'CONFIG SET maxmemory-policy noeviction, and the same in redis.conf',
          ),
      durability(appendonly, appendfsync),
    ];
  },
};

function durability(appendonly: boolean, appendfsync: string): CheckResult {
  if (!appendonly)
    return warn(
      'appendonly is off: everything since the last RDB file is lost when Redis ends',
      'CONFIG SET appendonly yes, and the same in redis.conf',
    );
  const loss = lossAtCrash[appendfsync] ?? 'Redis does not say how often it flushes';
  return ok(`appendonly, appendfsync ${appendfsync}: ${loss}`);
}

const MEND = 'Restore a backup into an empty folder: hark restore <file> --data-dir <folder>';

export const logCheck: Check = {
  name: 'log',
  async run(patient) {
    const { url, dataDirectory } = patient.place;
    if (url === 'none' || url === 'memory') return [ok(`SERVICE_KVSTORE_URL=${url}: no log is kept`)];
    if (url !== 'embedded') return withLog(patient.place, checkEvents);
    if (!existsSync(databaseFile(dataDirectory))) return [ok('none yet; the first start creates one')];
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
  return [ok(`${counted(log.head, 'event')}, with no gap in positions or in any stream; the newest reads`)];
}

async function decodeNewest({ store, head }: OpenLog): Promise<void> {
  for await (const { events } of store.readAll({ after: head - 1, until: head })) {
    for (const event of events) void event.data;
  }
}
