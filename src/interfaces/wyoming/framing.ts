import { z } from 'zod';
import { HarkError } from '../../errors.ts';

/** One message of the protocol: a line of JSON, then further data and a payload as long as the line says. */
export interface WyomingEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly payload: Buffer;
  /** All of it, in bytes, as it came. */
  readonly size: number;
}

const NEWLINE = 0x0a;
const MOST_LINE = 65_536;
/** Of the data that follows a line, and as much again of the payload. */
const MOST_FOLLOWING = 1_048_576;
const EMPTY = Buffer.alloc(0);

const length = z
  .int()
  .min(0)
  .max(MOST_FOLLOWING)
  .nullish()
  .transform((given) => given ?? 0);
const fields = z.record(z.string(), z.unknown());
const headShape = z.object({
  type: z.string().min(1).max(64),
  data: fields.nullish().transform((given) => given ?? {}),
  data_length: length,
  payload_length: length,
});

type Head = z.output<typeof headShape>;

/** Puts messages together from what comes over a connection, in whatever pieces. It never holds more than one. */
export class MessageReader {
  #parts: Buffer[] = [];
  #length = 0;
  #head: Head | undefined;
  #lineLength = 0;

  /** It has the beginning of a message, and waits for its end. */
  get isWithin(): boolean {
    return this.#head !== undefined || this.#length > 0;
  }

  /** Throws for what is no message: nothing that follows can be read then. */
  push(chunk: Buffer): readonly WyomingEvent[] {
    const events: WyomingEvent[] = [];
    for (let rest = chunk; rest.length > 0; ) {
      rest = this.#head === undefined ? this.#takeLine(rest) : this.#takeFollowing(rest, this.#head);
      const head = this.#head;
      if (head === undefined || this.#length < head.data_length + head.payload_length) continue;
      events.push(eventOf(head, this.#taken(), this.#lineLength));
      this.#head = undefined;
    }
    return events;
  }

  #takeLine(chunk: Buffer): Buffer {
    const end = chunk.indexOf(NEWLINE);
    const line = end === -1 ? chunk : chunk.subarray(0, end);
    if (this.#length + line.length > MOST_LINE) throw unreadable('a line is too long');
    this.#keep(line);
    if (end === -1) return EMPTY;
    this.#lineLength = this.#length;
    const parsed = headShape.safeParse(parseJson(this.#taken()));
    if (!parsed.success) throw unreadable('a line is no message');
    this.#head = parsed.data;
    return chunk.subarray(end + 1);
  }

  #takeFollowing(chunk: Buffer, { data_length, payload_length }: Head): Buffer {
    const missing = data_length + payload_length - this.#length;
    this.#keep(chunk.subarray(0, missing));
    return chunk.subarray(missing);
  }

  #keep(part: Buffer): void {
    this.#parts.push(part);
    this.#length += part.length;
  }

  #taken(): Buffer {
    const [only, ...more] = this.#parts;
    const all = only === undefined ? EMPTY : more.length === 0 ? only : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    return all;
  }
}

function eventOf({ type, data, data_length }: Head, following: Buffer, lineLength: number): WyomingEvent {
  const payload = following.subarray(data_length);
  const size = lineLength + following.length;
  if (data_length === 0) return { type, data, payload, size };
  const parsed = fields.safeParse(parseJson(following.subarray(0, data_length)));
  if (!parsed.success) throw unreadable('data of a message is no JSON object');
  return { type, data: { ...data, ...parsed.data }, payload, size };
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw unreadable('a line is no JSON');
  }
}

function unreadable(what: string): HarkError {
  return new HarkError('BAD_REQUEST', { message: `Not the Wyoming protocol: ${what}` });
}

/** Its data follows the line, as in the protocol's own library: readers that bound their lines can read it. */
export function encodeEvent(
  type: string,
  data: Readonly<Record<string, unknown>> = {},
  payload: Uint8Array = EMPTY,
): Buffer {
  const body = Object.keys(data).length === 0 ? EMPTY : Buffer.from(JSON.stringify(data));
  const head = {
    type,
    version: '1.8.0',
    ...(body.length === 0 ? {} : { data_length: body.length }),
    ...(payload.length === 0 ? {} : { payload_length: payload.length }),
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body, payload]);
}
