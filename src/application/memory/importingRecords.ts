import { setImmediate as breath } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../clock.ts';
import { importEntities } from '../../commands/entities/importEntities.ts';
import { hasCome } from '../../commands/memory/episodes.ts';
import {
  type ImportRecords,
  importRecords,
  isLast,
  type KeptConclusion,
  type KeptEpisode,
  missingFrom,
} from '../../commands/memory/imports.ts';
import { type UserMemory, userMemory } from '../../commands/memory/state.ts';
import type { CommandOutcome, CommandRunner } from '../../commands/runner.ts';
import { changePreferences } from '../../commands/settings/changePreferences.ts';
import { entryOf } from '../../entryOf.ts';
import type { Standing } from '../../events/conclusions.ts';
import { memoryStream, type Profile, profileChanged } from '../../events/memory.ts';
import { type Remembered, remembered } from '../../projections/memory/remembered.ts';
import type { UserViews } from '../../projections/runtime.ts';
import { preferences } from '../../projections/settings/preferences.ts';
import { ImportedByAppend, ImportedNames } from './importedNames.ts';
import { importContradictions } from './importingContradictions.ts';
import { importNamed } from './importingEntities.ts';
import type { ImportAsked, ImportTally } from './importReport.ts';
import type {
  ConclusionRecord,
  EpisodeRecord,
  MemoryRecord,
  PreferencesRecord,
  ProfileRecord,
} from './records.ts';

interface Parts {
  readonly runner: CommandRunner;
  readonly views: UserViews;
  readonly clock: Clock;
  readonly retentionMs: () => number;
}

/** What the memory itself keeps; the others are kept beside it. */
type OwnRecord = EpisodeRecord | ConclusionRecord | ProfileRecord;

const RECORDS_AT_ONCE = 25;

/**
 * Takes back what an export holds. Ids stay where they are free: where another thing has one, the record gets a
 * new one, which is the same each time, and what points to it follows.
 */
export async function importKept(
  parts: Parts,
  records: readonly MemoryRecord[],
  asked: ImportAsked,
  tally: ImportTally,
): Promise<void> {
  const { views } = parts;
  const memory = await views.of(remembered, asked.userId);
  const own = records.filter(isOwn);
  const names = new ImportedNames(memory, own.filter(isNamed));
  await importOwn(parts, { own, memory, names }, asked, tally);
  const texts = new Map(
    own.flatMap((record) => (record.kind === 'conclusion' ? [[record.id, record.text]] : [])),
  );
  const contradictions = {
    records: records.filter((record) => record.kind === 'contradiction'),
    names,
    textOf: (id: string) => texts.get(id) ?? id,
  };
  await importContradictions(parts.runner, contradictions, asked, tally);
  const episodes = {
    nameOf: (id: string) => names.of('episode', id),
    isThere: (id: string) => names.isThere(id),
  };
  await importNamed(parts, { records, episodes }, asked, tally);
  for (const record of records)
    if (record.kind === 'preferences') await importPreferences(parts, record, asked, tally);
}

function isOwn(record: MemoryRecord): record is OwnRecord {
  return record.kind === 'profile' || record.kind === 'episode' || record.kind === 'conclusion';
}

function isNamed(record: OwnRecord): record is EpisodeRecord | ConclusionRecord {
  return record.kind !== 'profile';
}

interface Own {
  readonly own: readonly OwnRecord[];
  readonly memory: Remembered;
  readonly names: ImportedNames;
}

async function importOwn(
  { runner, clock, retentionMs }: Parts,
  { own, memory, names }: Own,
  { dryRun, signal, ...context }: ImportAsked,
  tally: ImportTally,
): Promise<void> {
  const isOver = (expiresAt: number) => expiresAt <= clock();
  for (let at = 0; at < own.length; at += RECORDS_AT_ONCE) {
    signal.throwIfAborted();
    const batch = own.slice(at, at + RECORDS_AT_ONCE);
    const fresh = batch.filter((record) => isNew(record, memory, names, tally));
    const episodes = fresh.flatMap((record) => (record.kind === 'episode' ? [record] : []));
    const whole = episodes.filter((record) => !isPart(record));
    const input: ImportRecords = {
      profile: mergedProfile(fresh),
      episodes: episodes.map((record) => {
        const expiresAt = isOver(record.expiresAt) ? clock() + retentionMs() : record.expiresAt;
        return keptEpisode({ ...record, expiresAt }, names);
      }),
      conclusions: fresh.flatMap((record) =>
        record.kind === 'conclusion' ? [keptConclusion(withEnd(record, clock() + retentionMs()), names)] : [],
      ),
      contradictions: [],
    };
    // Before who looks for names in each new episode hears of them.
    const read = whole.flatMap(({ id, isRead }) => (isRead ? [names.of('episode', id)] : []));
    if (!dryRun && read.length > 0)
      await runner.run(importEntities, { read, entities: [], relationships: [] }, context);
    const isWritten = !dryRun && fresh.length > 0;
    const isBrought = isWritten
      ? broughtBy(await runner.run(importRecords, input, context), names)
      : () => true;
    const lost = await slicesLost(
      episodes.filter((record) => !isBrought(record)),
      names,
      () => runner.read(userMemory, memoryStream(context.userId), context.userId),
    );
    for (const record of fresh)
      if (record.kind === 'episode' && lost.has(record)) tally.fail(`episode ${record.id}`, LOST);
      else if (isPart(record)) tally.settlePart(isBrought(record));
      else tally.settle({ kind: record.kind, text: textOf(record) }, isBrought(record));
    await breath();
  }
}

/** All but the last of the records that one episode takes: only with that is it there. */
function isPart(record: OwnRecord): boolean {
  return record.kind === 'episode' && record.slice !== undefined && !isLast(record.slice);
}

const LOST = 'Earlier words of this episode are missing; import the whole export again';

/** Of those that were not brought, the ones that are not there either. */
async function slicesLost(
  left: readonly EpisodeRecord[],
  names: ImportedNames,
  memory: () => Promise<UserMemory>,
): Promise<ReadonlySet<EpisodeRecord>> {
  const sliced = left.filter(({ slice }) => slice);
  if (sliced.length === 0) return new Set();
  const { episodes, arriving } = await memory();
  return new Set(
    sliced.filter(({ id, happenedAt, slice }) => {
      const name = names.of('episode', id);
      const place = slice && { ...slice, happenedAt };
      return place && !entryOf(episodes, name) && !hasCome(entryOf(arriving, name), place);
    }),
  );
}

function broughtBy({ appended }: CommandOutcome, names: ImportedNames): (record: OwnRecord) => boolean {
  const brought = new ImportedByAppend(appended);
  return (record) => {
    if (record.kind === 'profile') return appended.some(({ type }) => type === profileChanged.type);
    const name = names.of(record.kind, record.id);
    return record.kind === 'episode' && record.slice
      ? brought.hasSlice(name, record.slice.number)
      : brought.has(record.kind, name);
  };
}

function isNew(record: OwnRecord, memory: Remembered, names: ImportedNames, tally: ImportTally): boolean {
  const isKnown =
    record.kind === 'profile' ? addsNothing(record, memory, tally) : names.isKnown(record.kind, record.id);
  if (isKnown) tally.skipped++;
  else if (record.kind !== 'profile' && !isPart(record)) {
    names.brings(record.kind, record.id);
    if (names.of(record.kind, record.id) !== record.id) tally.conflicts++;
  }
  return !isKnown;
}

function addsNothing({ profile }: ProfileRecord, memory: Remembered, tally: ImportTally): boolean {
  const missing = missingFrom(memory.profile, profile);
  const together: Profile = { ...profile, ...memory.profile, ...missing };
  const { preferences: given = {}, ...fields } = profile;
  const { preferences: kept = {}, ...keptFields } = together;
  const isOther = !isDeepStrictEqual({ ...keptFields, ...fields }, keptFields);
  if (isOther || Object.entries(given).some(([key, value]) => kept[key] !== value)) tally.conflicts++;
  return Object.keys(missing).length === 0;
}

function mergedProfile(records: readonly OwnRecord[]): Profile {
  let merged: Profile = {};
  for (const record of records)
    if (record.kind === 'profile') merged = { ...merged, ...missingFrom(merged, record.profile) };
  return merged;
}

function keptEpisode(
  { kind: _, id, conversationId, turns, isRead: __, slice, ...said }: EpisodeRecord,
  names: ImportedNames,
): KeptEpisode {
  const former = conversationId === null ? {} : { formerConversationId: conversationId };
  return {
    episodeId: names.of('episode', id),
    episode: { ...said, conversationId: null, ...former },
    turns,
    ...(slice ? { slice } : {}),
  };
}

/** What was put aside is not kept for ever, also where nothing says until when. */
function withEnd(record: ConclusionRecord, restorableUntil: number): ConclusionRecord {
  const { status, tended } = record;
  const isAside = status === 'pruned' || tended?.isAbsorbed === true;
  return isAside ? { ...record, tended: { restorableUntil, ...tended } } : record;
}

function keptConclusion(record: ConclusionRecord, names: ImportedNames): KeptConclusion {
  const { kind: _, id, sources, value, tended, ...rest } = record;
  const { createdAt, updatedAt, lastEvidenceAt, stale, status, supersededBy, contradicts, ...said } = rest;
  const conclusion = (other: string) => names.of('conclusion', other);
  const episodes = (ids: readonly string[]) => ids.map((source) => names.of('episode', source));
  return {
    conclusionId: conclusion(id),
    ...said,
    ...(value == null ? {} : { value }),
    sources: episodes(sources),
    standing: {
      ...{ createdAt, updatedAt, lastEvidenceAt, stale, status },
      supersededBy: supersededBy === null ? null : conclusion(supersededBy),
      contradicts: contradicts.map(conclusion),
      ...(tended ? { tended: keptTended(tended, episodes) } : {}),
    },
  };
}

type Tended = NonNullable<Standing['tended']>;

function keptTended(
  { own, ...tended }: Tended,
  episodes: (ids: readonly string[]) => readonly string[],
): Tended {
  return own ? { ...tended, own: { ...own, sources: episodes(own.sources) } } : tended;
}

function textOf(record: OwnRecord): string {
  if (record.kind === 'profile') return record.profile.name ?? '';
  return record.kind === 'episode' ? record.summary : record.text;
}

/** What the user said here stays. */
async function importPreferences(
  { runner, views }: Pick<Parts, 'runner' | 'views'>,
  record: PreferencesRecord,
  { dryRun, signal, ...context }: ImportAsked,
  tally: ImportTally,
): Promise<void> {
  signal.throwIfAborted();
  const { stated } = await views.of(preferences, context.userId);
  const given = Object.entries(record.preferences);
  const missing = given.filter(([name]) => Reflect.get(stated, name) === undefined);
  if (given.some(([name, value]) => (Reflect.get(stated, name) ?? value) !== value)) tally.conflicts++;
  if (missing.length === 0) {
    tally.skipped++;
    return;
  }
  const input = { preferences: Object.fromEntries(missing) };
  const isBrought = dryRun || (await runner.run(changePreferences, input, context)).appended.length > 0;
  tally.settle({ kind: 'preferences', text: '' }, isBrought);
}
