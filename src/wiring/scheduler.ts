import type { HabitsOf } from '../application/timeHabits.ts';
import { TopicActors } from '../application/topicActors.ts';
import type { Clock } from '../clock.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { AnyOperation, ToolOperation } from '../interfaces/operation.ts';
import { schedulerOperations } from '../interfaces/operations/scheduler.ts';
import { listTasksForModels } from '../interfaces/operations/taskLists.ts';
import type { AnySaga } from '../sagas/saga.ts';
import { actOnFired } from '../sagas/scheduler/acting.ts';
import { cancelErased } from '../sagas/scheduler/cancelErased.ts';

interface SchedulerOptions {
  readonly kvstore: Kvstore;
  readonly clock: Clock;
  readonly habitsOf: HabitsOf;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** The wiring of everything about what is done later. */
export class Scheduler {
  readonly #options: SchedulerOptions;
  /** Where areas register what they do when a topic is published. */
  readonly actors = new TopicActors();

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  async sagas(): Promise<readonly AnySaga[]> {
    const { kvstore, onFailure } = this.#options;
    const { fireTasks } = await import('../sagas/scheduler/firing.ts');
    return [
      fireTasks({ context: () => kvstore.current, hasActor: this.actors.has, onFailure }),
      actOnFired({ actors: this.actors, context: () => kvstore.connected(), onFailure }),
      cancelErased(() => kvstore.connected().views),
    ];
  }

  operations(): readonly AnyOperation[] {
    return schedulerOperations({ ...this.#options, actors: this.actors });
  }

  tools(): readonly ToolOperation[] {
    return [listTasksForModels(this.#options.kvstore, this.#options.habitsOf)];
  }
}
