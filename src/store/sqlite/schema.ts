import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

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
