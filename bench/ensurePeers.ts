import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const here = import.meta.dirname;

/** Installs what the benchmarks are measured against, unless it is there and as new as the lock file asks. */
export function ensurePeers(folder = here): void {
  // npm writes this file at the end of each install.
  const installed = changedAt(join(folder, 'node_modules/.package-lock.json'));
  if (installed !== undefined && installed >= (changedAt(join(folder, 'package-lock.json')) ?? 0)) return;
  const log = join(mkdtempSync(join(tmpdir(), 'hark-peers-')), 'output');
  console.error(`Installing the peers; npm's words go to ${log}`);
  const output = openSync(log, 'a');
  const { status } = spawnSync('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund'], {
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

/** The same of one that lives in a folder of its own, since it cannot share its packages with the others. */
export async function importPeerOf<Peer>(name: string, specifier: string): Promise<Peer> {
  const folder = join(here, name);
  ensurePeers(folder);
  return import(pathToFileURL(createRequire(join(folder, 'package.json')).resolve(specifier)).href);
}

function changedAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
