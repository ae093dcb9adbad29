import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SagaRuntime, SagaRuntimeOptions } from '../sagas/runtime.ts';

/** The sagas on a store. They alone load RxJS, and whoever starts says first that it is ready: no answer waits for them. */
export class LateSagas {
  readonly #options: () => SagaRuntimeOptions;
  #starting: Promise<SagaRuntime | undefined> = Promise.resolve(undefined);
  #isStopped = false;

  constructor(options: () => SagaRuntimeOptions) {
    this.#options = options;
  }

  start(): void {
    this.#starting = this.#start();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await (await this.#starting)?.stop();
  }

  async #start(): Promise<SagaRuntime | undefined> {
    await nextTurn();
    const { SagaRuntime } = await import('../sagas/runtime.ts');
    if (this.#isStopped) return undefined;
    const runtime = new SagaRuntime(this.#options());
    runtime.start();
    return runtime;
  }
}
