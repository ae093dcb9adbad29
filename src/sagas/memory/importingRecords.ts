import { createHash } from 'node:crypto';
import { setImmediate as breath } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../clock.ts';
import { wordsOf } from '../../commands/memory/findings.ts';
import { type ImportRecords, importRecords, missingFrom } from '../../commands/memory/importRecords.ts';
import { entryOf, memoryStream, type UserMemory, userMemory } from '../../commands/memory/state.ts';
import type { CommandContext, CommandRunner } from '../../commands/runner.ts';
import type { Profile } from '../../events/memory.ts';
import type { ImportTally } from './importReport.ts';
import type { ConclusionRecord, EpisodeRecord, MemoryRecord, ProfileRecord } from './records.ts';

interface Parts {
  readonly runner: CommandRunner;
  readonly clock: Clock;
  readonly retentionMs: number;
}

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
  const expiresAt = clock() + retentionMs;
  for (let at = 0; at < records.length; at += RECORDS_AT_ONCE) {
    signal.throwIfAborted();
    const batch = new Batch(memory, names, tally);
    for (const record of records.slice(at, at + RECORDS_AT_ONCE)) batch.add(record, clock(), expiresAt);
    if (!dryRun && batch.size > 0) await runner.run(importRecords, batch.input, context);
    await breath();
  }
}

/** Under which ids the records are known here, or will be. */
class Names {
  readonly #memory: UserMemory;
  readonly #byId = new Map<string, string>();
  readonly taken = new Set<string>();

  constructor(memory: UserMemory, records: readonly MemoryRecord[]) {
    this.#memory = memory;
    const believed = new Map(
      Object.values(memory.conclusions).map(({ id, text, status }) => [
        status === 'active' ? wordsOf(text ?? '') : '',
        id,
      ]),
    );
    for (const record of records) {
      if (record.kind === 'profile') continue;
      const own = record.kind === 'episode' ? this.#episode(record) : this.#conclusion(record, believed);
      this.#byId.set(`${record.kind}-${record.id}`, own);
    }
  }

  /** Of something that the same import brings, or an earlier one brought. */
  of(kind: 'episode' | 'conclusion', id: string): string {
    const known = this.#byId.get(`${kind}-${id}`);
    if (known !== undefined) return known;
    const { episodes, conclusions } = this.#memory;
    const other = otherId(id);
    return entryOf(kind === 'episode' ? episodes : conclusions, other) ? other : id;
  }

  #episode({ id, summary, happenedAt }: EpisodeRecord): string {
    const holder = entryOf(this.#memory.episodes, id);
    const isSame = holder?.summary === summary && holder.happenedAt === happenedAt;
    return !holder || isSame ? id : otherId(id);
  }

  #conclusion({ id, text, status }: ConclusionRecord, believed: ReadonlyMap<string, string>): string {
    const holder = entryOf(this.#memory.conclusions, id);
    if (holder) return holder.text === text ? id : otherId(id);
    return (status === 'active' && believed.get(wordsOf(text))) || id;
  }
}

function otherId(id: string): string {
  return createHash('sha256').update(`imported:${id}`).digest('hex').slice(0, 32);
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

class Batch {
  readonly #memory: UserMemory;
  readonly #names: Names;
  readonly #tally: ImportTally;
  readonly #input = { profile: {} as Profile, episodes: [], conclusions: [] };
  size = 0;

  constructor(memory: UserMemory, names: Names, tally: ImportTally) {
    this.#memory = memory;
    this.#names = names;
    this.#tally = tally;
  }
}
