import { join } from 'node:path';
import type { Models } from '../application/models.ts';
import type { Grace } from '../application/timeout.ts';
import type { TopicActor, TopicActors } from '../application/topicActors.ts';
import { actOnRun } from '../application/workflows/actOnRun.ts';
import { WorkflowBook } from '../application/workflows/book.ts';
import { builtInWorkflows } from '../application/workflows/builtIn.ts';
import { Executions } from '../application/workflows/executions.ts';
import type { Agent } from '../application/workflows/ports.ts';
import type { Clock, Wake } from '../clock.ts';
import type { Config } from '../config.ts';
import { WorkflowFolder } from '../gateways/workflows/folder.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { AnyOperation, ToolOperation } from '../interfaces/operation.ts';
import { executor, workflowOperations } from '../interfaces/operations/workflows.ts';
import { workflowRun } from '../interfaces/tools/workflowRun.ts';
import { openExecutions } from '../projections/workflows/openExecutions.ts';
import type { AnySaga } from '../sagas/saga.ts';
import { resumeExecutions } from '../sagas/workflows/resume.ts';
import { Definitions } from '../workflowFiles/definitions.ts';
import type { Tools } from './tools.ts';

interface WorkflowsOptions {
  readonly config: Config;
  readonly kvstore: Kvstore;
  readonly agent: Agent;
  readonly models: Pick<Models, 'complete'>;
  readonly tools: Pick<Tools, 'calls'>;
  readonly actors: TopicActors;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly onFailure: (what: string, error: unknown) => void;
  /** A file was read: what is wrong with it, or null. */
  readonly onFile: (file: string, problem: string | null) => void;
}

/** The wiring of everything about workflows. */
export class Workflows {
  readonly #options: WorkflowsOptions;
  readonly #definitions = new Definitions();
  readonly #folder: WorkflowFolder;
  readonly #book: WorkflowBook;
  readonly #executions: Executions;
  #reading: Promise<void> = Promise.resolve();

  constructor(options: WorkflowsOptions) {
    this.#options = options;
    const { config, kvstore, agent, models, tools, actors, clock, wake, onFailure, onFile } = options;
    const definitions = this.#definitions;
    this.#folder = new WorkflowFolder(join(config.SERVICE_DATA_DIR, 'workflows'), () => this.#read());
    this.#book = new WorkflowBook({ definitions, builtIn: builtInWorkflows, onRead: onFile });
    this.#executions = new Executions({
      context: () => kvstore.current,
      book: this.#book,
      parts: { definitions, tools: tools.calls, agent, models, actors, onFailure },
      clock,
      wake,
      onFailure,
    });
  }

  async sagas(): Promise<readonly AnySaga[]> {
    const executions = this.#executions;
    const connected = () => this.#options.kvstore.connected();
    const context = () => {
      const { store, views, instanceId } = connected();
      return { store, instanceId, open: () => views.view(openExecutions).byStream };
    };
    const { wakeExecutions } = await import('../sagas/workflows/wake.ts');
    return [resumeExecutions(() => connected().views, executions), wakeExecutions({ context, executions })];
  }

  /** What is done when a topic asks for it. */
  actors(): readonly TopicActor[] {
    const executions = async () => {
      await this.#reading;
      return this.#executions;
    };
    return [actOnRun(executions, this.#options.clock)];
  }

  operations(): readonly AnyOperation[] {
    return workflowOperations(this.#offer);
  }

  tools(): readonly ToolOperation[] {
    return [workflowRun(executor(this.#offer))];
  }

  /** Reads the files; whoever asks for workflows waits until they are read. */
  start(): void {
    this.#reading = this.#folder.start().catch((error) => this.#options.onFailure('workflow files', error));
    this.#read();
  }

  async stop(grace: Grace): Promise<void> {
    this.#folder.stop();
    await this.#executions.stop(grace);
    await this.#definitions.stop();
    await this.#reading;
  }

  get #offer() {
    const { kvstore, clock } = this.#options;
    const book = async () => {
      await this.#reading;
      return this.#book;
    };
    return { kvstore, clock, book, executions: this.#executions };
  }

  #read(): void {
    this.#reading = this.#reading
      .then(async () => this.#book.take(await this.#folder.read()))
      .catch((error) => this.#options.onFailure('workflow files', error));
  }
}
