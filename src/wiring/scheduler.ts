import { TopicActors } from '../application/topicActors.ts';
import type { Clock, Wake } from '../clock.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { AnyOperation, ToolOperation } from '../interfaces/operation.ts';
import { schedulerOperations } from '../interfaces/operations/scheduler.ts';
import { listTasksForModels } from '../interfaces/operations/taskLists.ts';
import type { Saga } from '../sagas/saga.ts';
import { actOnFired } from '../sagas/scheduler/acting.ts';
import { cancelErased } from '../sagas/scheduler/cancelErased.ts';
import { Firing } from '../sagas/scheduler/firing.ts';

interface SchedulerOptions {
  readonly kvstore: Kvstore;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** The wiring of everything about what is done later. */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #firing: Firing;
  /** Where areas register what they do when a topic is published. */
  readonly actors = new TopicActors();

  constructor(options: SchedulerOptions) {
    this.#options = options;
    const { kvstore } = options;
    this.#firing = new Firing({ ...options, backing: () => kvstore.current, hasActor: this.actors.has });
  }

  sagas(): readonly Saga[] {
    const { kvstore, onFailure } = this.#options;
    return [
      actOnFired({ actors: this.actors, backing: () => kvstore.connected(), onFailure }),
      cancelErased(() => kvstore.connected().views),
    ];
  }

  operations(): readonly AnyOperation[] {
    return schedulerOperations(this.#options.kvstore, this.actors);
  }

  tools(): readonly ToolOperation[] {
    return [listTasksForModels(this.#options.kvstore)];
  }

  /** To be called when everybody who acts has registered. */
  start(): void {
    this.#firing.start();
  }

  stop(): Promise<void> {
    return this.#firing.stop();
  }
}
