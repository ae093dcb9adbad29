import { z } from 'zod';
import { Pace } from '../application/maintenance/pace.ts';
import type { ContradictionFinder } from '../application/maintenance/ports.ts';
import type { ResourceGuard } from '../application/maintenance/resourceGuard.ts';
import { deferredSweep, sweepsInWords, unavailableSweep } from '../application/maintenance/sweepHealth.ts';
import { otherwise, SweepRequests, thresholdsIn } from '../application/maintenance/sweepRequests.ts';
import { undoneIn } from '../application/maintenance/undoing.ts';
import { defineActor, type TopicActor } from '../application/topicActors.ts';
import type { Clock } from '../clock.ts';
import { userMemory } from '../commands/memory/state.ts';
import type { Config } from '../config.ts';
import { isHarkError } from '../errors.ts';
import type { CompletedSweep, Thresholds } from '../events/maintenance.ts';
import { memoryStream } from '../events/memory.ts';
import type { HealthFacts, HealthRegistry } from '../interfaces/healthRegistry.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { AnyOperation, Caller } from '../interfaces/operation.ts';
import { maintenanceOperations } from '../interfaces/operations/maintenance.ts';
import type { RuntimeSettings } from '../interfaces/runtimeSettings.ts';
import { sweptUsers } from '../projections/maintenance/sweptUsers.ts';
import { type Remembered, remembered } from '../projections/memory/remembered.ts';
import { reportsAt } from '../projections/memory/reports.ts';
import { type MaintenanceReport, reportOf } from '../projections/memory/sweepReport.ts';
import type { AnySaga } from '../sagas/saga.ts';

const SWITCHED_OFF = 'Switched off (SERVICE_MAINTENANCE_ENABLED)';

interface MaintenanceOptions {
  readonly config: Config;
  readonly settings: Pick<RuntimeSettings, 'number'>;
  readonly kvstore: Kvstore;
  readonly contradictions: ContradictionFinder;
  readonly guard: Pick<ResourceGuard, 'mayWork'>;
  readonly isChatting: () => boolean;
  readonly clock: Clock;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** The wiring of what keeps memory clean by itself. */
export class Maintenance {
  readonly #options: MaintenanceOptions;
  readonly #requests = new SweepRequests();
  #startedAt = 0;

  constructor(options: MaintenanceOptions) {
    this.#options = options;
  }

  async sagas(): Promise<readonly AnySaga[]> {
    const { config, kvstore, guard, contradictions, isChatting, clock, onFailure } = this.#options;
    if (!config.SERVICE_MAINTENANCE_ENABLED) return [];
    const { SERVICE_MAINTENANCE_CRON: expression, SERVICE_MAINTENANCE_TIMEZONE: timezone } = config;
    const [{ keepSwept }, { sweepMemory }] = await Promise.all([
      import('../sagas/maintenance/keepSwept.ts'),
      import('../sagas/maintenance/sweepMemory.ts'),
    ]);
    const requests = this.#requests;
    const sweep = sweepMemory({
      ...{ requests, contradictions, isChatting, clock },
      context: () => kvstore.connected(),
      thresholds: () => this.#thresholds(),
    });
    const keep = keepSwept({
      ...{ requests, guard, onFailure },
      isBegun: (userId) => this.#isSweepBegun(userId),
      known: () => kvstore.connected().views.view(sweptUsers),
      schedule: { type: 'cron', expression, timezone },
      usualUser: config.SERVICE_USER_ID,
      startedAt: this.#startedAt,
    });
    return [sweep, keep];
  }

  /** What is done when somebody publishes it. While the machine is needed, it is left to the next time. */
  actors(): readonly TopicActor[] {
    return [
      defineActor({
        topic: 'memory.maintenance.requested',
        payload: z.looseObject({}),
        act: async (_payload, { userId, correlationId, id }) => {
          this.#admit();
          if (!(await this.#options.guard.mayWork(['maintenance'])).safe) return;
          await this.#requests.ask({ userId, by: 'event', correlationId, commandId: `maintenance:${id}` });
        },
      }),
    ];
  }

  start(): void {
    this.#startedAt = this.#options.clock();
  }

  registerChecks(health: HealthRegistry): void {
    health.register('memory-maintenance', () => this.#check(), { facts: () => this.#figures() });
  }

  operations(): readonly AnyOperation[] {
    const { kvstore, clock } = this.#options;
    return maintenanceOperations({
      maintain: (caller) => this.#maintain(caller),
      preview: async (userId, thresholds) => {
        const { memoryToSweep, previewSweep } = await import('../application/maintenance/preview.ts');
        const memory = await memoryToSweep(kvstore.connected().store, userId);
        return previewSweep(memory, otherwise(this.#thresholds(), thresholds), clock(), this.#pace());
      },
      history: async (userId) => reportsAt(await this.#rememberedOf(userId), clock()),
      undo: async (caller, timestamp, ids) => {
        const completed = await this.#completed(caller.userId, timestamp);
        return completed && undoneIn(kvstore.connected(), caller, { completed, ids, pace: this.#pace() });
      },
      reportAt: async (userId, timestamp) => {
        const completed = await this.#completed(userId, timestamp);
        return completed && reportOf(kvstore.connected().store, userId, completed, this.#pace());
      },
    });
  }

  /** The sagas end what is under way. */
  stop(): void {
    this.#requests.stop();
  }

  async #maintain({ userId, correlationId, commandId }: Caller): Promise<MaintenanceReport> {
    const { kvstore, guard } = this.#options;
    this.#admit();
    try {
      kvstore.connected();
      const answer = await guard.mayWork(['maintenance']);
      if (!answer.safe) throw deferredSweep(answer.diagnosis);
      const request = { userId, by: 'request', correlationId } as const;
      const completed = await this.#requests.ask(
        commandId === undefined ? request : { ...request, commandId },
      );
      return await reportOf(kvstore.connected().store, userId, completed, this.#pace());
    } catch (error) {
      throw isHarkError(error, 'KVSTORE_UNAVAILABLE', 'STORAGE_FULL')
        ? unavailableSweep(error.message)
        : error;
    }
  }

  async #completed(userId: string, timestamp: number): Promise<CompletedSweep | undefined> {
    const reports = reportsAt(await this.#rememberedOf(userId), this.#options.clock());
    return reports.find((one) => one.timestamp === timestamp);
  }

  #pace(): Pace {
    const { isChatting } = this.#options;
    return new Pace({ isChatting });
  }

  #admit(): void {
    if (!this.#options.config.SERVICE_MAINTENANCE_ENABLED) throw unavailableSweep(SWITCHED_OFF);
  }

  /** None while there is no log to know them from. */
  #figures(): HealthFacts {
    const views = this.#options.kvstore.current?.views;
    if (!views) return {};
    const { lastMaintenanceAt, totalSweeps } = views.view(sweptUsers);
    return { lastMaintenanceAt, totalSweeps };
  }

  #check(): string {
    const { config, kvstore, clock } = this.#options;
    if (!config.SERVICE_MAINTENANCE_ENABLED) return SWITCHED_OFF;
    return sweepsInWords(kvstore.connected().views.view(sweptUsers), clock());
  }

  async #isSweepBegun(userId: string): Promise<boolean> {
    const { runner } = this.#options.kvstore.connected();
    const { upkeep } = await runner.read(userMemory, memoryStream(userId), userId);
    return upkeep.sweep !== null;
  }

  #rememberedOf(userId: string): Promise<Remembered> {
    return this.#options.kvstore.connected().views.of(remembered, userId);
  }

  #thresholds(): Thresholds {
    const { settings } = this.#options;
    return thresholdsIn((key) => settings.number(key));
  }
}
