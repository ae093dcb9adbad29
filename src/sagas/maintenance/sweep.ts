import type { Pace } from '../../application/maintenance/pace.ts';
import type { ContradictionFinder, ContradictionsFound } from '../../application/maintenance/ports.ts';
import { mentionsIn, tally } from '../../application/maintenance/preview.ts';
import { plannedMerges } from '../../application/maintenance/redundancy/plannedMerges.ts';
import type { Command } from '../../commands/command.ts';
import { type UserMemory, userMemory } from '../../commands/memory/state.ts';
import { mergeRedundant } from '../../commands/memory/sweep/mergeRedundant.ts';
import { noteContradictions } from '../../commands/memory/sweep/noteContradictions.ts';
import { mentionsAsOf, steps } from '../../commands/memory/sweep/steps.ts';
import { endSweep, type StartSweep, startSweep, takeStep } from '../../commands/memory/sweep/sweep.ts';
import { NO_PIPELINE, type Sweep, sweepSteps } from '../../commands/memory/upkeep.ts';
import type { CommandContext, CommandOutcome, CommandRunner } from '../../commands/runner.ts';
import { HarkError } from '../../errors.ts';
import { isEvent } from '../../events/definition.ts';
import { type CompletedSweep, maintenanceCompleted } from '../../events/maintenance.ts';
import { memoryStream } from '../../events/memory.ts';
import type { Conclusion } from '../../folds/memory/conclusion.ts';
import { firstReportFrom } from '../../projections/memory/sweepReport.ts';
import type { EventReader } from '../../store/port.ts';

const NOTHING_FOUND: ContradictionsFound = { confirmed: [], pipeline: NO_PIPELINE };

export interface SweepParts {
  readonly runner: Pick<CommandRunner, 'read' | 'run'>;
  readonly store: EventReader;
  /** Without one, nobody looks for contradictions. */
  readonly contradictions?: ContradictionFinder | undefined;
  readonly pace: Pace;
}

/** One sweep of one user's memory, from where it stands to its end. It may be cut off between any two events. */
export class SweepRun {
  readonly #parts: SweepParts;
  readonly #context: CommandContext;
  readonly #signal: AbortSignal;

  constructor(parts: SweepParts, context: CommandContext, signal: AbortSignal) {
    this.#parts = parts;
    this.#context = context;
    this.#signal = signal;
  }

  /** With the id of a command, it is begun once: the second time this is what the first has come to. */
  async run(wanted: StartSweep, commandId?: string): Promise<CompletedSweep> {
    const startedAt = performance.now();
    const context = commandId === undefined ? this.#context : { ...this.#context, commandId };
    this.#signal.throwIfAborted();
    const { version } = await this.#parts.runner.run(startSweep, wanted, context);
    const { sweep } = (await this.#memory()).upkeep;
    if (!sweep) return (await this.#reportSince(version)) ?? fail();
    const { sweepId, step } = sweep;
    const isDue = (name: keyof typeof sweepSteps) => sweepSteps[name] >= step;
    if (isDue('stale')) await this.#take('stale', sweep);
    if (isDue('decay')) await this.#take('decay', sweep);
    if (isDue('merge')) await this.#merge(sweep);
    if (isDue('contradictions')) await this.#flagOrphansAndContradictions(sweep);
    await this.#take('prune', sweep);
    const figures = await tally(await this.#memory(), sweep, this.#parts.pace);
    const durationMs = Math.round(performance.now() - startedAt);
    const { appended } = await this.#run(endSweep, { sweepId, durationMs, ...figures });
    const report = appended.find((event) => isEvent(event, maintenanceCompleted));
    // Somebody else ended it, after a lease that was lost unnoticed.
    return report?.data ?? (await this.#reportSince(sweep.firstVersion)) ?? fail();
  }

  async #take(name: keyof typeof steps, sweep: Sweep): Promise<void> {
    const { pace } = this.#parts;
    const memory = await this.#memory();
    let mentions = name === 'orphans' ? await mentionsIn(memory, pace) : undefined;
    let ids: string[] = [];
    const take = async () => {
      const now = await this.#memory();
      if (mentions && mentions.asOf !== mentionsAsOf(now)) mentions = await mentionsIn(now, pace);
      if (ids.length > 0) await this.#run(takeStep, { sweepId: sweep.sweepId, step: name, ids, mentions });
      ids = [];
    };
    for (const id of steps[name].ids(memory)) {
      if (!pace.hasTime()) await pace.pause();
      if (!mentions?.episodes.has(id) && steps[name].isDue(memory, sweep, id)) ids.push(id);
      if (ids.length >= pace.changesAtOnce) await take();
    }
    await take();
  }

  async #merge(sweep: Sweep): Promise<void> {
    const { sweepId } = sweep;
    const { pace } = this.#parts;
    const merges = await plannedMerges(await this.#memory(), sweep, pace, this.#signal);
    for (let from = 0, to = 0; from < merges.length; from = to) {
      to = from + pace.changesAtOnce;
      await this.#run(mergeRedundant, { sweepId, merges: merges.slice(from, to) });
    }
  }

  /** What contradicts what is looked for beside, mostly in other threads; nothing of that is left when this ends. */
  async #flagOrphansAndContradictions(sweep: Sweep): Promise<void> {
    const failed = new AbortController();
    const found = this.#seekContradictions(AbortSignal.any([this.#signal, failed.signal]));
    try {
      found.catch(() => undefined);
      await this.#take('orphans', sweep);
      await this.#run(noteContradictions, { sweepId: sweep.sweepId, ...(await found) });
    } finally {
      failed.abort();
      await found.catch(() => undefined);
    }
  }

  async #seekContradictions(signal: AbortSignal): Promise<ContradictionsFound> {
    const { contradictions, pace } = this.#parts;
    const { userId, correlationId } = this.#context;
    const conclusions: Conclusion[] = [];
    for (const conclusion of Object.values((await this.#memory()).conclusions)) {
      if (!pace.hasTime()) await pace.pause();
      if (conclusion.status === 'active') conclusions.push(conclusion);
    }
    const found = await contradictions?.find({ userId, conclusions, correlationId, pace, signal });
    return found ?? NOTHING_FOUND;
  }

  #memory(): Promise<UserMemory> {
    const { userId } = this.#context;
    return this.#parts.runner.read(userMemory, memoryStream(userId), userId);
  }

  #reportSince(version: number): Promise<CompletedSweep | undefined> {
    return firstReportFrom(this.#parts.store, this.#context.userId, version);
  }

  async #run<Input>(command: Command<Input, UserMemory>, input: Input): Promise<CommandOutcome> {
    this.#signal.throwIfAborted();
    const { runner, pace } = this.#parts;
    const outcome = await runner.run(command, input, this.#context);
    if (!pace.hasTime()) await pace.pause();
    return outcome;
  }
}

/** Somebody erased everything in the moment in which it ended. */
function fail(): never {
  throw new HarkError('MEMORY_CHANGED');
}
