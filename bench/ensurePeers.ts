import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const here = import.meta.dirname;

/** Installs what the benchmarks are measured against, unless it is there and as new as the lock file asks. */
export function ensurePeers(): void {
  // npm writes this file at the end of each install.
  const installed = changedAt('node_modules/.package-lock.json');
  if (installed !== undefined && installed >= (changedAt('package-lock.json') ?? 0)) return;
  const log = join(mkdtempSync(join(tmpdir(), 'hark-peers-')), 'output');
  console.error(`Installing the peers; npm's words go to ${log}`);
  const output = openSync(log, 'a');
  const { status } = spawnSync('npm', ['ci', '--prefix', here, '--no-audit', '--no-fund'], {
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  if (status !== 0) throw new Error(`The peers were not installed:\n${readFileSync(log, 'utf8')}`);
}

/**
 * A peer, loaded when it is measured. The type checker must pass without the peers, so whoever measures one
 * says what of it is used.
 */
export async function importPeer<Peer>(specifier: string): Promise<Peer> {
  ensurePeers();
  return import(specifier);
}

function changedAt(file: string): number | undefined {
  return statSync(join(here, file), { throwIfNoEntry: false })?.mtimeMs;
}
