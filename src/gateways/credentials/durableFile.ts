import { randomUUID } from 'node:crypto';
import { chmod, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { HarkError } from '../../errors.ts';
import { hasNoRoom, systemCode } from '../systemErrors.ts';
import { unusable } from './unusable.ts';

const OWNER_ONLY = 0o600;
const FOR_OTHERS = 0o077;
const PART = '.part';

/** Undefined when there is no such file. One that others may read is closed to them. */
export async function readOwnFile(file: string): Promise<string | undefined> {
  try {
    const text = await readFile(file, 'utf8');
    if (((await stat(file)).mode & FOR_OTHERS) !== 0) await chmod(file, OWNER_ONLY).catch(() => undefined);
    return text;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw unusable(
      `${basename(file)} cannot be read (${systemCode(error)}); give it to the user who runs hark, with mode 600`,
      error,
    );
  }
}

/** Either the old content stays or the new one is there, whenever the machine stops. For one writer at a time. */
export async function replaceOwnFile(file: string, text: string): Promise<void> {
  const part = `${file}.${randomUUID()}${PART}`;
  try {
    await removeLeftParts(file);
    await writeThrough(part, text);
    await rename(part, file);
    await syncFolder(dirname(file));
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    if (hasNoRoom(error)) throw new HarkError('STORAGE_FULL', { cause: error });
    throw unusable(
      `${basename(file)} cannot be written (${systemCode(error)}); make the data directory writable`,
      error,
    );
  }
}

/** Of a process that was killed while it wrote. */
async function removeLeftParts(file: string): Promise<void> {
  const names = await readdir(dirname(file));
  const left = names.filter((name) => name.startsWith(`${basename(file)}.`) && name.endsWith(PART));
  await Promise.all(left.map((name) => rm(join(dirname(file), name), { force: true })));
}

async function writeThrough(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', OWNER_ONLY);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
