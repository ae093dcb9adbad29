import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { syncDirectoryOf, syncFile } from './portableFile.ts';
import { migrate } from './schema.ts';

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
