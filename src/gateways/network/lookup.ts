import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

export type Resolve = (
  host: string,
  options: LookupAllOptions,
  callback: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** An address that may not be connected to; what it is, is not told. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'ADDRESS_REFUSED';

  constructor() {
    super('The address may not be connected to');
  }
}

/**
 * Looks a name up in the moment in which it is connected to, so that no other answer of the resolver can come in
 * between. Where one of the addresses of a name may not be used, none of them is. What is an address already is never
 * looked up: whoever connects looks at it before.
 */
export function lookupWhere(mayBe: (address: string) => boolean, resolve: Resolve = lookup): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error) callback(error, '', 0);
      else if (!first || !addresses.every(({ address }) => mayBe(address)))
        callback(new AddressRefused(), '', 0);
      else if (options.all) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
  };
}

/** Without the brackets of an address of the new kind. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}
