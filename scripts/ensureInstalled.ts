import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Installs the packages of a folder with a lock file of its own, unless they are there and as new as it asks. */
export function ensureInstalled(folder: string): void {
  // npm writes this file at the end of each install.
  const installed = changedAt(join(folder, 'node_modules/.package-lock.json'));
  if (installed !== undefined && installed >= (changedAt(join(folder, 'package-lock.json')) ?? 0)) return;
  const log = join(mkdtempSync(join(tmpdir(), 'hark-install-')), 'output');
  console.error(`Installing what ${folder} asks for; npm's words go to ${log}`);
  const output = openSync(log, 'a');
  // What npm runs inherits our own setting, which is to run no scripts of packages; peers of benchmarks need theirs.
  const flags = ['--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts=false'];
  const { status } = spawnSync('npm', ['ci', ...flags], {
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  if (status !== 0)
    throw new Error(`What ${folder} asks for was not installed:\n${readFileSync(log, 'utf8')}`);
}

function changedAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
