import { createDecipheriv } from 'node:crypto';
import { z } from 'zod';
import { damaged, ofAnotherMachine, type ProviderKeys } from './document.ts';
import { type KeyMaterial, stretch } from './sealing.ts';

/*
 * Version 0: no format and no version named, scrypt with N=1024, AES-256-CBC, each key as "iv:data" in
 * hexadecimal digits. Nothing in it is authenticated.
 */

const legacySchema = z.strictObject({
  credentials: z.record(z.string(), z.string().regex(/^[0-9a-f]{32}:(?:[0-9a-f]{32})+$/)),
});
const shape = z.object({ format: z.undefined().optional(), credentials: z.unknown() });
const LEGACY_COST = { N: 1_024, r: 8, p: 1 };

/** What any provider key looks like. Nothing else tells a wrong machine secret from the right one here. */
const API_KEY = /^[\x21-\x7e]{1,256}$/;

export function isLegacy(json: unknown): boolean {
  const parsed = shape.safeParse(json);
  return parsed.success && parsed.data.credentials !== undefined;
}

export async function openLegacy(json: unknown, material: KeyMaterial): Promise<ProviderKeys> {
  const parsed = legacySchema.safeParse(json);
  if (!parsed.success) throw damaged();
  const key = await stretch(material, 32, LEGACY_COST);
  const entries = Object.entries(parsed.data.credentials);
  return new Map(entries.map(([providerId, entry]) => [providerId, decrypt(entry, key)]));
}

function decrypt(entry: string, key: Buffer): string {
  const [iv = '', data = ''] = entry.split(':');
  const decipher = createDecipheriv('aes-256-cbc', key, Buffer.from(iv, 'hex'));
  let apiKey: string;
  try {
    apiKey = decipher.update(data, 'hex', 'utf8') + decipher.final('utf8');
  } catch {
    throw ofAnotherMachine();
  }
  if (!API_KEY.test(apiKey)) throw ofAnotherMachine();
  return apiKey;
}
