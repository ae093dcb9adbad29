import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { HarkError } from '../../errors.ts';
import { APPLICATION_ID, createLog, layoutOf, migrate, NEWEST_LAYOUT } from './schema.ts';
import { isWhole } from './tornFile.ts';

const HEADER_BYTES = 100;
/** No room for the database or its write-ahead log; no room for the index of the latter. */
const SQLITE_FULL = 13;
const SQLITE_IOERR_SHMSIZE = 4_874;

export function databaseFile(directory: string): string {
  return join(directory, 'hark.db');
}

/** Opens for writing: refuses what is not ours, not whole or newer, and only then brings it up to date. */
export function openForWriting(file: string): DatabaseSync {
  refuseLost(file);
  if (!existsSync(file)) createLog(file);
  refuseForeign(file);
  refuseNewer(file);
  const db = openAgain(file);
  guarded(() => migrate(db));
  return db;
}

/** For a process that has it open already: whatever looked at the file without SQLite would drop its locks. */
export function openAgain(file: string): DatabaseSync {
  return guarded(() => {
    const db = new DatabaseSync(file);
    db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on');
    db.exec('pragma wal_autocheckpoint = 4000; pragma busy_timeout = 5000; pragma cache_size = -16000');
    return db;
  });
}

/**
 * Opens for reading beside a writer, which it neither hinders nor waits for. A file that may be open in this
 * process is left to SQLite: closing it once here would drop every lock that the process has on it.
 */
export function openForReading(file: string): DatabaseSync {
  const atRest = isAtRest(file);
  refuseLost(file);
  if (atRest) refuseForeign(file);
  const db = guarded(() => new DatabaseSync(atRest ? asImmutable(file) : file, { readOnly: true }));
  try {
    guarded(() => db.exec('pragma busy_timeout = 5000; pragma cache_size = -8000'));
    const { application, version } = guarded(() => layoutOf(db));
    if (application !== APPLICATION_ID) throw foreign();
    if (version > NEWEST_LAYOUT) throw newer();
    if (version < NEWEST_LAYOUT) throw older();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** What counts may stand in the write-ahead log. To read it from there for reading only leaves both as they are. */
function refuseNewer(file: string): void {
  const db = guarded(() => new DatabaseSync(isAtRest(file) ? asImmutable(file) : file, { readOnly: true }));
  try {
    const { application, version } = guarded(() => layoutOf(db));
    if (application !== APPLICATION_ID) throw foreign();
    if (version > NEWEST_LAYOUT) throw newer();
  } finally {
    db.close();
  }
}

/** No process has the log open, and none was killed with it: all that it holds is in the one file. */
export function isAtRest(file: string): boolean {
  return !existsSync(`${file}-wal`);
}

/** Else SQLite would leave files of its own behind, or fail where it may not write. */
function asImmutable(file: string): URL {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  return url;
}

function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && error.code === 'ENOSPC') return true;
  if (!('errcode' in error)) return false;
  return error.errcode === SQLITE_FULL || error.errcode === SQLITE_IOERR_SHMSIZE;
}

/** What keeps whoever runs hark from using the data directory; nothing for what is not of the file system. */
export function whyUnusable(cause: unknown): HarkError | undefined {
  if (isFull(cause)) return new HarkError('STORAGE_FULL', { cause });
  if (!(cause instanceof Error) || !('syscall' in cause && 'code' in cause)) return undefined;
  const message = `The data directory cannot be used (${cause.code}). It must be a folder that hark may write to`;
  return new HarkError('DATA_DIR_UNUSABLE', { message, cause });
}

export function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
  db.exec('begin immediate');
  try {
    const result = work();
    db.exec('commit');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}

/** Reads the header without SQLite, which would create, recover or overwrite what it finds. */
function refuseForeign(file: string): void {
  const size = sizeOf(file);
  const header = readHeader(file);
  const isSqlite = header.toString('latin1', 0, 15) === 'SQLite format 3';
  if (!isSqlite || header.readUInt32BE(68) !== APPLICATION_ID) throw foreign();
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  if (size % pageSize !== 0) throw damaged();
  if (!isWhole(file, size / pageSize, header.readUInt32BE(28))) throw damaged();
}

/**
 * No file of ours is ever empty, and none goes while what SQLite puts beside it stays. Beside an empty file, SQLite
 * would throw the write-ahead log away, with every event in it, even where it only reads.
 */
function refuseLost(file: string): void {
  const isLost = existsSync(file) ? sizeOf(file) === 0 : !isAtRest(file) || existsSync(`${file}-shm`);
  if (isLost) throw damaged();
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(descriptor);
  }
  return header;
}

/** SQLite's own words for a damaged file become ours. */
export function guarded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw whyDamaged(cause) ?? cause;
  }
}

export function whyDamaged(cause: unknown): HarkError | undefined {
  const isDamage = cause instanceof Error && /malformed|not a database|corrupt/i.test(cause.message);
  return isDamage ? damaged(cause) : undefined;
}

function foreign(): HarkError {
  return new HarkError('LOG_FOREIGN', {
    message: 'hark.db in the data directory is not a hark log. It was left as it is',
  });
}

function damaged(cause?: unknown): HarkError {
  return new HarkError('LOG_DAMAGED', {
    message: 'hark.db in the data directory is damaged. It was left as it is; restore a backup beside it',
    cause,
  });
}

function newer(): HarkError {
  return new HarkError('LOG_NEWER', {
    message: 'hark.db was written by a newer version of hark. Start it with that version',
  });
}

function older(): HarkError {
  return new HarkError('NOT_READY', {
    message: 'hark.db was written by an older version of hark. Start the service once to bring it up to date',
  });
}
