import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, TestRunner } from 'vitest';

/** A folder that is gone when the tests of this file or `describe` are over. Once they run, they can have no other. */
export function temporaryFolder(name: string): string {
  assert.equal(
    TestRunner.getCurrentTest(),
    undefined,
    'Nothing would remove a folder that is made in a test',
  );
  const folder = mkdtempSync(join(tmpdir(), `hark-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What would be left of a data directory if its process were killed now, in another folder. */
export function imageOf(directory: string, into: string): string {
  mkdirSync(into, { recursive: true });
  for (const name of ['hark.db', 'hark.db-wal']) {
    if (existsSync(join(directory, name))) copyFileSync(join(directory, name), join(into, name));
  }
  return into;
}

/**
 * The bytes of every file in it and below, by path. Another program reads them: whoever closes a file drops all the
 * locks that its process has on it. What is deleted meanwhile is not there.
 */
export function bytesOf(directory: string): ReadonlyMap<string, Buffer> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  return new Map(
    files.flatMap(({ parentPath, name }) => {
      const path = join(parentPath, name);
      try {
        const bytes = execFileSync('cat', [path], { maxBuffer: 1 << 30, stdio: 'pipe' });
        return [[relative(directory, path), bytes] as const];
      } catch (error) {
        if (existsSync(path)) throw error;
        return [];
      }
    }),
  );
}
