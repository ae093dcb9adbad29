import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Advertisement } from './advertisement.ts';

interface AdvertiserOptions {
  readonly advertisement: Advertisement;
  /** It is the `failures`-th. */
  readonly onFailure: (failures: number) => void;
  readonly pauseMs?: number;
}

type AdvertiserState = 'starting' | 'advertised' | 'failed' | 'stopped';

const SCRIPT = new URL('./process.ts', import.meta.url);
const MOST_FAILURES = 3;
const PAUSE_MS = 5_000;
/** It looks first whether its name is taken. */
const ADVERTISED_WITHIN_MS = 30_000;
const LONGEST_FAREWELL_MS = 1_500;

/**
 * Announces the service by mDNS, in a process of its own: what answers there has ended services on networks that it did
 * not expect. After three failures it stays quiet.
 */
export class Advertiser {
  readonly #options: AdvertiserOptions;
  readonly #stopping = new AbortController();
  #state: AdvertiserState = 'starting';
  #child: ChildProcess | undefined;
  #running: Promise<void> | undefined;

  constructor(options: AdvertiserOptions) {
    this.#options = options;
  }

  get state(): AdvertiserState {
    return this.#state;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when it is taken back. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const child = this.#child;
    if (child?.connected) child.disconnect();
    const patience = setTimeout(() => child?.kill('SIGKILL'), LONGEST_FAREWELL_MS);
    await this.#running;
    clearTimeout(patience);
    this.#state = 'stopped';
  }

  async #run(): Promise<void> {
    const { onFailure, pauseMs = PAUSE_MS } = this.#options;
    const { signal } = this.#stopping;
    for (let failures = 1; failures <= MOST_FAILURES; failures++) {
      await this.#untilEnded();
      if (signal.aborted) return;
      this.#state = failures === MOST_FAILURES ? 'failed' : 'starting';
      onFailure(failures);
      if (this.#state === 'starting')
        await wait(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }

  async #untilEnded(): Promise<void> {
    const child = fork(SCRIPT, [JSON.stringify(this.#options.advertisement)], {
      // With nothing of what the service keeps secret; the programs that tell of networks are found by it.
      env: { PATH: process.env.PATH ?? '' },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child = child;
    const late = setTimeout(() => child.kill('SIGKILL'), ADVERTISED_WITHIN_MS);
    child.once('message', () => {
      clearTimeout(late);
      this.#state = 'advertised';
    });
    // One that could not be started has no exit.
    await Promise.race([once(child, 'exit'), once(child, 'error')]).catch(() => undefined);
    clearTimeout(late);
    this.#child = undefined;
  }
}
