import { createHash } from 'node:crypto';
import { setImmediate as breath } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../clock.ts';
import { gistOf } from '../../commands/memory/findings.ts';
import {
  type ImportRecords,
  importRecords,
  type KeptConclusion,
  type KeptEpisode,
  missingFrom,
} from '../../commands/memory/importRecords.ts';
import { entryOf, memoryStream, type UserMemory, userMemory } from '../../commands/memory/state.ts';
import type { CommandContext, CommandRunner } from '../../commands/runner.ts';
import type { Profile } from '../../events/memory.ts';
import type { ImportTally } from './importReport.ts';
import type { ConclusionRecord, EpisodeRecord, MemoryRecord, ProfileRecord } from './records.ts';

interface Parts {
  readonly runner: CommandRunner;
  readonly clock: Clock;
  readonly retentionMs: () => number;
}

type Kind = 'episode' | 'conclusion';
type Asked = CommandContext & { readonly dryRun: boolean; readonly signal: AbortSignal };

const RECORDS_AT_ONCE = 25;

/**
 * Takes back what an export holds. Ids stay where they are free: where another thing has one, the record gets a
 * new one, which is the same each time, and what points to it follows.
 */
export async function importKept(
  { runner, clock, retentionMs }: Parts,
  records: readonly MemoryRecord[],
  { dryRun, signal, ...context }: Asked,
  tally: ImportTally,
): Promise<void> {
  const memory = await runner.read(userMemory, memoryStream(context.userId), context.userId);
  const names = new Names(memory, records);
  const isOver = (expiresAt: number) => expiresAt <= clock();
  for (let at = 0; at < records.length; at += RECORDS_AT_ONCE) {
    signal.throwIfAborted();
    const batch = records.slice(at, at + RECORDS_AT_ONCE);
    const fresh = batch.filter((record) => isNew(record, memory, names, tally));
    const input: ImportRecords = {
      profile: mergedProfile(fresh),
      episodes: fresh.flatMap((record) => {
        if (record.kind !== 'episode') return [];
        const expiresAt = isOver(record.expiresAt) ? clock() + retentionMs() : record.expiresAt;
        return [keptEpisode({ ...record, expiresAt }, names)];
      }),
      conclusions: fresh.flatMap((record) =>
        record.kind === 'conclusion' ? [keptConclusion(record, names)] : [],
      ),
    };
    if (!dryRun && fresh.length > 0) await runner.run(importRecords, input, context);
    for (const record of fresh) tally.take({ kind: record.kind, text: textOf(record) });
    await breath();
  }
}

function isNew(record: MemoryRecord, memory: UserMemory, names: Names, tally: ImportTally): boolean {
  const isKnown =
    record.kind === 'profile' ? addsNothing(record, memory, tally) : names.isKnown(record.kind, record.id);
  if (isKnown) tally.skipped++;
  else if (record.kind !== 'profile' && names.of(record.kind, record.id) !== record.id) tally.conflicts++;
  return !isKnown;
}

function addsNothing({ profile }: ProfileRecord, memory: UserMemory, tally: ImportTally): boolean {
  const missing = missingFrom(memory.profile, profile);
  const together: Profile = { ...profile, ...memory.profile, ...missing };
  const { preferences: given = {}, ...fields } = profile;
  const { preferences: kept = {}, ...keptFields } = together;
  const isOther = !isDeepStrictEqual({ ...keptFields, ...fields }, keptFields);
  if (isOther || Object.entries(given).some(([key, value]) => kept[key] !== value)) tally.conflicts++;
  return Object.keys(missing).length === 0;
}

function mergedProfile(records: readonly MemoryRecord[]): Profile {
  const profiles = records.flatMap((record) => (record.kind === 'profile' ? [record.profile] : []));
  return profiles.reduce<Profile>((merged, profile) => ({ ...merged, ...missingFrom(merged, profile) }), {});
}

function keptEpisode({ kind: _, id, turns, ...said }: EpisodeRecord, names: Names): KeptEpisode {
  return { episodeId: names.of('episode', id), episode: { ...said, conversationId: null }, turns };
}

function keptConclusion(record: ConclusionRecord, names: Names): KeptConclusion {
  const { id, text, type, confidence, sources, turnIds, about, by } = record;
  const { createdAt, updatedAt, lastEvidenceAt, stale, status, supersededBy, contradicts } = record;
  const conclusion = (other: string) => names.of('conclusion', other);
  return {
    conclusionId: conclusion(id),
    ...{ text, type, confidence, turnIds, about, by },
    sources: sources.map((source) => names.of('episode', source)),
    standing: {
      ...{ createdAt, updatedAt, lastEvidenceAt, stale, status },
      supersededBy: supersededBy === null ? null : conclusion(supersededBy),
      contradicts: contradicts.map(conclusion),
    },
  };
}

function textOf(record: MemoryRecord): string {
  if (record.kind === 'profile') return record.profile.name ?? '';
  return record.kind === 'episode' ? record.summary : record.text;
}

/** Under which ids the records are known here, or will be. */
class Names {
  readonly #memory: UserMemory;
  readonly #byId = new Map<string, string>();
  readonly #known = new Set<string>();

  constructor(memory: UserMemory, records: readonly MemoryRecord[]) {
    this.#memory = memory;
    const believed = new Map<string, string>();
    for (const { id, text, status } of Object.values(memory.conclusions))
      if (status === 'active') believed.set(gistOf(text ?? ''), id);
    for (const record of records) {
      if (record.kind === 'profile') continue;
      const name = `${record.kind}-${record.id}`;
      const own = record.kind === 'episode' ? this.#episode(record) : this.#conclusion(record, believed);
      this.#byId.set(name, own);
      if (this.#holds(record.kind, own)) this.#known.add(name);
    }
  }

  /** There already, or brought by this import before. */
  isKnown(kind: Kind, id: string): boolean {
    const name = `${kind}-${id}`;
    const isKnown = this.#known.has(name);
    this.#known.add(name);
    return isKnown;
  }

  /** Of something that the same import brings, or an earlier one brought. */
  of(kind: Kind, id: string): string {
    const own = this.#byId.get(`${kind}-${id}`);
    if (own !== undefined) return own;
    return this.#holds(kind, otherId(id)) ? otherId(id) : id;
  }

  #holds(kind: Kind, id: string): boolean {
    const { episodes, conclusions } = this.#memory;
    return entryOf<unknown>(kind === 'episode' ? episodes : conclusions, id) !== undefined;
  }

  #episode({ id, summary, happenedAt }: EpisodeRecord): string {
    const holder = entryOf(this.#memory.episodes, id);
    const isSame = holder?.summary === summary && holder.happenedAt === happenedAt;
    return !holder || isSame ? id : otherId(id);
  }

  /** What says the same as something that is believed already is that. */
  #conclusion({ id, text, status }: ConclusionRecord, believed: ReadonlyMap<string, string>): string {
    const holder = entryOf(this.#memory.conclusions, id);
    if (holder) return holder.text === text ? id : otherId(id);
    return (status === 'active' ? believed.get(gistOf(text)) : undefined) ?? id;
  }
}

function otherId(id: string): string {
  return createHash('sha256').update(`imported:${id}`).digest('hex').slice(0, 32);
}
