import { openForReading } from './database.ts';

const MOST_NAMED = 10;

/**
 * What SQLite finds damaged in a database, in its words; nothing when it is whole. A quick look reads every
 * page; a full one also compares the indexes with what they point to.
 */
export function damagedPages(file: string, depth: 'quick' | 'full'): string[] {
  const db = openForReading(file);
  try {
    const pragma = depth === 'full' ? 'integrity_check' : 'quick_check';
    const rows = db.prepare(`pragma ${pragma}(${MOST_NAMED})`).all();
    return rows.flatMap((row) => Object.values(row).map(String)).filter((line) => line !== 'ok');
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    db.close();
  }
}
