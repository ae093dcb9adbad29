import { isIP } from 'node:net';
import { isOffLimits, isPublic } from '../network/addresses.ts';
import { hostOf } from '../network/lookup.ts';

/** Why nothing may be sent there, whatever its name resolves to; undefined when it may be tried. */
export function refusalOf(url: string, allowPrivate: boolean): string | undefined {
  const target = URL.parse(url);
  if (!target || !/^https?:$/.test(target.protocol)) return 'must be an https URL';
  if (target.username || target.password) return 'must not carry a name or password';
  const host = hostOf(target);
  if (isOffLimits(host)) return 'must not be a link-local address or one for metadata';
  if (allowPrivate) return undefined;
  if (target.protocol !== 'https:') return 'must be an https URL';
  const isLocalName = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i.test(host);
  return isLocalName || (isIP(host) !== 0 && !isPublic(host))
    ? 'must not lie in a private network'
    : undefined;
}
