import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { PersonalFields } from '../events/definition.ts';
import type { KeyBytes } from './rawEvent.ts';

/*
 * Personal fields leave an event's data before it is written and lie beside it, sealed:
 *
 *   key id (8) │ iv (12) │ tag (16) │ AES-256-GCM of the JSON array of their values, in the order of a walk
 *
 * The place that an event was written for is bound in as additional data, so that sealed text cannot be moved
 * to another event unnoticed.
 */

const KEY_ID_BYTES = 8;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = KEY_ID_BYTES + IV_BYTES + TAG_BYTES;

export function newKey(): KeyBytes {
  return randomBytes(KEY_ID_BYTES + 32);
}

export function keyId(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, KEY_ID_BYTES).toString('hex');
}

export function seal(plain: string | Uint8Array, key: KeyBytes, place: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.subarray(KEY_ID_BYTES), iv);
  cipher.setAAD(Buffer.from(place));
  const body = Buffer.concat([
    typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain),
    cipher.final(),
  ]);
  return Buffer.concat([key.subarray(0, KEY_ID_BYTES), iv, cipher.getAuthTag(), body]);
}

/** Throws when the bytes are not what was sealed under this key for this place. */
export function open(sealed: Uint8Array, key: KeyBytes, place: string): Buffer {
  const decipher = createDecipheriv(
    'aes-256-gcm',
    key.subarray(KEY_ID_BYTES),
    sealed.subarray(KEY_ID_BYTES, KEY_ID_BYTES + IV_BYTES),
  );
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(KEY_ID_BYTES + IV_BYTES, HEADER_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES)), decipher.final()]);
}

type Json = unknown;

/** Splits data into what may be read by anyone with the log, and the personal values in walking order. */
export function takeOutPersonal(data: Json, fields: PersonalFields): { rest: Json; values: Json[] } {
  const values: Json[] = [];
  const rest = replacePersonal(data, fields, (value) => {
    values.push(value);
    return null;
  });
  return { rest, values };
}

export function putBackPersonal(rest: Json, fields: PersonalFields, values: readonly Json[]): Json {
  let next = 0;
  return replacePersonal(rest, fields, () => values[next++]);
}

function replacePersonal(data: Json, fields: PersonalFields, replace: (value: Json) => Json): Json {
  if (data === undefined) return data;
  if (fields.kind === 'value') return replace(data);
  if (data === null || typeof data !== 'object') return data;
  if (fields.kind === 'each') {
    return Array.isArray(data)
      ? data.map((element) => replacePersonal(element, fields.element, replace))
      : Object.fromEntries(
          Object.entries(data).map(([name, value]) => [
            name,
            replacePersonal(value, fields.element, replace),
          ]),
        );
  }
  const copy: Record<string, Json> = { ...data };
  for (const [name, inner] of fields.fields) {
    if (name in copy) copy[name] = replacePersonal(copy[name], inner, replace);
  }
  return copy;
}
