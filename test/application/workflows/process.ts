import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ToolCallOutcome } from '../../../src/application/chat/tool.ts';
import { TopicActors } from '../../../src/application/topicActors.ts';
import { WorkflowBook } from '../../../src/application/workflows/book.ts';
import { Executions, type WorkflowContext } from '../../../src/application/workflows/executions.ts';
import type { StepParts } from '../../../src/application/workflows/steps.ts';
import type { SettableClock } from '../../../src/clock.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import type { WorkflowDefinition } from '../../../src/events/workflowDefinition.ts';
import { executionStream } from '../../../src/events/workflows.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { type ExecutionView, execution } from '../../../src/projections/workflows/execution.ts';
import { openExecutions } from '../../../src/projections/workflows/openExecutions.ts';
import { ClockScheduler } from '../../../src/sagas/clockScheduler.ts';
import { wakeExecutions } from '../../../src/sagas/workflows/wake.ts';
import { check } from '../../../src/schemas/jsonSchema.ts';
import type { StoreAdapter } from '../../../src/store/adapter.ts';
import { Log } from '../../../src/store/log.ts';
import { evaluate, fill, summaryOf } from '../../../src/workflowFiles/expressions.ts';
import { runtimeOn } from '../../support/sagas.ts';

const WHO = { userId: 'ann', executionId: 'e1' };
const STREAM = executionStream(WHO.userId, WHO);

interface ProcessOptions {
  readonly adapter: StoreAdapter;
  readonly clock: SettableClock;
  readonly definition: WorkflowDefinition;
  readonly runTool: (
    name: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    id: string,
  ) => Promise<unknown>;
  readonly models?: StepParts['models'];
}

/** What the thread does, in this one: there are many processes in a test, and they end at once. */
const definitions: StepParts['definitions'] = {
  holds: async (expression, variables) => told(() => evaluate(expression, variables)),
  fill: async (template, variables) => told(() => fill(template, (each) => evaluate(each, variables))),
  check: async (schema, value) => check(schema, value),
};

function told(work: () => unknown) {
  try {
    return { value: work() };
  } catch (error) {
    return { problem: summaryOf(error) };
  }
}

/** One process with executions at work, on a log that others may share. There is one workflow, `w`. */
export class WorkflowProcess {
  static #made = 0;
  readonly context: WorkflowContext & { readonly store: Log };
  readonly executions: Executions;
  readonly failures: unknown[] = [];

  private constructor(
    context: WorkflowProcess['context'],
    { clock, definition, runTool, models }: ProcessOptions,
  ) {
    this.context = context;
    this.executions = new Executions({
      context: () => context,
      book: new WorkflowBook({
        definitions: { read: async () => ({ problem: 'There are no files' }) },
        builtIn: { w: definition },
        onRead: () => {},
      }),
      parts: {
        definitions,
        tools: { run: ({ id, name, input }, { signal }) => outcomeOf(runTool(name, input, signal, id)) },
        actors: new TopicActors(),
        agent: { ask: async () => '' },
        models: models ?? { complete: () => silence() },
        onFailure: (_what, error) => this.failures.push(error),
      },
      clock: clock.read,
      wake: clock.wake,
      onFailure: (_what, error) => this.failures.push(error),
    });
    const { executions } = this;
    const { store, views, instanceId } = context;
    const open = () => views.view(openExecutions).byStream;
    runtimeOn(store, wakeExecutions({ context: () => ({ store, open, instanceId }), executions }), {
      onFailure: (_what, error) => this.failures.push(error),
      time: new ClockScheduler({ clock: clock.read, wake: clock.wake }),
    }).start();
  }

  static async start(options: ProcessOptions): Promise<WorkflowProcess> {
    const store = await Log.open(options.adapter, eventCatalog);
    const runner = new StoreCommandRunner({ store, clock: options.clock.read, newId: () => 'id' });
    const views = new ProjectionRuntime(store, [openExecutions]);
    await views.start();
    const context = { store, runner, views, instanceId: `process-${++WorkflowProcess.#made}` };
    return new WorkflowProcess(context, options);
  }

  execute(input: Record<string, unknown> = {}): Promise<void> {
    return this.executions.start({ ...WHO, workflowId: 'w', input, correlationId: 'cause' });
  }

  /** As it does when the process that has it was lost. */
  async takeOver(): Promise<void> {
    const left = this.context.views.view(openExecutions).byStream[STREAM];
    if (left) await this.executions.takeOver({ ...left });
  }

  async state(): Promise<ExecutionView> {
    return this.context.views.of(execution, WHO.userId, WHO.executionId);
  }

  async until(isSo: (state: ExecutionView) => boolean): Promise<ExecutionView> {
    for (;;) {
      const state = await this.state();
      if (isSo(state)) return state;
      await nextTurn();
    }
  }
}

async function outcomeOf(running: Promise<unknown>): Promise<ToolCallOutcome> {
  try {
    return { result: JSON.stringify(await running), failed: false, durationMs: 1 };
  } catch (error) {
    return {
      result: `Error: ${error instanceof Error ? error.message : error}`,
      failed: true,
      durationMs: 1,
    };
  }
}

async function* silence(): AsyncGenerator<never> {}
