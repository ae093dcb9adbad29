import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { Resolve } from './lookup.ts';

/** How long a name server may take, and how often it is asked. */
const LOOK_UP_MS = 2_000;
const TRIES = 2;

export const resolvePublic: Resolve = (host, _options, callback) => {
  addressesOfPublicName(host).then(
    (addresses) => callback(null, addresses),
    (error) => callback(error, []),
  );
};

/**
 * What name servers say of a name. Not asked of the machine: it looks up two names at a time, so that a few that nobody
 * answers for would keep the service from finding its models.
 */
export async function addressesOfPublicName(
  host: string,
  servers?: readonly string[],
): Promise<readonly LookupAddress[]> {
  // A new one each time: the machine may be in another network by now.
  const resolver = new Resolver({ timeout: LOOK_UP_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const found = await Promise.allSettled([
    resolver.resolve4(host).then((all) => all.map((address) => ({ address, family: 4 }))),
    resolver.resolve6(host).then((all) => all.map((address) => ({ address, family: 6 }))),
  ]);
  const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  const [failed] = found.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  if (addresses.length === 0 && failed) throw failed;
  return addresses;
}
