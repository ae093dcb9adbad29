import type { Command } from '../../commands/command.ts';
import { type UserMemory, userMemory } from '../../commands/memory/state.ts';
import { mergeRedundant } from '../../commands/memory/sweep/mergeRedundant.ts';
import {
  type Mentions,
  mentionedBy,
  mentionsAsOf,
  type Swept,
  steps,
} from '../../commands/memory/sweep/steps.ts';
import { endSweep, startSweep, takeStep } from '../../commands/memory/sweep/sweep.ts';
import type { Sweep } from '../../commands/memory/upkeep.ts';
import { entryOf } from '../../entryOf.ts';
import type { Thresholds } from '../../events/maintenance.ts';
import { type MemoryEvent, memoryStream, readMemoryEvent } from '../../events/memory.ts';
import { foldedUntil, type Past } from '../../folds/streamFold.ts';
import { type MaintenanceReport, MOST_ISSUES } from '../../projections/memory/sweepReport.ts';
import { describeChange } from '../../projections/memory/sweptChanges.ts';
import type { EventReader } from '../../store/port.ts';
import type { Pace } from './pace.ts';
import { plannedMerges } from './redundancy/plannedMerges.ts';

/** What a sweep would decide on, now or once. It is the caller's own. */
export function memoryToSweep(store: EventReader, userId: string, past: Past = {}): Promise<UserMemory> {
  return foldedUntil(store, userMemory, memoryStream(userId), past);
}

/**
 * What a sweep would do now, with these thresholds: the same decisions, on a copy that is the caller's own. Nothing
 * is written, no model is asked, and so no contradiction is found.
 */
export async function previewSweep(
  memory: UserMemory,
  thresholds: Thresholds,
  now: number,
  pace: Pace,
): Promise<MaintenanceReport> {
  const startedAt = performance.now();
  const events: MemoryEvent[] = [];
  const run = <Input>(command: Command<Input, UserMemory>, input: Input) => {
    for (const fact of command.decide(memory, input, { now, newId: () => sweepId })) {
      userMemory.evolve(memory, { ...fact, at: now });
      const event = readMemoryEvent(fact);
      if (event) events.push(event);
    }
  };
  const take = async (step: keyof typeof steps) => {
    const ids = steps[step].ids(memory);
    const mentions = step === 'orphans' ? await mentionsIn(memory, pace) : undefined;
    for (let from = 0, to = 0; from < ids.length; from = to) {
      to = from + pace.changesAtOnce;
      run(takeStep, { sweepId, step, ids: ids.slice(from, to), mentions });
      if (!pace.hasTime()) await pace.pause();
    }
  };
  memory.upkeep.sweep = null;
  run(startSweep, { by: 'request', thresholds });
  await take('stale');
  await take('decay');
  const begun = { timestamp: now, thresholds };
  const merges = await plannedMerges(memory, begun, pace, new AbortController().signal);
  for (let from = 0, to = 0; from < merges.length; from = to) {
    to = from + pace.changesAtOnce;
    run(mergeRedundant, { sweepId, merges: merges.slice(from, to) });
    if (!pace.hasTime()) await pace.pause();
  }
  await take('orphans');
  await take('prune');
  const { sweep } = memory.upkeep;
  if (!sweep) throw new TypeError('The preview has no sweep');
  const durationMs = Math.round(performance.now() - startedAt);
  run(endSweep, { sweepId, durationMs, ...(await tally(memory, sweep, pace)) });
  const completed = events.findLast((event) => event.type === 'memory.maintenance.completed');
  if (!completed) throw new TypeError('The preview has no report');
  const { sweepId: _id, firstVersion: _first, ...figures } = completed.data;
  return { ...figures, issues: events.flatMap((event) => describeChange(event) ?? []).slice(0, MOST_ISSUES) };
}

const sweepId = 'preview';

/** The episodes that are mentioned by what is believed, looked for in short pieces. */
export async function mentionsIn(memory: Swept, pace: Pace): Promise<Mentions> {
  const asOf = mentionsAsOf(memory);
  const episodes = new Set<string>();
  for (const conclusion of Object.values(memory.conclusions)) {
    if (!pace.hasTime()) await pace.pause();
    for (const source of mentionedBy(conclusion)) episodes.add(source);
  }
  return { asOf, episodes };
}

/** What is stale, and what comes from episodes that are not kept any more. */
export async function tally({ conclusions, episodes }: Swept, { decayed }: Sweep, pace: Pace) {
  let stale = Object.keys(decayed).length;
  let danglingSources = 0;
  for (const { id, status, stale: isStale, sources } of Object.values(conclusions)) {
    if (!pace.hasTime()) await pace.pause();
    if (status !== 'active') continue;
    // With no confidence left there is nothing to decay.
    if (isStale && !decayed[id]) stale++;
    for (const source of sources) if (!entryOf(episodes, source)) danglingSources++;
  }
  return { stale, danglingSources };
}
