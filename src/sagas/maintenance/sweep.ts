import type { Command } from '../../commands/command.ts';
import { entryOf, memoryStream, type UserMemory, userMemory } from '../../commands/memory/state.ts';
import { endSweep } from '../../commands/memory/sweep/endSweep.ts';
import { mergeRedundant } from '../../commands/memory/sweep/mergeRedundant.ts';
import { noteContradictions } from '../../commands/memory/sweep/noteContradictions.ts';
import { type StartSweep, startSweep } from '../../commands/memory/sweep/startSweep.ts';
import { steps } from '../../commands/memory/sweep/steps.ts';
import { takeStep } from '../../commands/memory/sweep/takeStep.ts';
import { NO_PIPELINE, type Sweep, sweepSteps } from '../../commands/memory/upkeep.ts';
import type { CommandContext, CommandRunner } from '../../commands/runner.ts';
import { HarkError } from '../../errors.ts';
import type { CompletedSweep } from '../../events/maintenance.ts';
import { fairShare, hasTime } from '../../fairShare.ts';
import type { ContradictionFinder, ContradictionSearch, ContradictionsFound } from './ports.ts';
import { plannedMerges } from './redundancy/plannedMerges.ts';

/** Changes in one append: each is on the disk before the next is decided, and none holds up others for long. */
const AT_ONCE = 150;

const NOTHING_FOUND: ContradictionsFound = { confirmed: [], pipeline: NO_PIPELINE };

export interface SweepParts {
  readonly runner: Pick<CommandRunner, 'read' | 'run'>;
  /** Without one, nobody looks for contradictions. */
  readonly contradictions?: ContradictionFinder | undefined;
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
    await this.#parts.runner.run(startSweep, wanted, context);
    const { sweep, reports } = (await this.#memory()).upkeep;
    if (!sweep) return reports.at(-1) ?? fail();
    const { sweepId, step } = sweep;
    const isDue = (name: keyof typeof sweepSteps) => sweepSteps[name] >= step;
    if (isDue('stale')) await this.#take('stale', sweep);
    if (isDue('decay')) await this.#take('decay', sweep);
    if (isDue('merge')) await this.#merge(sweep);
    if (isDue('contradictions')) await this.#flagOrphansAndContradictions(sweep);
    await this.#take('prune', sweep);
    const figures = await tally(await this.#memory(), sweep);
    const durationMs = Math.round(performance.now() - startedAt);
    await this.#run(endSweep, { sweepId, durationMs, ...figures });
    const report = (await this.#memory()).upkeep.reports.findLast((one) => one.sweepId === sweepId);
    return report ?? fail();
  }

  async #take(name: keyof typeof steps, sweep: Sweep): Promise<void> {
    const memory = await this.#memory();
    let ids: string[] = [];
    const take = async () => {
      if (ids.length > 0) await this.#run(takeStep, { sweepId: sweep.sweepId, step: name, ids });
      ids = [];
    };
    for (const id of steps[name].ids(memory)) {
      if (!hasTime()) await fairShare();
      if (steps[name].isDue(memory, sweep, id)) ids.push(id);
      if (ids.length === AT_ONCE) await take();
    }
    await take();
  }

  async #merge(sweep: Sweep): Promise<void> {
    const { sweepId } = sweep;
    const merges = await plannedMerges(await this.#memory(), sweep, this.#signal);
    for (let from = 0; from < merges.length; from += AT_ONCE)
      await this.#run(mergeRedundant, { sweepId, merges: merges.slice(from, from + AT_ONCE) });
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
    const { contradictions } = this.#parts;
    const { userId, correlationId } = this.#context;
    const believed = Object.values((await this.#memory()).conclusions).filter(
      ({ status }) => status === 'active',
    );
    const search: ContradictionSearch = {
      userId,
      conclusions: believed,
      correlationId,
      signal,
    };
    return (await contradictions?.find(search)) ?? NOTHING_FOUND;
  }

  #memory(): Promise<UserMemory> {
    const { userId } = this.#context;
    return this.#parts.runner.read(userMemory, memoryStream(userId), userId);
  }

  async #run<Input>(command: Command<Input, UserMemory>, input: Input): Promise<void> {
    this.#signal.throwIfAborted();
    await this.#parts.runner.run(command, input, this.#context);
    if (!hasTime()) await fairShare();
  }
}

/** What is stale, and what comes from episodes that are not kept any more. */
export async function tally({ conclusions, episodes }: UserMemory, { decayed }: Sweep) {
  let stale = Object.keys(decayed).length;
  let danglingSources = 0;
  for (const { id, status, stale: isStale, sources } of Object.values(conclusions)) {
    if (!hasTime()) await fairShare();
    if (status !== 'active') continue;
    // With no confidence left there is nothing to decay.
    if (isStale && !decayed[id]) stale++;
    for (const source of sources) if (!entryOf(episodes, source)) danglingSources++;
  }
  return { stale, danglingSources };
}

/** Somebody erased everything in the moment in which it ended. */
function fail(): never {
  throw new HarkError('MEMORY_CHANGED');
}
