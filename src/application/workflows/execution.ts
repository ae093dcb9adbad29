import { createHash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { CommandContext, CommandRunner } from '../../commands/runner.ts';
import { advanceExecution } from '../../commands/workflows/executions.ts';
import { entryOf } from '../../entryOf.ts';
import { isHarkError } from '../../errors.ts';
import {
  type ActionStep,
  type EventStep,
  LONGEST_WAIT_MS,
  type PromptStep,
  type Step,
  type WaitStep,
} from '../../events/workflowDefinition.ts';
import type { WorkflowEvent } from '../../events/workflows.ts';
import type { UserViews } from '../../projections/runtime.ts';
import { type ExecutionView, execution } from '../../projections/workflows/execution.ts';
import { retryWhileUnavailable } from '../retryWhileUnavailable.ts';
import type { Semaphore } from '../semaphore.ts';
import { planOf } from './plan.ts';
import {
  attempt,
  failureOf,
  givenBy,
  holds,
  objectOr,
  StepFailure,
  type StepParts,
  variablesOf,
} from './steps.ts';

/** A process that ends in a step again and again may be ended by that step. */
const MOST_INTERRUPTIONS = 10;
const FIRST_DELAY_MS = 1_000;
const USUAL_FACTOR = 2;
const LONGEST_DELAY_MS = 60 * 60_000;
/** What the steps of an execution gave, together. */
const LONGEST_OUTPUT = 256 * 1_024;

export interface ExecutionOptions {
  readonly executionId: string;
  readonly userId: string;
  readonly correlationId: string;
  readonly instanceId: string;
  readonly runner: CommandRunner;
  readonly views: UserViews;
  readonly parts: StepParts;
  readonly clock: Clock;
  /** Steps of all executions under way at the same time. */
  readonly turns: Semaphore;
}

/**
 * One execution at work in this process: begins whatever its plan says is next, and writes down what came of it
 * before it looks again. It keeps nothing that is not in the log, and ends when it is over, when there is nothing to
 * do before some moment, or when it is told to stop.
 */
export class Execution {
  readonly #options: ExecutionOptions;
  readonly #abort = new AbortController();
  readonly #inFlight = new Map<string, Promise<void>>();
  #poked = Promise.withResolvers<void>();
  #endsSoon = false;

  constructor(options: ExecutionOptions) {
    this.#options = options;
  }

  /** Begins nothing more. */
  endSoon(): void {
    this.#endsSoon = true;
    this.look();
  }

  /** Leaves what is under way where it is: what is not written down yet will not be. */
  stop(): void {
    this.#abort.abort();
    this.look();
  }

  /** Something may have become due. */
  look(): void {
    this.#poked.resolve();
  }

  async run(): Promise<void> {
    try {
      while (!this.#abort.signal.aborted) {
        const underWay = await this.#goOn();
        if (underWay.length === 0) return;
        await Promise.race([this.#poked.promise, ...underWay]);
      }
    } catch (error) {
      if (!this.#isOver(error)) throw error;
    } finally {
      // Whatever ended it, and also when it was the end: nobody heeds what is still under way.
      this.#abort.abort();
    }
  }

  /** The steps under way; none when there is nothing to do, or to wait for, in this process. */
  async #goOn(): Promise<readonly Promise<void>[]> {
    const { instanceId, clock } = this.#options;
    this.#poked = Promise.withResolvers();
    // As it was before the log is read: a step that ends meanwhile is not begun again, and its end brings another look.
    const inFlight = new Map(this.#inFlight);
    const state = await this.#known();
    if (state.phase !== 'running' || state.instanceId !== instanceId) return [];
    if (!state.definition) {
      await this.#end(state, 'ERASED', null, 'Its data was erased');
      return [];
    }
    if (this.#endsSoon) return [...inFlight.values()];
    const { ready, isOver, failure } = planOf(state, state.definition, {
      now: clock(),
      inFlight: new Set(inFlight.keys()),
    });
    if (isOver) {
      if (failure) await this.#end(state, 'STEP_FAILED', failure.stepId, failure.error);
      else await this.#complete(state);
      return [];
    }
    return [...inFlight.values(), ...ready.map((step) => this.#begin(step))];
  }

  /** All that is in the log of it by now. */
  #known(): Promise<ExecutionView> {
    const { views, userId, executionId } = this.#options;
    return views.of(execution, userId, executionId);
  }

  #begin(step: Step): Promise<void> {
    const work = this.#options.turns
      .take(() => this.#perform(step))
      .finally(() => this.#inFlight.delete(step.id));
    // Seen by whoever waits for a change; nobody may be waiting when it is over already.
    work.catch(() => undefined);
    this.#inFlight.set(step.id, work);
    return work;
  }

  async #perform(step: Step): Promise<void> {
    const state = await this.#known();
    const record = entryOf(state.steps, step.id);
    try {
      if (!record && step.if !== undefined && !(await this.#holds(state, step, step.if))) {
        await this.#record({ type: 'workflow.step.skipped', data: this.#place(state, step) });
      } else if (step.type === 'ACTION' || step.type === 'PROMPT' || step.type === 'EVENT')
        await this.#attempt(state, step);
      else if (step.type === 'CONDITION')
        await this.#completeStep(state, step, await this.#holds(state, step, step.condition));
      else if (step.type === 'WAIT') await this.#wait(state, step);
      else
        await this.#record({
          type: 'workflow.step.started',
          data: { ...this.#place(state, step), attempt: 1 },
        });
    } catch (error) {
      if (this.#isOver(error)) throw error;
      // The next look finds that out, and ends it.
      if (isHarkError(error, 'EXECUTION_ERASED')) return;
      await this.#fail(state, step, failureOf(error, step, this.#options.parts));
    }
  }

  async #attempt(state: ExecutionView, step: ActionStep | PromptStep | EventStep): Promise<void> {
    const { attempts, failures, isPublished } = entryOf(state.steps, step.id) ?? notReached;
    if (attempts - failures >= MOST_INTERRUPTIONS) throw new StepFailure('Interrupted too often', true);
    const place = this.#place(state, step);
    await this.#record({ type: 'workflow.step.started', data: { ...place, attempt: attempts + 1 } });
    const { parts, userId, correlationId } = this.#options;
    const output = await attempt(parts, step, {
      userId,
      correlationId,
      workflowId: state.workflowId,
      // The same when it was cut off, and another one after a failure.
      commandId: commandIdOf(state, step, failures),
      variables: variablesOf(state, step),
      publish: async (topic, payload) => {
        if (isPublished) return;
        await this.#record({ type: 'workflow.topic.published', data: { ...place, topic, payload } });
      },
      signal: this.#abort.signal,
    });
    this.#abort.signal.throwIfAborted();
    await this.#completeStep(state, step, output);
  }

  async #completeStep(state: ExecutionView, step: Step, output: unknown): Promise<void> {
    const written = JSON.stringify(output)?.length ?? 0;
    const before = JSON.stringify(variablesOf(state).steps).length;
    if (before + written > LONGEST_OUTPUT) throw new StepFailure('Its output is too long', true);
    const data = { ...this.#place(state, step), output: output ?? null };
    await this.#record({ type: 'workflow.step.completed', data });
  }

  async #wait(state: ExecutionView, step: WaitStep): Promise<void> {
    const { clock, parts, userId: owner } = this.#options;
    const record = entryOf(state.steps, step.id);
    if (record?.state === 'waiting') return this.#completeStep(state, step, { until: record.until });
    const until =
      step.duration === undefined
        ? momentOf(givenBy(await parts.definitions.fill(step.until, variablesOf(state, step), { owner })))
        : clock() + step.duration;
    if (until <= clock()) return this.#completeStep(state, step, { until });
    if (until - clock() > LONGEST_WAIT_MS) throw new StepFailure('The wait is longer than a year', true);
    await this.#record({ type: 'workflow.wait.begun', data: { ...this.#place(state, step), until } });
  }

  async #fail(before: ExecutionView, step: Step, { message, isFinal }: StepFailure): Promise<void> {
    const { clock } = this.#options;
    const { steps } = await this.#known();
    const { attempts, failures } = entryOf(steps, step.id) ?? notReached;
    const retry = 'retry' in step ? step.retry : undefined;
    const isLast = isFinal || failures + 1 >= (retry?.attempts ?? 1);
    const { delay = FIRST_DELAY_MS, factor = USUAL_FACTOR, maxDelay = LONGEST_DELAY_MS } = retry ?? {};
    const retryAt = isLast ? null : clock() + Math.round(Math.min(delay * factor ** failures, maxDelay));
    const data = { ...this.#place(before, step), attempt: attempts, error: message, retryAt };
    await this.#record({ type: 'workflow.step.failed', data });
  }

  async #complete(state: ExecutionView): Promise<void> {
    try {
      const output = await this.#outputOf(state);
      const { executionId, workflowId } = state;
      await this.#record({ type: 'workflow.execution.completed', data: { executionId, workflowId, output } });
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error;
      await this.#end(state, 'OUTPUT_INVALID', null, `The output: ${error.message}`);
    }
  }

  async #outputOf(state: ExecutionView): Promise<Record<string, unknown>> {
    const { parts, userId: owner } = this.#options;
    const { definitions } = parts;
    const { result, output: schema } = state.definition ?? {};
    const variables = variablesOf(state);
    const output = result ? givenBy(await definitions.fill(result, variables, { owner })) : variables.steps;
    return objectOr(schema ? givenBy(await definitions.check(schema, output, { owner })) : output, 'It');
  }

  #end(
    { executionId, workflowId }: ExecutionView,
    code: 'STEP_FAILED' | 'OUTPUT_INVALID' | 'ERASED',
    stepId: string | null,
    error: string,
  ): Promise<void> {
    const reason = stepId === null ? error : `${stepId}: ${error}`;
    const data = { executionId, workflowId, stepId, code, error: reason };
    return this.#record({ type: 'workflow.execution.failed', data });
  }

  #holds(state: ExecutionView, step: Step, expression: string): Promise<boolean> {
    return holds(this.#options.parts, expression, variablesOf(state, step), this.#options.userId);
  }

  #place({ executionId, workflowId }: ExecutionView, { id }: Step) {
    return { executionId, workflowId, stepId: id };
  }

  /** For as long as it takes: what a step gave must not be lost, or it would be done again. */
  async #record(event: WorkflowEvent): Promise<void> {
    const { runner, executionId, userId, correlationId, instanceId } = this.#options;
    const context: CommandContext = { userId, correlationId };
    const input = { executionId, instanceId, event };
    await retryWhileUnavailable(() => runner.run(advanceExecution, input, context), this.#abort.signal);
  }

  /** Ended, taken over or erased: nothing more can be written down, and nothing needs to be. */
  #isOver(error: unknown): boolean {
    return this.#abort.signal.aborted || isHarkError(error, 'EXECUTION_OVER');
  }
}

const notReached = { attempts: 0, failures: 0, isPublished: false };

function commandIdOf({ executionId }: ExecutionView, { id }: Step, failures: number): string {
  return createHash('sha256').update(`${executionId}:${id}:${failures}`).digest('hex').slice(0, 32);
}

function momentOf(value: unknown): number {
  const at = typeof value === 'number' ? value : Date.parse(String(value));
  if (Number.isSafeInteger(at) && at >= 0) return at;
  throw new StepFailure('The end of the wait is not a time', true);
}
