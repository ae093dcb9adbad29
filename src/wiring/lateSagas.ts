import { setImmediate as nextTurn } from 'node:timers/promises';

interface Running {
  start(): void;
  stop(): Promise<void>;
}

/** Sagas alone load RxJS, and whoever starts says first that it is ready: no answer waits for them. */
export class LateSagas {
  readonly #load: () => Promise<Running>;
  #starting: Promise<Running | undefined> = Promise.resolve(undefined);
  #isStopped = false;

  constructor(load: () => Promise<Running>) {
    this.#load = load;
  }

  start(): void {
    this.#starting = this.#start();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await (await this.#starting)?.stop();
  }

  async #start(): Promise<Running | undefined> {
    await nextTurn();
    const running = await this.#load();
    if (this.#isStopped) return undefined;
    running.start();
    return running;
  }
}
