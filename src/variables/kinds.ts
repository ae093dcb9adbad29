import { z } from 'zod';
import { type Network, networkOf } from './addresses.ts';

/**
 * A number written with digits only: what JavaScript reads as a number besides (`0x10`, `1e3`) is more likely a
 * slip. Settings are changed with numbers of JSON, which go through as they are.
 */
function written(digits: RegExp) {
  return (value: unknown) =>
    typeof value === 'string' ? (digits.test(value) ? Number(value) : Number.NaN) : value;
}

export function whole(least: number, most = Number.MAX_SAFE_INTEGER) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.preprocess(
    written(/^\d+$/),
    z.number({ error }).int({ error }).min(least, { error }).max(most, { error }),
  );
}

export function between(least: number, most: number) {
  const error = `must be a number from ${least} to ${most}`;
  const digits = /^(\d+(\.\d*)?|\.\d+)$/;
  return z.preprocess(written(digits), z.number({ error }).min(least, { error }).max(most, { error }));
}

export const port = whole(0, 65_535);
export const count = whole(1);
export const share = between(0, 1);
export const flag = z.union([z.boolean(), z.stringbool()], { error: 'must be true or false' });
export const text = z.string().min(1);
/** Of a model or a voice. */
export const engineId = z
  .string()
  .regex(/^[\w][\w./:-]{0,127}$/, 'must be auto, or the id of a model or a voice');
export const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' });
/** What a header can carry: with anything else in it, no request could ever show the key. */
export const apiKey = z
  .string()
  .regex(/^[\x21-\x7e]{8,512}$/, 'must be 8 to 512 printable ASCII characters without spaces');
/** Line ends and spaces at the ends come from files and copying; inside, no key has any. */
export const providerKey = z
  .string()
  .trim()
  .min(1)
  .max(256)
  .regex(/^[\x21-\x7e]+$/, 'must be a key without spaces, line ends, control characters or accents');

export const networks = z.string().transform((list, { addIssue }): readonly Network[] => {
  const given = list.split(',').map((one) => one.trim());
  const found = given.filter((one) => one !== '').map(networkOf);
  if (found.includes(undefined))
    addIssue('must be a comma-separated list of IP addresses and networks (10.0.0.0/8)');
  return found.filter((one) => one !== undefined);
});

interface Facts {
  readonly about: string;
  readonly secret?: true;
  /** The key under which the variable can be changed at run time. */
  readonly setting?: string;
  readonly restart?: true;
}

/** What is known of each variable beside its values. */
export const facts = z.registry<Facts>();
