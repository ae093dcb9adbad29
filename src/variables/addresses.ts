import { isIP } from 'node:net';

/** Addresses, as in `10.1.2.3` or `10.0.0.0/8`. */
export interface Network {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

export function networkOf(text: string): Network | undefined {
  const [address = '', bits, ...more] = text.split('/');
  const kind = isIP(address);
  const most = kind === 4 ? 32 : 128;
  const length = bits === undefined ? most : Number(/^\d{1,3}$/.exec(bits)?.[0]);
  if (kind === 0 || more.length > 0 || !(length <= most)) return undefined;
  return { address, bits: length, family: kind === 4 ? 'ipv4' : 'ipv6' };
}

/** Digits in the last label would be an address, and that one is wrong. */
export function isHost(host: string): boolean {
  const isName = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.?$/i;
  return isIP(host) !== 0 || (isName.test(host) && !/(^|\.)\d+\.?$/.test(host));
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** As browsers send them, which is without a path: any other would match no request. */
export function areOrigins(list: string): boolean {
  const isOrigin = (origin: string) =>
    /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\*]+$/i.test(origin) && URL.canParse(origin);
  return list.trim() === '*' || list.split(',').every((origin) => isOrigin(origin.trim()));
}
