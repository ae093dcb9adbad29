import { isIP } from 'node:net';
import { isOffLimits, isPublic } from './addresses.ts';
import { hostOf } from './lookup.ts';

/** Why nothing may be sent there, whatever its name resolves to; undefined when it may be tried. */
export function refusalOf(url: string, allowPrivate: boolean): string | undefined {
  const target = URL.parse(url);
  if (!target || !/^https?:$/.test(target.protocol)) return 'must be an https URL';
  if (target.username || target.password) return 'must not carry a name or password';
  if (!allowPrivate && target.protocol !== 'https:' && !isOffLimits(hostOf(target)))
    return 'must be an https URL';
  return refusalOfHost(hostOf(target), allowPrivate);
}

/** The same of a host alone: a name, or an address without brackets. */
export function refusalOfHost(host: string, allowPrivate: boolean): string | undefined {
  if (isOffLimits(host)) return 'must not be a link-local address or one for metadata';
  if (allowPrivate) return undefined;
  const isLocalName = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i.test(host);
  return isLocalName || (isIP(host) !== 0 && !isPublic(host))
    ? 'must not lie in a private network'
    : undefined;
}
