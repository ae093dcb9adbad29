import { type CipherGCM, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { cipherFor, decrypt, encrypt, IV_BYTES, TAG_BYTES } from '../aesGcm.ts';
import type { PersonalFields } from '../events/definition.ts';
import type { KeyBytes } from './rawEvent.ts';

/*
 * Personal fields leave an event's data before it is written and lie beside it, sealed:
 *
 *   key id (8) │ iv (12) │ tag (16) │ AES-256-GCM of a JSON array of their places and values
 *
 * The place that an event was written for is bound in as additional data, so that sealed text cannot be moved
 * to another event unnoticed.
 */

const KEY_ID_BYTES = 8;
const HEADER_BYTES = KEY_ID_BYTES + IV_BYTES + TAG_BYTES;

const KEY_BYTES = KEY_ID_BYTES + 32;

/** In memory of its own: what lies beside others would be sent along with them, and stay as long as they do. */
export function newKey(): KeyBytes {
  const bytes = nextRandom(KEY_BYTES);
  const key = new Uint8Array(bytes);
  bytes.fill(0);
  return key;
}

export function keyId(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, KEY_ID_BYTES).toString('hex');
}

/** The same as to compare their ids, which is asked of every event that is read. */
export function isSealedWith(key: KeyBytes, sealed: Uint8Array): boolean {
  for (let index = 0; index < KEY_ID_BYTES; index++) if (key[index] !== sealed[index]) return false;
  return true;
}

export function seal(plain: string | Uint8Array, key: KeyBytes, place: string): Buffer {
  const { iv, tag, data } = encrypt(plain, secretOf(key), place, nextRandom(IV_BYTES));
  return Buffer.concat([key.subarray(0, KEY_ID_BYTES), iv, tag, data]);
}

/** Of what is large and comes in pieces. Other threads are given the bytes without a copy of them. */
export class LargeSeal {
  readonly #bytes: Buffer;
  readonly #cipher: CipherGCM;
  #end = HEADER_BYTES;

  /** `length`: of all of it, in bytes. */
  constructor(length: number, key: KeyBytes, place: string) {
    this.#bytes = Buffer.from(new SharedArrayBuffer(HEADER_BYTES + length));
    const iv = nextRandom(IV_BYTES);
    this.#cipher = cipherFor(secretOf(key), iv, place);
    this.#bytes.set(key.subarray(0, KEY_ID_BYTES));
    this.#bytes.set(iv, KEY_ID_BYTES);
  }

  add(piece: string): void {
    const sealed = this.#cipher.update(piece, 'utf8');
    this.#bytes.set(sealed, this.#end);
    this.#end += sealed.length;
  }

  end(): Buffer {
    this.#cipher.final();
    this.#bytes.set(this.#cipher.getAuthTag(), KEY_ID_BYTES + IV_BYTES);
    return this.#bytes;
  }
}

/** Throws when the bytes are not what was sealed under this key for this place. */
export function open(sealed: Uint8Array, key: KeyBytes, place: string): Buffer<ArrayBuffer> {
  const parts = {
    iv: sealed.subarray(KEY_ID_BYTES, KEY_ID_BYTES + IV_BYTES),
    tag: sealed.subarray(KEY_ID_BYTES + IV_BYTES, HEADER_BYTES),
    data: sealed.subarray(HEADER_BYTES),
  };
  return decrypt(parts, secretOf(key), place);
}

/** The system is asked for many at a time: that takes as long as for one. */
const RANDOM_AT_ONCE = 4_096;
let random = Buffer.alloc(0);

function nextRandom(length: number): Buffer {
  if (random.length < length) random = randomBytes(RANDOM_AT_ONCE);
  const bytes = random.subarray(0, length);
  random = random.subarray(length);
  return bytes;
}

const secrets = new WeakMap<KeyBytes, KeyObject>();

/** Given the bytes, Node takes longer to see that they are a key than to seal a sentence with them. */
function secretOf(key: KeyBytes): KeyObject {
  const cached = secrets.get(key);
  if (cached) return cached;
  const secret = createSecretKey(key.subarray(KEY_ID_BYTES));
  secrets.set(key, secret);
  return secret;
}

type Json = unknown;
type Path = readonly (string | number)[];

/** A personal value with its place: what is put back must not depend on how a later version is laid out. */
export type PersonalValue = readonly [path: Path, value: Json];

/** Splits data into what may be read by anyone with the log, and the personal values. */
export function takeOutPersonal(
  data: Json,
  fields: PersonalFields | undefined,
): { readonly rest: Json; readonly values: readonly PersonalValue[] } {
  if (!fields) return { rest: data, values: [] };
  const values: PersonalValue[] = [];
  return { rest: takeOut(data, fields, [], values), values };
}

function takeOut(data: Json, fields: PersonalFields, path: Path, values: PersonalValue[]): Json {
  if (data === undefined) return data;
  if (fields.kind === 'value') {
    values.push([path, data]);
    return null;
  }
  if (Array.isArray(data))
    return fields.kind === 'each'
      ? data.map((element, index) => takeOut(element, fields.element, [...path, index], values))
      : data;
  if (!isRecord(data)) return data;
  const inner =
    fields.kind === 'each'
      ? Object.keys(data).map((name) => [name, fields.element] as const)
      : fields.fields.filter(([name]) => Object.hasOwn(data, name));
  const taken = inner.map(([name, of]) => [name, takeOut(data[name], of, [...path, name], values)]);
  return { ...data, ...Object.fromEntries(taken) };
}

/**
 * Puts the values back into data that was just parsed, which nobody else holds yet. Only where they were taken out: a
 * place that is none, as `__proto__` may be in a backup that somebody altered, is passed over.
 */
export function putBackPersonal(rest: Json, values: readonly PersonalValue[]): Json {
  for (const [path, value] of values) {
    const last = path.at(-1);
    if (last === undefined) return value;
    const parent = path.slice(0, -1).reduce(childOf, rest);
    if (hasPlace(parent, last)) parent[last] = value;
  }
  return rest;
}

function childOf(parent: Json, step: string | number): Json {
  return hasPlace(parent, step) ? parent[step] : undefined;
}

/** Whether it has it as its own: an element of an array, or a field that it does not have from its prototype. */
function hasPlace(parent: Json, step: string | number): parent is Record<string | number, Json> {
  if (typeof parent !== 'object' || parent === null) return false;
  return Object.hasOwn(parent, step) && typeof step === (Array.isArray(parent) ? 'number' : 'string');
}

function isRecord(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
