import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { authenticate, type FileKeys, seal, unseal } from './sealing.ts';
import { unusable } from './unusable.ts';

/*
 * The file is one JSON document. Each key is sealed by itself, and a code over the rest covers what lies between
 * them: an entry that was taken out, put in or moved is noticed like a changed byte.
 */

const FORMAT = 'hark-credentials';
const VERSION = 1;

const sealed = z.strictObject({ iv: z.base64(), tag: z.base64(), data: z.base64() });

const headerSchema = z.looseObject({ format: z.literal(FORMAT), version: z.int() });
const documentSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  keyId: z.string(),
  credentials: z.record(z.string(), sealed),
  mac: z.string(),
});

type Body = Omit<z.output<typeof documentSchema>, 'mac'>;

/** Provider keys in plain, by credential scope (`provider-cloud-a` …). */
export type ProviderKeys = ReadonlyMap<string, string>;

export function renderDocument(keys: ProviderKeys, fileKeys: FileKeys): string {
  const credentials = Object.fromEntries(
    Array.from(keys, ([providerId, apiKey]) => [providerId, seal(apiKey, providerId, fileKeys.encryption)]),
  );
  return render({ format: FORMAT, version: VERSION, keyId: fileKeys.id, credentials }, fileKeys);
}

function render({ format, version, keyId, credentials }: Body, { authentication }: FileKeys): string {
  const body = { format, version, keyId, credentials };
  const mac = authenticate(JSON.stringify(body), authentication).toString('base64');
  return `${JSON.stringify({ ...body, mac }, null, 2)}\n`;
}

/** The document's JSON; an older shape comes out as it is. */
export function parseDocument(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own words quote the text.
    throw damaged();
  }
}

export function openDocument(text: string, fileKeys: FileKeys): ProviderKeys {
  const json = parseDocument(text);
  const header = headerSchema.safeParse(json);
  if (!header.success) throw damaged();
  if (header.data.version > VERSION)
    throw unusable('credentials.json was written by a newer version of hark: start it with that version');
  const parsed = documentSchema.safeParse(json);
  if (!parsed.success) throw damaged();
  const { keyId, credentials } = parsed.data;
  if (keyId !== fileKeys.id) throw ofAnotherMachine();
  // Drawn up anew and compared whole: then no byte of the file can be other than it was written.
  if (!isEqual(text, render(parsed.data, fileKeys))) throw damaged();
  try {
    return new Map(
      Object.entries(credentials).map(([providerId, entry]) => [
        providerId,
        unseal(entry, providerId, fileKeys.encryption),
      ]),
    );
  } catch {
    throw damaged();
  }
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

export function damaged() {
  return unusable(
    'credentials.json is damaged or was altered; it was left as it is. Put back a copy of it, or move it aside and store the keys again',
  );
}

export function ofAnotherMachine() {
  return unusable(
    'credentials.json was made with another machine secret or salt; it was left as it is. Put ' +
      'back the credentials.secret and credentials.salt that belong to it (or ' +
      'SERVICE_CREDENTIAL_SECRET and SERVICE_CREDENTIAL_SALT), or move it aside and store the keys ' +
      'again',
  );
}
