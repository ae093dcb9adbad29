import type { Clock, Wake } from '../../clock.ts';
import type { CommandContext, CommandRunner } from '../../commands/runner.ts';
import { cancelExecution, resumeExecution, startExecution } from '../../commands/workflows/executions.ts';
import { HarkError } from '../../errors.ts';
import { executionStream, startedAs, workflowEventTypes } from '../../events/workflows.ts';
import { type UserViews, userViewAt, type Views } from '../../projections/runtime.ts';
import { type ExecutionView, execution } from '../../projections/workflows/execution.ts';
import { type OpenExecution, openExecutions } from '../../projections/workflows/openExecutions.ts';
import type { Issue } from '../../schemas/jsonSchema.ts';
import type { Deliveries, EventReader } from '../../store/port.ts';
import { Semaphore } from '../semaphore.ts';
import { Grace } from '../timeout.ts';
import type { WorkflowBook } from './book.ts';
import { Execution } from './execution.ts';
import type { StepParts } from './steps.ts';

export interface WorkflowContext {
  readonly store: Deliveries & EventReader;
  readonly runner: CommandRunner;
  readonly views: Views & UserViews;
  readonly instanceId: string;
}

interface ExecutionsOptions {
  /** Undefined while there is no log. */
  readonly context: () => WorkflowContext | undefined;
  readonly book: WorkflowBook;
  readonly parts: StepParts;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly onFailure: (what: string, error: unknown) => void;
}

export interface ExecutionRequest extends Pick<CommandContext, 'userId' | 'correlationId' | 'during'> {
  readonly workflowId: string;
  readonly executionId: string;
  readonly input: Record<string, unknown>;
}

interface Wanted {
  readonly userId: string;
  readonly executionId: string;
}

const LONGEST_INPUT = 256 * 1_024;
const STEPS_AT_ONCE = 64;
/** A workflow that runs itself would go on for ever. One that does so after an hour at least may. */
const MOST_GENERATIONS = 10;
const QUICK_MS = 60 * 60_000;
/** Open at the same time. */
const MOST_OF_ONE_CAUSE = 20;

interface Running {
  readonly execution: Execution;
  readonly over: Promise<void>;
  /** It was to go on while it was at work. */
  isWanted: boolean;
}

/**
 * Executions at work in this process. Each belongs to one process at a time, as the log has it. One that only waits
 * is not among them: a saga has it go on when it is due.
 */
export class Executions {
  readonly #options: ExecutionsOptions;
  readonly #turns = new Semaphore(STEPS_AT_ONCE);
  /** By stream. */
  readonly #running = new Map<string, Running>();
  readonly #listening = new Map<string, Set<() => void>>();
  readonly #heard = new WeakSet<Deliveries>();
  readonly #onFault = new Set<(stream: string) => void>();
  readonly #closing = new AbortController();

  constructor(options: ExecutionsOptions) {
    this.#options = options;
  }

  /** Resolves when it is written down; the execution then goes on by itself. */
  async start({ workflowId, executionId, input, ...who }: ExecutionRequest): Promise<void> {
    const context = this.#context();
    if (this.#closing.signal.aborted) throw new HarkError('NOT_READY');
    const definition = this.#options.book.get(workflowId);
    if (!definition) throw new HarkError('WORKFLOW_UNKNOWN', { body: { workflowId } });
    const generation = this.#generationOf(context, who.correlationId);
    const fitting = await this.#fitting(definition.input, input, who.userId);
    const { instanceId } = context;
    const asked = { executionId, workflowId, definition, input: fitting, instanceId, generation };
    const commandId = startedAs(who.userId, executionId);
    await context.runner.run(startExecution, asked, { ...who, commandId });
    this.goOn(executionStream(who.userId, { executionId }));
  }

  /** With `at`, as it was then, without what was forgotten since. */
  async find({
    userId,
    executionId,
    at: time,
  }: Wanted & { readonly at?: number | undefined }): Promise<ExecutionView> {
    const { store, views } = this.#context();
    const state = await (time === undefined
      ? views.of(execution, userId, executionId)
      : userViewAt(store, execution, userId, { time }, executionId));
    if (state.phase === 'unknown') throw new HarkError('EXECUTION_UNKNOWN', { body: { executionId } });
    return state;
  }

  /** As it is when it is over, or at this moment where it is not over by then or waits for longer. */
  async settled(wanted: Wanted, until: number, signal: AbortSignal): Promise<ExecutionView> {
    const stream = executionStream(wanted.userId, wanted);
    const { wake, clock } = this.#options;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const cancelWake = wake(until, resolve);
    const enough = AbortSignal.any([signal, this.#closing.signal]);
    enough.addEventListener('abort', () => resolve(), { once: true });
    let listener = () => {};
    const stopListening = this.#listen(stream, () => listener());
    try {
      for (;;) {
        const changed = Promise.withResolvers<void>();
        listener = changed.resolve;
        const state = await this.find(wanted);
        const isEnough = state.phase !== 'running' || waitsUntil(state) > until;
        if (isEnough || enough.aborted || clock() >= until) return state;
        await Promise.race([changed.promise, late]);
      }
    } finally {
      cancelWake();
      stopListening();
    }
  }

  async cancel({ executionId, ...who }: Wanted & CommandContext): Promise<ExecutionView> {
    await this.#context().runner.run(cancelExecution, { executionId }, who);
    return this.find({ ...who, executionId });
  }

  /** Takes over what another process has left. */
  async takeOver(left: OpenExecution): Promise<void> {
    const { runner, instanceId } = this.#context();
    const { userId, executionId, correlationId, instanceId: from } = left;
    await runner.run(resumeExecution, { executionId, from, instanceId }, { userId, correlationId });
    this.goOn(executionStream(userId, left));
  }

  /** Does what is due in an execution of this process, if anything is. */
  goOn(stream: string): void {
    const begun = this.#running.get(stream);
    if (begun) {
      begun.isWanted = true;
      begun.execution.look();
      return;
    }
    const context = this.#options.context();
    const open = context?.views.view(openExecutions).byStream[stream];
    if (!context || !open || open.instanceId !== context.instanceId || this.#closing.signal.aborted) return;
    this.#hear(context);
    const { parts, clock } = this.#options;
    const { userId, executionId, correlationId } = open;
    const { runner, views, instanceId } = context;
    const of = { userId, executionId, correlationId, instanceId };
    const running = new Execution({ ...of, runner, views, parts, clock, turns: this.#turns });
    const over = running.run().then(
      () => this.#rest(stream),
      (error) => this.#fail(stream, error),
    );
    this.#running.set(stream, { execution: running, over, isWanted: false });
  }

  /** Called with each execution that a failure of ours left unfinished: somebody has to have it go on. */
  onFault(listener: (stream: string) => void): () => void {
    this.#onFault.add(listener);
    return () => this.#onFault.delete(listener);
  }

  /** Begins nothing more. What does not end soon is done again by whoever goes on with it. */
  async stop(grace = new Grace()): Promise<void> {
    this.#closing.abort();
    const all = Array.from(this.#running.values());
    for (const { execution } of all) execution.endSoon();
    await grace.over(Promise.all(all.map(({ over }) => over)), () => {
      for (const { execution } of all) execution.stop();
    });
  }

  /** What became due in the moment in which it came to rest was told to an execution that looked no more. */
  #rest(stream: string): void {
    const wasWanted = this.#running.get(stream)?.isWanted;
    this.#running.delete(stream);
    if (wasWanted) this.goOn(stream);
  }

  #fail(stream: string, error: unknown): void {
    this.#running.delete(stream);
    this.#options.onFailure('workflow execution', error);
    for (const tell of this.#onFault) tell(stream);
  }

  #context(): WorkflowContext {
    const context = this.#options.context();
    if (!context) throw new HarkError('WORKFLOWS_UNAVAILABLE');
    this.#hear(context);
    return context;
  }

  /** Of what happens to an execution, also in another process. */
  #hear({ store, views, instanceId }: WorkflowContext): void {
    if (this.#heard.has(store)) return;
    this.#heard.add(store);
    store.onAppended((events) => {
      for (const { type, stream } of events) {
        if (!workflowEventTypes.has(type)) continue;
        const holder = views.view(openExecutions).byStream[stream]?.instanceId;
        // Over, or taken over.
        if (holder !== instanceId) this.#running.get(stream)?.execution.stop();
        for (const tell of this.#listening.get(stream) ?? []) tell();
      }
    });
  }

  #listen(stream: string, listener: () => void): () => void {
    const listening = this.#listening.get(stream) ?? new Set();
    this.#listening.set(stream, listening.add(listener));
    return () => {
      listening.delete(listener);
      if (listening.size === 0) this.#listening.delete(stream);
    };
  }

  /** Whoever begins it from within an execution has that one open. */
  #generationOf({ views }: WorkflowContext, cause: string): number {
    const open = Object.values(views.view(openExecutions).byStream);
    const ofCause = open.filter(({ correlationId }) => correlationId === cause);
    const quick = ofCause.filter(({ startedAt }) => this.#options.clock() - startedAt < QUICK_MS);
    const generation = Math.max(-1, ...quick.map((one) => one.generation)) + 1;
    if (generation <= MOST_GENERATIONS && ofCause.length < MOST_OF_ONE_CAUSE) return generation;
    throw new HarkError('WORKFLOW_CIRCLE');
  }

  async #fitting(
    schema: Readonly<Record<string, unknown>> | undefined,
    input: Record<string, unknown>,
    owner: string,
  ): Promise<Record<string, unknown>> {
    if (JSON.stringify(input).length > LONGEST_INPUT) throw unfit([{ path: [], message: 'Is too long' }]);
    if (!schema) return input;
    const checked = await this.#options.parts.definitions.check(schema, input, { owner });
    if ('value' in checked) return Object.fromEntries(Object.entries(Object(checked.value)));
    throw unfit(checked.issues ?? [{ path: [], message: checked.problem }]);
  }
}

function unfit(issues: readonly Issue[]): HarkError {
  return new HarkError('VALIDATION_FAILED', {
    body: { issues: issues.map(({ path, message }) => ({ path: ['input', ...path], message })) },
  });
}

/** Of an execution that does nothing else. */
export function waitsUntil({ steps }: Pick<ExecutionView, 'steps'>): number {
  const records = Object.values(steps);
  const waiting = records.flatMap(({ state, until }) =>
    state === 'waiting' && until !== null ? [until] : [],
  );
  const isBusy =
    waiting.length === 0 || records.some(({ state, attempts }) => state === 'running' && attempts > 0);
  return isBusy ? 0 : Math.min(...waiting);
}
