import { type LookupAddress, lookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { isOffLimits, isPublic } from '../network/addresses.ts';
import { AddressRefused, lookupWhere, type Resolve } from '../network/lookup.ts';
import { refusalOf } from './targets.ts';

export interface Sending {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
  /** Instead of name servers, or of the machine where it may know of names that are not public. */
  readonly resolve?: Resolve;
}

/** What the receiver said, or why it could not be asked. */
export type Sent =
  | { readonly status: number; readonly retryAfter: string | undefined }
  | { readonly failed: 'TARGET_FORBIDDEN' | 'TIMEOUT' | 'UNREACHABLE' };

const TIMEOUT_MS = 15_000;
/** How long a name server may take, and how often it is asked. */
const LOOK_UP_MS = 2_000;
const TRIES = 2;

// Not imported: Node would read all that these modules export, and thereby load its own fetch, 12 MB and 25 ms.
const { request: requestPlain } = process.getBuiltinModule('node:http');
const { request: requestSecure } = process.getBuiltinModule('node:https');

/** Posts once. No redirect is followed: where it leads to was not agreed upon. */
export async function post(sending: Sending): Promise<Sent> {
  const { url, headers, body, allowPrivate, signal } = sending;
  const { resolve = allowPrivate ? lookup : resolvePublic } = sending;
  if (refusalOf(url, allowPrivate)) return { failed: 'TARGET_FORBIDDEN' };
  const target = new URL(url);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const request = target.protocol === 'https:' ? requestSecure : requestPlain;
  const { promise, resolve: settle } = Promise.withResolvers<Sent>();
  const outgoing = request(target, {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    lookup: lookupWhere(allowPrivate ? (address) => !isOffLimits(address) : isPublic, resolve),
    signal: AbortSignal.any([signal, timeout]),
  });
  const answered = (response: IncomingMessage) => {
    // Nothing of what it says besides is of use here.
    response.destroy();
    settle({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
  };
  outgoing.on('response', answered);
  // Unheard, it would end the connection with no word of an error.
  outgoing.on('upgrade', (response, socket) => {
    socket.destroy();
    answered(response);
  });
  outgoing.on('error', (error) => {
    if (error instanceof AddressRefused) settle({ failed: 'TARGET_FORBIDDEN' });
    else settle({ failed: timeout.aborted ? 'TIMEOUT' : 'UNREACHABLE' });
  });
  outgoing.end(body);
  return promise;
}

const resolvePublic: Resolve = (host, _options, callback) => {
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
