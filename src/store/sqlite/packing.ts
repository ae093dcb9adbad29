import type { AppendResult, KeyUse, RawAppend, UnplacedEvent } from '../adapter.ts';
import type { Expected } from '../port.ts';

/*
 * Appends travel to the writer and their results back as flat arrays: copying a thousand small objects between
 * threads would cost more than writing them. Whoever packs and whoever unpacks read the same lists of fields.
 *
 * What is sealed travels in one piece of memory of its own. As it comes it is a part of a pool of 64 KiB that
 * Node shares among buffers, and all of that would be copied with each.
 */

type Value = string | number | null | readonly KeyUse[] | readonly string[];
export interface PackedAppends {
  readonly values: readonly Value[];
  /** Of all events, one after the other; how much is whose lies among the values. */
  readonly sealed: Uint8Array;
}
export type PackedResults = readonly (number | Exclude<AppendResult, { kind: 'appended' }>)[];

export function packAppends(appends: readonly RawAppend[]): PackedAppends {
  const values: Value[] = [];
  const sealed: Uint8Array[] = [];
  for (const { stream, expected, commandId, userId, at, keys, forgets, events } of appends) {
    values.push(stream, expected, commandId, userId, at, keys.length > 0 ? keys : null);
    values.push(forgets.length > 0 ? forgets : null, events.length);
    for (const event of events) {
      values.push(event.type, event.schema, event.at, event.userId, event.correlationId, event.causationId);
      values.push(event.subject, event.data, event.sealed?.length ?? null);
      if (event.sealed) sealed.push(event.sealed);
    }
  }
  return { values, sealed: joined(sealed) };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function unpackAppends({ values, sealed }: PackedAppends): RawAppend[] {
  const appends: RawAppend[] = [];
  let at = 0;
  let opened = 0;
  // The types are those that were packed in this place: both ends are this file.
  const next = <T extends Value>() => values[at++] as T;
  const nextSealed = (length: number | null) => {
    if (length === null) return null;
    opened += length;
    return sealed.subarray(opened - length, opened);
  };
  while (at < values.length) {
    const append = {
      stream: next<string>(),
      expected: next<Expected & Value>(),
      commandId: next<string | null>(),
      userId: next<string | null>(),
      at: next<number>(),
      keys: next<readonly KeyUse[] | null>() ?? [],
      forgets: next<readonly string[] | null>() ?? [],
    };
    const events: UnplacedEvent[] = [];
    for (let left = next<number>(); left > 0; left--) {
      events.push({
        type: next<string>(),
        schema: next<number>(),
        at: next<number>(),
        userId: next<string | null>(),
        correlationId: next<string>(),
        causationId: next<string | null>(),
        subject: next<string | null>(),
        data: next<string>(),
        sealed: nextSealed(next<number | null>()),
      });
    }
    appends.push({ ...append, events });
  }
  return appends;
}

export function packResults(results: readonly AppendResult[]): PackedResults {
  const values: PackedResults[number][] = [];
  for (const result of results) {
    if (result.kind === 'appended') values.push(result.first, result.version);
    else values.push(result);
  }
  return values;
}

export function unpackResults(values: PackedResults): AppendResult[] {
  const results: AppendResult[] = [];
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (typeof value === 'number')
      results.push({ kind: 'appended', first: value, version: values[++at] as number });
    else if (value) results.push(value);
  }
  return results;
}
