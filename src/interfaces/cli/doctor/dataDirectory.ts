import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { directoryHolder } from '../../../store/sqlite/directoryLock.ts';
import { showBytes } from '../output.ts';
import { type Check, type CheckResult, fail, ok, warn } from './check.ts';

const OTHERS = 0o077;
const TIGHT_BYTES = 2 ** 30;
const TOO_TIGHT_BYTES = 64 * 2 ** 20;

export const dataDirectoryCheck: Check = {
  name: 'data directory',
  run({ place: { url, dataDirectory } }) {
    if (!existsSync(dataDirectory))
      return [beforeFirstStart(dataDirectory), freeSpace(dirname(dataDirectory))];
    if (!statSync(dataDirectory).isDirectory())
      return [fail(`${dataDirectory} is no folder`, 'Set SERVICE_DATA_DIR to a folder')];
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
  return ok(pid === undefined ? 'no service uses it now' : `a service uses it now (process ${pid})`);
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
