import { undoSweep } from '../../commands/memory/sweep/undoSweep.ts';
import type { CommandContext, CommandRunner } from '../../commands/runner.ts';
import type { CompletedSweep } from '../../events/maintenance.ts';
import type { MemoryEvent } from '../../events/memory.ts';
import { changesOf } from '../../projections/memory/sweepReport.ts';
import type { EventReader } from '../../store/port.ts';
import type { Pace } from './pace.ts';

interface Undoing {
  readonly completed: CompletedSweep;
  /** Of conclusions and episodes; undefined for all of them. */
  readonly ids: readonly string[] | undefined;
  readonly pace: Pace;
}

/** Takes back what a sweep did, in pieces: which of it, and what is left, since it was changed meanwhile. */
export async function undoneIn(
  { store, runner }: { readonly store: EventReader; readonly runner: CommandRunner },
  { userId, correlationId }: CommandContext,
  { completed, ids, pace }: Undoing,
) {
  const wanted = ids && new Set(ids);
  const byId = new Map<string, MemoryEvent[]>();
  for await (const event of changesOf(store, userId, completed, pace)) {
    const id = idIn(event.data);
    if (id === undefined || (wanted && !wanted.has(id))) continue;
    byId.set(id, [...(byId.get(id) ?? []), event]);
  }
  const all = [...byId];
  const undone = new Set<string>();
  for (let from = 0, to = 0; from < all.length; from = to) {
    to = from + pace.changesAtOnce;
    const changes = all.slice(from, to).flatMap(([, events]) => events);
    const { appended } = await runner.run(undoSweep, { changes }, { userId, correlationId });
    for (const { data } of appended) undone.add(idIn(data) ?? '');
    if (!pace.hasTime()) await pace.pause();
  }
  return { undone: [...undone], left: [...byId.keys()].filter((id) => !undone.has(id)) };
}

/** The conclusion or episode that a change is about. */
function idIn(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const id = 'conclusionId' in data ? data.conclusionId : 'episodeId' in data ? data.episodeId : undefined;
  return typeof id === 'string' ? id : undefined;
}
