import { createHash, randomUUID } from 'node:crypto';
import { existsSync, linkSync, rmSync, statSync } from 'node:fs';
import { HarkError, isHarkError } from '../errors.ts';
import { fairShare, hasTime } from '../fairShare.ts';
import type { BesideLog, KeptKey, RawEvent, StoreAdapter } from './adapter.ts';
import type { Position } from './port.ts';
import { makePortable, syncDirectoryOf } from './sqlite/portableFile.ts';
import { SqliteReader } from './sqlite/reader.ts';
import { WriterClient } from './sqlite/writerClient.ts';

/*
 * A backup is a hark log in one SQLite file, whatever the log was kept in. A note in its meta says what it must
 * read back as. Snapshots, leases and buckets stay behind: they are made anew.
 */

const PAGE = 512;
const NOTE = 'backup';

export interface BackupFigures {
  readonly events: number;
  readonly keys: number;
}

/** What a backup or a log reads as; equal digests mean equal logs. */
interface Reading extends BackupFigures {
  readonly digest: string;
}

/** What is needed of a place to read a log out of it. */
type Source = Pick<StoreAdapter, 'readAll' | 'exportBeside' | 'exportKeys'>;

/** Copies the log, beside a service that goes on writing, into a new file that has been read back in full. */
export async function backUp(
  source: Source & Pick<StoreAdapter, 'head'>,
  targetFile: string,
): Promise<BackupFigures> {
  if (existsSync(targetFile)) throw new HarkError('TARGET_EXISTS');
  const file = `${targetFile}.${randomUUID()}.part`;
  try {
    const written = await copyInto(file, source);
    const readBack = await withReader(file, (reader) => read(reader, written.events));
    if (readBack.digest !== written.digest) throw new HarkError('BACKUP_INVALID');
    // Unlike a rename, this fails when somebody else has put a file there meanwhile.
    link(file, targetFile);
    syncDirectoryOf(targetFile);
    return { events: written.events, keys: written.keys };
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
  }
}

/** Fills an empty log from a backup, and reads it back from there. */
export async function restore(file: string, target: StoreAdapter): Promise<BackupFigures> {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0)
    throw new HarkError('BACKUP_INVALID', { message: 'The backup does not exist, or is empty' });
  return withReader(file, async (reader) => {
    const noted = noteOf(await reader.exportBeside());
    const found = await read(reader, noted.events);
    if (found.digest !== noted.digest)
      throw new HarkError('BACKUP_INVALID', {
        message: 'The backup could not be verified: it differs from what was written',
      });
    if ((await target.head()) > 0)
      throw new HarkError('TARGET_EXISTS', { message: 'A backup is restored into an empty log only' });
    for await (const events of eventsOf(reader, noted.events)) await target.importEvents(events);
    const beside = withoutNote(await reader.exportBeside());
    await target.importBeside(beside, await reader.exportKeys());
    const restored = await read(target, noted.events, Object.keys(beside.meta));
    if (restored.digest !== noted.digest)
      throw new HarkError('BACKUP_INVALID', {
        message: 'The restored log could not be verified: do not use it',
      });
    return { events: noted.events, keys: found.keys };
  });
}

/** Keys come last: one that is destroyed while the events are copied must not be in the copy. */
async function copyInto(file: string, source: Source & Pick<StoreAdapter, 'head'>): Promise<Reading> {
  const writer = await WriterClient.open({ file, isFirst: true });
  try {
    const digest = new BackupDigest();
    const beside = withoutNote(await source.exportBeside());
    const head = await source.head();
    let events = 0;
    for await (const page of eventsOf(source, head)) {
      digest.addEvents(page);
      events += page.length;
      await writer.call('importEvents', page);
    }
    if (events !== head)
      throw new HarkError('LOG_DAMAGED', { message: `The log has ${events} of ${head} events` });
    const keys = await source.exportKeys();
    digest.addBeside(beside);
    digest.addKeys(keys);
    const reading = { events, keys: keys.length, digest: digest.end() };
    await writer.call('importBeside', withNote(beside, reading), keys);
    return reading;
  } finally {
    await writer.close();
    makePortable(file);
  }
}

async function read(source: Source, head: Position, metaNames?: readonly string[]): Promise<Reading> {
  const digest = new BackupDigest();
  let events = 0;
  for await (const page of eventsOf(source, head)) {
    digest.addEvents(page);
    events += page.length;
  }
  const beside = withoutNote(await source.exportBeside());
  const meta = Object.entries(beside.meta).filter(([name]) => metaNames?.includes(name) ?? true);
  const keys = await source.exportKeys();
  digest.addBeside({ ...beside, meta: Object.fromEntries(meta) });
  digest.addKeys(keys);
  return { events, keys: keys.length, digest: digest.end() };
}

async function* eventsOf(source: Pick<Source, 'readAll'>, until: Position): AsyncGenerator<RawEvent[]> {
  for (let after = 0; after < until; ) {
    const page = await source.readAll({ after, until, limit: PAGE });
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)?.position ?? until;
    if (!hasTime()) await fairShare();
  }
}

function withNote(beside: BesideLog, { events, digest }: Reading): BesideLog {
  return { ...beside, meta: { ...beside.meta, [NOTE]: `${events} ${digest}` } };
}

function withoutNote(beside: BesideLog): BesideLog {
  const { [NOTE]: _, ...meta } = beside.meta;
  return { ...beside, meta };
}

function noteOf({ meta }: BesideLog): { events: number; digest: string } {
  const [events, digest] = meta[NOTE]?.split(' ') ?? [];
  if (!events || !digest)
    throw new HarkError('BACKUP_INVALID', { message: 'The file is a hark log, but not a finished backup' });
  return { events: Number(events), digest };
}

/** Its errors speak of the service's own file; here they are about the backup. */
async function withReader<Result>(file: string, work: (reader: Source) => Promise<Result>): Promise<Result> {
  let reader: SqliteReader | undefined;
  try {
    reader = new SqliteReader(file);
    return await work(readingFrom(reader));
  } catch (cause) {
    throw ofBackup(cause);
  } finally {
    reader?.close();
  }
}

function readingFrom(reader: SqliteReader): Source {
  return {
    readAll: async (range) => reader.readAll(range),
    exportBeside: async () => reader.exportBeside(),
    exportKeys: async (): Promise<readonly KeptKey[]> => reader.exportKeys(),
  };
}

function ofBackup(cause: unknown): unknown {
  if (isHarkError(cause, 'LOG_FOREIGN'))
    return new HarkError('LOG_FOREIGN', { message: 'The file is not a backup of a hark log', cause });
  if (
    isHarkError(cause, 'LOG_DAMAGED') ||
    (cause instanceof Error && /malformed|corrupt/.test(cause.message))
  )
    return new HarkError('LOG_DAMAGED', { message: 'The backup is damaged', cause });
  if (cause instanceof Error && 'errcode' in cause) return new HarkError('BACKUP_INVALID', { cause });
  return cause;
}

function link(file: string, targetFile: string): void {
  try {
    linkSync(file, targetFile);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')
      throw new HarkError('TARGET_EXISTS', { cause });
    throw cause;
  }
}

/** Over everything that a backup holds, in an order that does not depend on where it lay. */
class BackupDigest {
  readonly #hash = createHash('sha256');

  addEvents(events: readonly RawEvent[]): void {
    for (const { sealed, ...plain } of events) {
      this.#hash.update(JSON.stringify(FIELDS.map((field) => plain[field])));
      if (sealed) this.#hash.update(sealed);
    }
  }

  addBeside({ meta, cursors, commands }: BesideLog): void {
    const rows = [
      ...Object.entries(meta).map((entry) => JSON.stringify(['meta', ...entry])),
      ...cursors.map(({ name, position }) => JSON.stringify(['cursor', name, position])),
      ...commands.map(({ id, ...gave }) =>
        JSON.stringify(['command', id, gave.position, gave.version, gave.at]),
      ),
    ];
    for (const row of rows.sort()) this.#hash.update(row);
  }

  addKeys(keys: readonly KeptKey[]): void {
    const rows = keys.map(({ userId, subject, bytes }) =>
      JSON.stringify(['key', userId, subject, Buffer.from(bytes).toString('hex')]),
    );
    for (const row of rows.sort()) this.#hash.update(row);
  }

  end(): string {
    return this.#hash.digest('hex');
  }
}

const FIELDS = [
  'position',
  'stream',
  'version',
  'type',
  'schema',
  'at',
  'userId',
  'correlationId',
  'causationId',
  'subject',
  'data',
] as const satisfies readonly (keyof RawEvent)[];
