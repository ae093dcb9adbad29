import { spawnSync } from 'node:child_process';
import { accessSync, closeSync, constants, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';

/** A program that a machine may lack, or the folder of what a program reads. */
export interface DebianTool {
  readonly command: string;
  /** Debian's packages of it. */
  readonly debian: string;
}

/** Installs those that the machine lacks, where it can. Returns what is still missing. */
export function provide<Tool extends DebianTool>(tools: readonly Tool[]): readonly Tool[] {
  const missing = tools.filter(({ command }) => !has(command));
  if (missing.length > 0 && process.getuid?.() === 0 && has('apt-get')) install(missing);
  return missing.filter(({ command }) => !has(command));
}

function has(command: string): boolean {
  const folders = isAbsolute(command) ? [''] : (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** A mirror that stumbles is asked again, and whoever installs something else at the moment is waited for. */
const PATIENT = ['-o', 'Acquire::Retries=5', '-o', 'DPkg::Lock::Timeout=300'];

function install(missing: readonly DebianTool[]): void {
  const packages = missing.flatMap(({ debian }) => debian.split(' '));
  console.log(`Installing ${packages.join(', ')}`);
  const log = join(mkdtempSync(join(tmpdir(), 'hark-apt-')), 'output');
  const output = openSync(log, 'a');
  const aptGet = (...args: string[]): boolean =>
    spawnSync('apt-get', [...PATIENT, ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', output, output],
    }).status === 0;
  // Stale lists are no reason to give up: the packages may still be where they say.
  aptGet('update', '-qq');
  const installed = aptGet('install', '-y', '-qq', '--no-install-recommends', ...packages);
  closeSync(output);
  if (!installed) console.error(`apt-get failed:\n${readFileSync(log, 'utf8')}`);
}
