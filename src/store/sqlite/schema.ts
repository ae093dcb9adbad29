import { closeSync, existsSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { syncDirectoryOf, syncFile } from './portableFile.ts';

/** Marks a file as a hark log in its header, so that no other SQLite file is ever taken for one. */
export const APPLICATION_ID = 0x6861726b;
const MIGRATIONS = join(import.meta.dirname, '../../../migrations/sqlite');

const migrations = readdirSync(MIGRATIONS)
  .filter((name) => name.endsWith('.sql'))
  .sort();

/** The newest layout of tables that is known here. */
export const NEWEST_LAYOUT = migrations.length;

export function layoutOf(db: DatabaseSync): { application: number; version: number } {
  const row = db
    .prepare('select application_id, user_version from pragma_application_id, pragma_user_version')
    .get();
  return { application: Number(row?.application_id), version: Number(row?.user_version) };
}

/** Each step in a transaction of its own, which says in the header that it was done. */
export function migrate(db: DatabaseSync): void {
  const { version } = layoutOf(db);
  for (const [index, file] of migrations.entries()) {
    if (index < version) continue;
    db.exec('begin immediate');
    db.exec(readFileSync(join(MIGRATIONS, file), 'utf8'));
    db.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = ${index + 1}; commit`);
  }
}

/**
 * Makes a log under another name and gives it its own when it is whole and on the disk: killed at any instant, it
 * leaves no log or an empty one, and never an empty file in its place. Such a file is thus a log that was lost.
 */
export function createLog(file: string): void {
  const begun = `${file}.new`;
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(begun + suffix, { force: true });
  createForOwner(begun);
  const db = new DatabaseSync(begun);
  try {
    db.exec('pragma synchronous = off; pragma journal_mode = wal');
    migrate(db);
  } finally {
    db.close();
  }
  syncFile(begun);
  renameSync(begun, file);
  syncDirectoryOf(file);
}

/** Creates a file for its owner alone. SQLite gives the files that it puts beside it the same permissions. */
export function createForOwner(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
}
