import { chmodSync, closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A log that nobody writes any more becomes one file, which is read without leaving others beside it. */
export function makePortable(file: string): void {
  const db = new DatabaseSync(file);
  db.exec('pragma journal_mode = delete');
  db.close();
  chmodSync(file, 0o600);
  syncFile(file);
}

/** A file's name is only as durable as the folder that it stands in. */
export function syncDirectoryOf(file: string): void {
  syncFile(dirname(file));
}

export function syncFile(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
