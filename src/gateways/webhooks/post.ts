import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { addressesOfPublicName } from './publicNames.ts';
import { isPublic, refusalOf } from './targets.ts';

type Resolve = (
  host: string,
  options: LookupAllOptions,
  callback: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

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

// Not imported: Node would read all that these modules export, and thereby load its own fetch, 12 MB and 25 ms.
const { request: requestPlain } = process.getBuiltinModule('node:http');
const { request: requestSecure } = process.getBuiltinModule('node:https');

/**
 * Posts once. What a name resolves to is looked at in the moment in which it is connected to, so that no other answer
 * of the resolver can come in between. No redirect is followed: where it leads to was not agreed upon.
 */
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
    lookup: addressesOf(resolve, allowPrivate ? () => true : isPublic),
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
    if (error instanceof NotPublic) settle({ failed: 'TARGET_FORBIDDEN' });
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

class NotPublic extends Error {
  override readonly name = 'NotPublic';
}

/** Where one of the addresses of a name may not be used, none of them is. */
function addressesOf(resolve: Resolve, mayBe: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error) callback(error, '', 0);
      else if (!first || !addresses.every(({ address }) => mayBe(address)))
        callback(new NotPublic('Not a public address'), '', 0);
      else if (options.all) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
  };
}
