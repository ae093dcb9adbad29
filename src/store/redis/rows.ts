import type { RawEvent, RawSnapshot, UnplacedEvent } from '../adapter.ts';

/*
 * An entry of the log has a field `e`, and `s` when something of the event is sealed:
 *
 *   e   [version,stream,type,schema,at,userId,correlationId,causationId,subject]\n<data>
 *   s   what is sealed, as it is
 *
 * The function that appends puts the bracket and the version in front, because only it knows the version.
 */

const NEWLINE = 10;
const NOTHING = '';

type Envelope = readonly [
  version: number,
  stream: string,
  type: string,
  schema: number,
  at: number,
  userId: string | null,
  correlationId: string,
  causationId: string | null,
  subject: string | null,
];

export function rowWithoutVersion(stream: string, event: UnplacedEvent): string {
  const { type, schema, at, userId, correlationId, causationId, subject, data } = event;
  const envelope = JSON.stringify([stream, type, schema, at, userId, correlationId, causationId, subject]);
  return `,${envelope.slice(1)}\n${data}`;
}

export function sealedOf({ sealed }: UnplacedEvent): Buffer | string {
  return sealed === null ? NOTHING : asBuffer(sealed);
}

/** As `XRANGE` gives it: id, then names and values. */
export type Entry = readonly [id: Buffer, fields: readonly Buffer[]];

export function toRawEvent([id, fields]: Entry): RawEvent {
  const row = rowOf(fields);
  const end = row.indexOf(NEWLINE);
  const envelope: Envelope = JSON.parse(row.toString('utf8', 0, end));
  const [version, stream, type, schema, at, userId, correlationId, causationId, subject] = envelope;
  return {
    position: Number.parseInt(id.toString('latin1'), 10),
    stream,
    version,
    type,
    schema,
    at,
    userId,
    correlationId,
    causationId,
    subject,
    data: row.toString('utf8', end + 1),
    sealed: fields[3] ?? null,
  };
}

export function rowOf(fields: readonly Buffer[]): Buffer {
  const row = fields[1];
  if (!row) throw new TypeError('An entry of the log has no row');
  return row;
}

/** A snapshot is `[version,position]\n<state>`. */
export function packSnapshot({ version, position, state }: RawSnapshot): Buffer {
  return Buffer.concat([Buffer.from(`[${version},${position}]\n`), state]);
}

export function unpackSnapshot(packed: Buffer): RawSnapshot {
  const end = packed.indexOf(NEWLINE);
  const [version, position]: [number, number] = JSON.parse(packed.toString('utf8', 0, end));
  return { version, position, state: packed.subarray(end + 1) };
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
