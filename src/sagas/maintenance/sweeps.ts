import { once } from 'node:events';
import { Pace } from '../../application/maintenance/pace.ts';
import type { ContradictionFinder } from '../../application/maintenance/ports.ts';
import { isStoreUnavailable } from '../../application/storeUnavailable.ts';
import { type Clock, isAhead } from '../../clock.ts';
import { userMemory } from '../../commands/memory/state.ts';
import type { StartSweep } from '../../commands/memory/sweep/startSweep.ts';
import type { Upkeep } from '../../commands/memory/upkeep.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { HarkError, isHarkError } from '../../errors.ts';
import { type CompletedSweep, maintenanceCompleted, type Thresholds } from '../../events/maintenance.ts';
import { memoryStream } from '../../events/memory.ts';
import { remembered } from '../../projections/memory/remembered.ts';
import type { UserViews } from '../../projections/runtime.ts';
import type { Deliveries, Leases } from '../../store/port.ts';

const LEASE_MS = 15_000;

interface SweepsOptions {
  /** Throws while the log is away. */
  readonly context: () => {
    readonly store: Deliveries & Leases;
    readonly runner: CommandRunner;
    readonly views: UserViews;
    readonly instanceId: string;
  };
  readonly thresholds: () => Thresholds;
  readonly clock: Clock;
  readonly contradictions?: ContradictionFinder | undefined;
  readonly isChatting: () => boolean;
  /** Instead of 15 seconds; for tests. */
  readonly leaseMs?: number;
}

export interface SweepRequest {
  readonly userId: string;
  readonly by: StartSweep['by'];
  readonly correlationId: string;
  /** Given where the same may be asked twice: the sweep is begun once. */
  readonly commandId?: string;
  /** A sweep that began at this time or later is the one that is wanted. */
  readonly since?: number;
}

/**
 * Never two sweeps at once for a user: who asks while one goes on, in this process or in another, is given its
 * report. One that was cut off is gone on with.
 */
export class Sweeps {
  readonly #options: SweepsOptions;
  readonly #stopping = new AbortController();
  readonly #onCutOff = new Set<(request: SweepRequest) => void>();
  readonly #running = new Map<string, Promise<CompletedSweep>>();

  constructor(options: SweepsOptions) {
    this.#options = options;
  }

  sweep(request: SweepRequest): Promise<CompletedSweep> {
    const { userId } = request;
    const known = this.#running.get(userId);
    if (known) return known;
    const running = this.#sweepAlone(request)
      .catch((error) => {
        if (isStoreUnavailable(error)) for (const tell of this.#onCutOff) tell(request);
        throw error;
      })
      .finally(() => this.#running.delete(userId));
    this.#running.set(userId, running);
    return running;
  }

  /** Told of each that broke off because the log was away. */
  onCutOff(listener: (request: SweepRequest) => void): () => void {
    this.#onCutOff.add(listener);
    return () => this.#onCutOff.delete(listener);
  }

  /** Where one was begun and has not ended. */
  async goOn(request: SweepRequest): Promise<void> {
    if ((await this.#upkeepOf(request.userId)).sweep) await this.sweep(request);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled(this.#running.values());
  }

  async #sweepAlone(request: SweepRequest): Promise<CompletedSweep> {
    const { signal } = this.#stopping;
    const { leaseMs = LEASE_MS } = this.#options;
    // RxJS is loaded by what needs it, and no start waits for it.
    const [{ lastValueFrom }, { underLease }] = await Promise.all([import('rxjs'), import('../lease.ts')]);
    const before = (await this.#lastReport(request.userId))?.sweepId;
    for (;;) {
      const { store, instanceId: holder } = this.#options.context();
      const lease = { name: `maintenance-${request.userId}`, holder, leaseMs };
      const sweeping = underLease(store, lease, signal, (held) => this.#sweepHeld(request, before, held));
      const done = await lastValueFrom(sweeping, { defaultValue: undefined });
      if (done) return done;
      await completed(
        store,
        request.userId,
        AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(leaseMs / 3))]),
      );
      if (signal.aborted) throw new HarkError('NOT_READY');
      const other = await this.#lastReport(request.userId);
      if (other && other.sweepId !== before) return other;
    }
  }

  /** Undefined when the lease was lost on the way: somebody else goes on. */
  async #sweepHeld(
    request: SweepRequest,
    before: string | undefined,
    held: AbortSignal,
  ): Promise<CompletedSweep | undefined> {
    const { userId, by, correlationId, commandId, since = Number.POSITIVE_INFINITY } = request;
    const last = await this.#lastReport(userId);
    const { thresholds, contradictions, isChatting, clock } = this.#options;
    const isSince = last && last.timestamp >= since && !isAhead(last.timestamp, clock());
    // One may have ended since this was asked for.
    if (last && (last.sweepId !== before || isSince)) return last;
    const { runner, views } = this.#options.context();
    const context = { userId, correlationId };
    const pace = new Pace({ isChatting });
    // Loaded when it is wanted: few starts are followed by a sweep.
    const { SweepRun } = await import('./sweep.ts');
    const run = new SweepRun({ runner, views, contradictions, pace }, context, held);
    try {
      return await run.run({ by, thresholds: thresholds() }, commandId);
    } catch (error) {
      if (held.aborted) return undefined;
      // What the log cut off is gone on with once it is back.
      if (!isStoreUnavailable(error)) await this.#fail(context, error).catch(() => undefined);
      throw error;
    }
  }

  async #fail(context: Parameters<CommandRunner['run']>[2], error: unknown): Promise<void> {
    const { runner } = this.#options.context();
    const { sweep } = await this.#upkeepOf(context.userId);
    const code = isHarkError(error) ? error.code : 'INTERNAL';
    if (!sweep) return;
    const { failSweep } = await import('../../commands/memory/sweep/endSweep.ts');
    await runner.run(failSweep, { sweepId: sweep.sweepId, code }, context);
  }

  async #lastReport(userId: string): Promise<CompletedSweep | undefined> {
    const { views } = this.#options.context();
    return (await views.of(remembered, userId)).reports.at(-1);
  }

  async #upkeepOf(userId: string): Promise<Upkeep> {
    const { runner } = this.#options.context();
    return (await runner.read(userMemory, memoryStream(userId), userId)).upkeep;
  }
}

/** Resolves when a sweep of the user has ended, wherever it ran, or with the signal. */
async function completed(store: Deliveries, userId: string, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  const unsubscribe = store.onAppended((events) => {
    if (events.some((event) => event.type === maintenanceCompleted.type && event.userId === userId))
      ended.abort();
  });
  const either = AbortSignal.any([signal, ended.signal]);
  if (!either.aborted) await once(either, 'abort');
  unsubscribe();
}
