import { setImmediate as breath } from 'node:timers/promises';
import { type ImportEntities, importEntities, mentionKey } from '../../commands/entities/importEntities.ts';
import { KnownNames } from '../../commands/entities/knownNames.ts';
import { foldedName } from '../../commands/entities/sameName.ts';
import type { CommandContext, CommandRunner } from '../../commands/runner.ts';
import { entryOf } from '../../entryOf.ts';
import type { Entity, Relationship, UserEntities } from '../../folds/entities/entities.ts';
import { aliasesOf, nameOf, typeOf, USER } from '../../folds/entities/whole.ts';
import { knownEntities } from '../../projections/entities/knownEntities.ts';
import type { UserViews } from '../../projections/runtime.ts';
import { ImportedByAppend, otherId } from './importedNames.ts';
import type { ImportTally } from './importReport.ts';
import type { EntityRecord, MemoryRecord, RelationshipRecord } from './records.ts';

/** The episodes that the same import brings, or that were there before. */
interface Episodes {
  nameOf(id: string): string;
  isThere(id: string): boolean;
}

interface Brought {
  readonly records: readonly MemoryRecord[];
  readonly episodes: Episodes;
}

/** Each entity, with all that its episodes said of it, is several events. */
const RECORDS_AT_ONCE = 10;

/** Takes back who and what was known by name. Whoever is known already is whom a record of the same name is about. */
export async function importNamed(
  { runner, views }: { readonly runner: CommandRunner; readonly views: UserViews },
  { records, episodes }: Brought,
  { dryRun, signal, ...context }: CommandContext & { readonly dryRun: boolean; readonly signal: AbortSignal },
  tally: ImportTally,
): Promise<void> {
  const named = records.filter((record) => record.kind === 'entity' || record.kind === 'relationship');
  if (named.length === 0) return;
  const known = await views.of(knownEntities, context.userId);
  const bearers = new Bearers(known, named, episodes);
  for (let at = 0; at < named.length; at += RECORDS_AT_ONCE) {
    signal.throwIfAborted();
    const fresh = named.slice(at, at + RECORDS_AT_ONCE).filter((record) => isNew(record, bearers, tally));
    const input: ImportEntities = {
      read: [],
      entities: fresh.flatMap((record) => (record.kind === 'entity' ? [bearers.entity(record)] : [])),
      relationships: fresh.flatMap((record) =>
        record.kind === 'relationship' ? [bearers.relationship(record)] : [],
      ),
    };
    const isWritten = !dryRun && fresh.length > 0;
    const outcome = isWritten ? await runner.run(importEntities, input, context) : undefined;
    const brought = outcome && new ImportedByAppend(outcome.appended);
    for (const record of fresh)
      tally.settle(
        { kind: record.kind, text: textOf(record) },
        brought?.has(record.kind, bearers.idOf(record)) ?? true,
      );
    await breath();
  }
}

type NamedRecord = EntityRecord | RelationshipRecord;

function isNew(record: NamedRecord, bearers: Bearers, tally: ImportTally): boolean {
  const isKnown = bearers.isKnown(record);
  if (isKnown) tally.skipped++;
  return !isKnown;
}

function textOf(record: NamedRecord): string {
  return record.kind === 'entity' ? nameOf(record) : (record.evidence[0]?.type ?? '');
}

function haveNameInCommon(one: Entity, other: Entity): boolean {
  const names = new Set(namesOf(one));
  return namesOf(other).some((name) => names.has(name));
}

function namesOf(entity: Entity): readonly string[] {
  const names = entity.mentions.flatMap(({ name }) => name ?? []);
  return [nameOf(entity), ...names, ...aliasesOf(entity)].map((name) => foldedName(name, 'thing'));
}

/** Under which ids they are known here, or will be. */
class Bearers {
  readonly #known: UserEntities;
  readonly #episodes: Episodes;
  readonly #byId = new Map<string, string>();
  /** What is there, and what this import has told. */
  readonly #told = new Set<string>();

  constructor(known: UserEntities, records: readonly NamedRecord[], episodes: Episodes) {
    this.#known = known;
    this.#episodes = episodes;
    const names = new KnownNames(known);
    const byMention = new Map<string, string>();
    for (const { id, mentions } of Object.values(known.entities))
      for (const mention of mentions) {
        byMention.set(mentionKey(mention), id);
        this.#told.add(`${id} ${mentionKey(mention)}`);
      }
    for (const { id, evidence } of Object.values(known.relationships))
      for (const { episodeId } of evidence) this.#told.add(`${id} ${episodeId}`);
    for (const record of records)
      if (record.kind === 'entity' && !this.#byId.has(record.id))
        this.#byId.set(record.id, this.#bearerOf(record, byMention, names));
  }

  /** There already, or brought by this import before. */
  isKnown(record: NamedRecord): boolean {
    const { id, told } =
      record.kind === 'entity'
        ? { id: this.#of(record.id), told: record.mentions.map((one) => mentionKey(this.#here(one))) }
        : { id: this.#relationshipOf(record), told: record.evidence.map((one) => this.#here(one).episodeId) };
    const keys = told.map((one) => `${id} ${one}`);
    const isKnown = keys.every((one) => this.#told.has(one));
    for (const one of keys) this.#told.add(one);
    return isKnown;
  }

  idOf(record: NamedRecord): string {
    return record.kind === 'entity' ? this.#of(record.id) : this.#relationshipOf(record);
  }

  entity({ id, mentions, given, mergedInto }: EntityRecord): Entity {
    return {
      id: this.#of(id),
      mentions: mentions.map((mention) => this.#here(mention)),
      given,
      mergedInto: mergedInto === null ? null : this.#of(mergedInto),
    };
  }

  relationship(record: RelationshipRecord): Relationship {
    const { from, to, evidence } = record;
    return {
      id: this.#relationshipOf(record),
      from: this.#of(from),
      to: this.#of(to),
      evidence: evidence.map((one) => this.#here(one)),
    };
  }

  #here<One extends { readonly episodeId: string; readonly isExpired: boolean }>(one: One): One {
    const episodeId = this.#episodes.nameOf(one.episodeId);
    return { ...one, episodeId, isExpired: one.isExpired && !this.#episodes.isThere(episodeId) };
  }

  #of(id: string): string {
    const own = this.#byId.get(id);
    if (own !== undefined || id === USER) return own ?? USER;
    return Object.hasOwn(this.#known.entities, otherId(id)) ? otherId(id) : id;
  }

  #bearerOf(record: EntityRecord, byMention: ReadonlyMap<string, string>, names: KnownNames): string {
    for (const mention of record.mentions) {
      const bearer = byMention.get(mentionKey(this.#here(mention)));
      if (bearer !== undefined) return bearer;
    }
    const holder = entryOf(this.#known.entities, record.id);
    if (holder && haveNameInCommon(holder, record)) return record.id;
    const named = { name: nameOf(record), type: typeOf(record), aliases: aliasesOf(record) };
    return names.byName(named) ?? (holder ? otherId(record.id) : record.id);
  }

  #relationshipOf({ id, from, to }: RelationshipRecord): string {
    const holder = entryOf(this.#known.relationships, id);
    const isOther = holder && (holder.from !== this.#of(from) || holder.to !== this.#of(to));
    return isOther ? otherId(id) : id;
  }
}
