import { HarkError } from '../errors.ts';
import type { EventDefinition } from '../events/definition.ts';
import type { KeyBytes, RawEvent } from './rawEvent.ts';
import { open, putBackPersonal } from './sealing.ts';

const ENVELOPE_BYTES = 256;

/**
 * An event with its place in the log. The envelope is there at once; `data` is decoded when it is first asked
 * for, because most readers of a log look at most events only to pass them by.
 */
export class StoredEvent {
  readonly #raw: RawEvent;
  readonly #definition: EventDefinition | undefined;
  #key: KeyBytes | undefined;
  #data: unknown;

  constructor(raw: RawEvent, definition: EventDefinition | undefined, key?: KeyBytes, data?: unknown) {
    this.#raw = raw;
    this.#definition = definition;
    this.#key = key;
    this.#data = data;
  }

  get position(): number {
    return this.#raw.position;
  }
  /** Derived from its place, so that it is the same wherever and whenever the event is read. */
  get id(): string {
    return `${this.#raw.stream}@${this.#raw.version}`;
  }
  get stream(): string {
    return this.#raw.stream;
  }
  get version(): number {
    return this.#raw.version;
  }
  get type(): string {
    return this.#definition?.type ?? this.#raw.type;
  }
  get at(): number {
    return this.#raw.at;
  }
  get userId(): string | null {
    return this.#raw.userId;
  }
  /** Whose it is; what is nobody's has an empty name. */
  get owner(): string {
    return this.#raw.userId ?? '';
  }
  get correlationId(): string {
    return this.#raw.correlationId;
  }
  get causationId(): string | null {
    return this.#raw.causationId;
  }
  get subject(): string | null {
    return this.#raw.subject;
  }
  /** About what it takes up in memory. */
  get bytes(): number {
    return ENVELOPE_BYTES + this.#raw.data.length + (this.#raw.sealed?.length ?? 0);
  }
  /** It carried personal text, and the key to it is gone. */
  get erased(): boolean {
    return this.#raw.sealed !== null && this.#key === undefined;
  }

  /** Its data has been decoded. */
  get isOpen(): boolean {
    return this.#data !== undefined;
  }

  /** As its definition has it: held against the schema when it was written, or else when it is first looked at. */
  get data(): unknown {
    this.#data ??= this.#decode(true);
    return this.#data;
  }

  /** The same for who need not know what is personal in it: that stays closed, and reads as null. */
  get sealed(): { readonly erased: boolean; readonly data: unknown } {
    return { erased: this.erased, data: this.#decode(false) };
  }

  get forgets(): readonly string[] {
    return this.#definition?.forgets?.(this.data) ?? [];
  }

  /** Makes this copy unreadable too, when its subject is forgotten while it is still held somewhere. */
  erase(): void {
    if (this.#raw.sealed === null) return;
    this.#key = undefined;
    this.#data = undefined;
  }

  #decode(opens: boolean): unknown {
    const definition = this.#definition;
    const { type, schema } = this.#raw;
    if (!definition || schema > definition.version)
      throw new HarkError('LOG_NEWER', { message: `Event ${type} version ${schema} is not known here` });
    let data = this.#readBack(opens);
    for (let version = schema; version < definition.version; version++) {
      const upcast = definition.upcasts[version];
      if (!upcast) throw new TypeError(`${type} has no upcast from version ${version}`);
      data = upcast(data);
    }
    const read = definition.data.safeParse(data);
    // Without what is wrong with it: that may quote what is personal.
    if (!read.success) throw this.#damaged();
    return read.data;
  }

  /** What was written as JSON, and sealed under this key, can be read unless the log was damaged since. */
  #readBack(opens: boolean): unknown {
    try {
      const data: unknown = JSON.parse(this.#raw.data);
      return opens ? this.#withPersonal(data) : data;
    } catch {
      // Without the cause: what it quotes may be personal.
      throw this.#damaged();
    }
  }

  #damaged(): HarkError {
    return new HarkError('LOG_DAMAGED', {
      message: `The event at position ${this.position} cannot be read`,
    });
  }

  /** Put back in the places that they were taken from, before any upcast: that sees the event as it was written. */
  #withPersonal(data: unknown): unknown {
    const { sealed, stream, type } = this.#raw;
    if (!sealed || !this.#key) return data;
    return putBackPersonal(data, JSON.parse(open(sealed, this.#key, `${stream}\n${type}`).toString('utf8')));
  }

  toJSON(): Record<string, unknown> {
    const { position, id, stream, version, type, at, userId, correlationId, causationId, data } = this;
    const envelope = { position, id, stream, version, type, at, userId, correlationId, causationId, data };
    return this.erased ? { ...envelope, erased: true } : envelope;
  }
}
