import type { Heed } from '../application/chat/briefing.ts';
import type { HabitsOf } from '../application/timeHabits.ts';
import { TopicActors } from '../application/topicActors.ts';
import type { Clock } from '../clock.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { AnyOperation, ToolOperation } from '../interfaces/operation.ts';
import { schedulerOperations } from '../interfaces/operations/scheduler.ts';
import { listTasksForModels } from '../interfaces/operations/taskLists.ts';
import { asksForReminder } from '../language/reminders/asking.ts';
import { onFirstUse } from '../onFirstUse.ts';
import type { AnySaga } from '../sagas/saga.ts';
import { actOnFired } from '../sagas/scheduler/acting.ts';
import { cancelErased } from '../sagas/scheduler/cancelErased.ts';

const reminding = onFirstUse(async () => ({
  ...(await import('../application/scheduler/pendingByRule.ts')),
  ...(await import('../application/scheduler/remindingByRule.ts')),
}));

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

  /** What the user asks to be told later, in plain words: done by rule where no model is there to do it. */
  async heed({ text, userId }: Parameters<Heed>[0]): ReturnType<Heed> {
    if (!asksForReminder(text)) return { notes: [], byRule: () => undefined };
    const [{ answerPending, remindByRule }, habits] = await Promise.all([
      reminding(),
      this.#options.habitsOf(userId),
    ]);
    const asked = { said: text, now: this.#options.clock(), habits };
    return {
      notes: [],
      byRule: (exchange, language) =>
        remindByRule(asked, exchange, language) ?? answerPending(text, exchange, language),
    };
  }

  tools(): readonly ToolOperation[] {
    return [listTasksForModels(this.#options.kvstore, this.#options.habitsOf)];
  }
}
