import { BlockList, isIP, isIPv4 } from 'node:net';

/*
 * Addresses that nobody outside may have hark ask: of this machine, of networks that are not public, and such as
 * belong to nobody. https://www.iana.org/assignments/iana-ipv4-special-registry and -ipv6-special-registry
 */
const NOT_PUBLIC = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map((network) => {
  const [address = '', bits = ''] = network.split('/');
  return { address: numberOf(address), bits: Number(bits) };
});

/**
 * Where a machine tells its secrets to whoever asks from it: addresses that hold within one network segment, which
 * metadata of clouds mostly lies at, and those of clouds elsewhere. Nobody runs anything of their own there.
 */
const offLimits = new BlockList();
for (const [network, bits, family] of [
  ['169.254.0.0', 16, 'ipv4'],
  ['100.100.100.200', 32, 'ipv4'],
  ['168.63.129.16', 32, 'ipv4'],
  ['192.0.0.192', 32, 'ipv4'],
  ['fe80::', 10, 'ipv6'],
  ['fd00:ec2::', 32, 'ipv6'],
  ['fd20:ce::', 32, 'ipv6'],
] as const)
  offLimits.addSubnet(network, bits, family);

/** Whether it is link-local or known for metadata, in whichever way it is written: without brackets. */
export function isOffLimits(address: string): boolean {
  const kind = isIP(address);
  if (kind === 4) return offLimits.check(address, 'ipv4');
  if (kind === 0) return false;
  const [plain = ''] = address.split('%');
  return (
    offLimits.check(plain, 'ipv6') ||
    leadingTo4(wordsOf(address)).some((embedded) => offLimits.check(embedded, 'ipv4'))
  );
}

/** Addresses of the old kind that one of the new kind leads to, as far as it may lead to one at all. */
function leadingTo4(words: readonly number[]): readonly string[] {
  const [first, second = 0, third = 0] = words;
  const start = words.slice(0, 4).join();
  const isTranslated = first === 0x64 && second === 0xff9b;
  const last = addressOf(words[6] ?? 0, words[7] ?? 0);
  if (start === '0,0,0,0' || isTranslated) return [last];
  return first === 0x2002 ? [addressOf(second, third)] : [];
}

/** Whether everybody may reach it: an address of either kind, without brackets. */
export function isPublic(address: string): boolean {
  const kind = isIP(address);
  if (kind === 4) return isPublic4(address);
  return kind === 6 && isPublic6(wordsOf(address));
}

function isPublic4(address: string): boolean {
  const number = numberOf(address);
  return !NOT_PUBLIC.some(({ address: network, bits }) => (number ^ network) >>> (32 - bits) === 0);
}

/** Only what is given out (2000::/3), without what leads to an address of the old kind, or to nobody. */
function isPublic6(words: readonly number[]): boolean {
  const [first = 0, second = 0] = words;
  if (isEmbedded4(words)) return isPublic4(addressOf(words[6] ?? 0, words[7] ?? 0));
  if (first >>> 13 !== 1) return false;
  if (first === 0x2002) return isPublic4(addressOf(second, words[2] ?? 0));
  const isSpecial = first === 0x2001 && (second < 0x200 || second === 0xdb8);
  const isDocumentation = first === 0x3fff && second < 0x1000;
  return !isSpecial && !isDocumentation;
}

/** `::ffff:1.2.3.4`, and `64:ff9b::1.2.3.4` of a translator. */
function isEmbedded4(words: readonly number[]): boolean {
  const start = words.slice(0, 6).join();
  return start === '0,0,0,0,0,65535' || start === '100,65435,0,0,0,0';
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => ((sum << 8) | Number(part)) >>> 0, 0);
}

function addressOf(high: number, low: number): string {
  return [high >>> 8, high & 255, low >>> 8, low & 255].join('.');
}

/** The eight words of an address that is one. */
function wordsOf(address: string): readonly number[] {
  const [text = ''] = address.split('%');
  const last = text.slice(text.lastIndexOf(':') + 1);
  const embedded = isIPv4(last) ? numberOf(last) : undefined;
  const written =
    embedded === undefined
      ? text
      : `${text.slice(0, -last.length)}${(embedded >>> 16).toString(16)}:${(embedded & 0xffff).toString(16)}`;
  const [before = '', after] = written.split('::');
  const head = before.split(':').filter(Boolean);
  const tail = (after ?? '').split(':').filter(Boolean);
  const gap = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  return [...head, ...gap, ...tail].map((word) => Number.parseInt(word, 16));
}
