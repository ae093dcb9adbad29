import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled } from '../scripts/ensureInstalled.ts';

const here = import.meta.dirname;

/**
 * A peer, loaded when it is measured. The type checker must pass without the peers, so whoever measures one
 * says what of it is used.
 */
export async function importPeer<Peer>(specifier: string): Promise<Peer> {
  ensureInstalled(here);
  return import(specifier);
}

/** The same of one that lives in a folder of its own, since it cannot share its packages with the others. */
export async function importPeerOf<Peer>(name: string, specifier: string): Promise<Peer> {
  const folder = join(here, name);
  ensureInstalled(folder);
  return import(pathToFileURL(createRequire(join(folder, 'package.json')).resolve(specifier)).href);
}
