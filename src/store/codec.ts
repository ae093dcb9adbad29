import { randomUUID } from 'node:crypto';
import { HarkError } from '../errors.ts';
import type { EventDefinition } from '../events/definition.ts';
import type { KeyBytes, KeyUse, RawAppend, RawEvent, StoreAdapter, UnplacedEvent } from './adapter.ts';
import type { Keyring, SealedBytes, SealingKey } from './keyring.ts';
import type { Append, Position } from './port.ts';
import { type PersonalValue, seal, takeOutPersonal } from './sealing.ts';
import { StoredEvent } from './storedEvent.ts';

/** An append as the adapter takes it, with what is needed to hand its events on without reading them back. */
export interface EncodedAppend {
  readonly raw: RawAppend;
  readonly parsed: readonly unknown[];
}

interface TakenApart {
  readonly rest: unknown;
  readonly values: readonly PersonalValue[];
  /** Undefined where nothing is personal. */
  readonly key: KeyUse | undefined;
}

/** Between events that mean something and rows that do not. */
export class Codec {
  readonly #definitions: ReadonlyMap<string, EventDefinition>;
  readonly #keyring: Keyring;

  constructor(catalog: readonly EventDefinition[], keyring: Keyring) {
    this.#definitions = new Map(catalog.map((definition) => [definition.type, definition]));
    this.#keyring = keyring;
  }

  async encode(append: Append): Promise<EncodedAppend> {
    const { stream, expected, userId, at, commandId = null } = append;
    const keys = new Map<string, SealingKey>();
    const forgets: string[] = [];
    const events: UnplacedEvent[] = [];
    const parsed: unknown[] = [];
    for (const { type, data: given } of append.events) {
      const definition = this.#definitionOf(type);
      const data = definition.data.parse(given);
      const subject = definition.personal ? definition.subject(data) : null;
      if (subject !== null && (forgets.includes(subject) || forgets.includes('*')))
        throw new TypeError(`${type} is sealed under a subject that the same append forgets`);
      const { rest, values } = takeOutPersonal(data, definition.personal);
      const key =
        subject === null || values.length === 0
          ? undefined
          : await this.#keyFor(append, { subject, isNew: definition.beginsSubject }, keys);
      forgets.push(...(definition.forgets?.(data) ?? []));
      events.push(toUnplaced(append, definition, { rest, values, key }));
      parsed.push(data);
    }
    return {
      raw: { stream, expected, userId, at, commandId, events, keys: [...keys.values()], forgets },
      parsed,
    };
  }

  /** The events of an append that went through, as a reader would find them. */
  place({ raw, parsed }: EncodedAppend, first: Position, lastVersion: number): StoredEvent[] {
    const { stream, events, keys } = raw;
    const firstVersion = lastVersion - events.length + 1;
    return events.map((event, index) => {
      const key = keys.find(({ subject }) => subject === event.subject)?.bytes;
      const placed = { ...event, stream, position: first + index, version: firstVersion + index };
      return new StoredEvent(placed, this.#definitions.get(event.type), key, parsed[index]);
    });
  }

  async decode(raws: readonly RawEvent[], types?: ReadonlySet<string>): Promise<StoredEvent[]> {
    const wanted: RawEvent[] = [];
    const definitions: (EventDefinition | undefined)[] = [];
    for (const raw of raws) {
      const definition = this.#definitions.get(raw.type);
      // The one name of all events of a type is found more quickly in sets than the name that was read with this one.
      if (types && !types.has(definition?.type ?? raw.type)) continue;
      wanted.push(raw);
      definitions.push(definition);
    }
    const keys = await this.#keysTo(wanted);
    return wanted.map((raw, index) => new StoredEvent(raw, definitions[index], keys[index]));
  }

  async #keysTo(raws: readonly RawEvent[]): Promise<readonly (KeyBytes | undefined)[]> {
    if (!raws.some(isSealed)) return [];
    const held = raws.map((raw) => (isSealed(raw) ? this.#keyring.heldFor(raw) : undefined));
    const missing = raws.filter((_raw, index) => !held[index]).filter(isSealed);
    // For most pages that is none.
    if (missing.length === 0) return held;
    const found = new Map<RawEvent, KeyBytes | undefined>();
    // All of a user's at once: one after the other, a key that lies in Redis would cost a page a round trip each.
    await Promise.all(
      Map.groupBy(missing, ({ userId }) => userId)
        .entries()
        .map(async ([userId, sealed]) => {
          const keys = await this.#keyring.forOpening(userId, sealed);
          for (const [index, raw] of sealed.entries()) found.set(raw, keys[index]);
        }),
    );
    return raws.map((raw, index) => held[index] ?? found.get(raw));
  }

  async #keyFor(
    { stream, userId, heard, continues = false }: Append,
    { subject, isNew: isPresumedNew }: { readonly subject: string; readonly isNew: boolean },
    keys: Map<string, SealingKey>,
  ): Promise<SealingKey> {
    if (userId === null) throw new TypeError(`Personal text without a user in ${stream}`);
    const key = keys.get(subject) ?? (await this.#keyring.forSealing(userId, subject, isPresumedNew));
    const isNew = key.madeAfter !== null;
    // A key that was found by reading on may be of after a forget of which whoever decided has not heard.
    if (heard !== undefined && ((continues && isNew) || key.forgotAt > heard)) {
      // The store may have it by now, from an append whose answer was lost: then it is found the next time.
      this.#keyring.drop(userId, subject);
      throw new HarkError('CONFLICT');
    }
    keys.set(subject, key);
    return key;
  }

  #definitionOf(type: string): EventDefinition {
    const definition = this.#definitions.get(type);
    if (!definition) throw new HarkError('LOG_NEWER', { message: `${type} is not in the event catalog` });
    return definition;
  }
}

function isSealed(raw: RawEvent): raw is RawEvent & SealedBytes {
  return raw.sealed !== null && raw.userId !== null && raw.subject !== null;
}

function toUnplaced(
  { at, userId, correlationId, causationId, stream }: Append,
  { type, version: schema }: EventDefinition,
  { rest, values, key }: TakenApart,
): UnplacedEvent {
  const envelope = { type, schema, at, userId, correlationId, causationId };
  const data = JSON.stringify(rest);
  if (!key) return { ...envelope, subject: null, data, sealed: null };
  const sealed = seal(JSON.stringify(values), key.bytes, `${stream}\n${type}`);
  return { ...envelope, subject: key.subject, data, sealed };
}

const EVENT_PREFIX = 'event:';

/**
 * A log says which event shapes were ever declared to it. One that knows a shape newer than this version of
 * hark does is refused, because reading it would silently leave things out; else the log learns ours.
 */
export async function refuseNewer(adapter: StoreAdapter, catalog: readonly EventDefinition[]): Promise<void> {
  const meta = await adapter.readMeta();
  const versions = new Map(catalog.map(({ type, version }) => [type, version]));
  for (const [name, value] of Object.entries(meta)) {
    if (!name.startsWith(EVENT_PREFIX)) continue;
    const type = name.slice(EVENT_PREFIX.length);
    const version = versions.get(type);
    if (version === undefined || version < Number(value))
      throw new HarkError('LOG_NEWER', {
        message:
          `The log holds ${type} in version ${value}; this hark knows ${version ?? 'none'}. ` +
          'Start it with the newer version that wrote it',
      });
  }
  const unsaid = catalog.filter(({ type, version }) => meta[EVENT_PREFIX + type] !== String(version));
  const entries = Object.fromEntries(
    unsaid.map(({ type, version }) => [EVENT_PREFIX + type, String(version)]),
  );
  if (!meta.logId) entries.logId = randomUUID();
  if (Object.keys(entries).length > 0) await adapter.writeMeta(entries);
}
