import { networkInterfaces } from 'node:os';

const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::', '']);

/** Where others reach what listens on this address: of all of this machine's own, the first that others can see. */
export function reachableAt(host: string, interfaces = networkInterfaces()): string {
  if (!WILDCARDS.has(host)) return inUrl(host);
  const own = Object.values(interfaces).flatMap((addresses) => addresses ?? []);
  const seen = own.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  const first = seen.find(({ family }) => family === 'IPv4') ?? seen[0];
  return first ? inUrl(first.address) : '127.0.0.1';
}

function inUrl(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
