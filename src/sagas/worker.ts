import { setTimeout as wait } from 'node:timers/promises';
import type { CommandRunner } from '../commands/runner.ts';
import { abandonWork } from '../commands/system/abandonWork.ts';
import { isHarkError } from '../errors.ts';
import type { Store } from '../store/port.ts';
import type { StoredEvent } from '../store/storedEvent.ts';
import { Progress } from './progress.ts';
import { isAway, verdictOn } from './retryPolicy.ts';
import { type Reaction, type Saga, TryAgainLater } from './saga.ts';
import { SagaCursor } from './sagaCursor.ts';
import { Turns } from './turns.ts';

/** Before it is said once more that an event is given up. */
const SAID_AGAIN_MS = 1_000;
/** Reactions under way at the same time; an event that waits to be tried again takes no place. */
const MOST_AT_ONCE = 32;
/** How far is read ahead of an event that is not answered yet, so that one slow key does not hold up the others. */
const MOST_OPEN = 1_024;
/** Past events that the saga does not handle, the cursor moves in steps: each move waits for the disk. */
const FAR_BEHIND = 1_000;

interface SagaWorkerOptions {
  readonly saga: Saga;
  readonly store: Store;
  readonly runner: CommandRunner;
  readonly onFailure: (saga: string, error: unknown) => void;
  readonly pause?: Pause | undefined;
}

/** Resolves after that time, or at the signal. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

/**
 * One saga at work while its process holds the lease: follows the log from the saga's cursor, answers each
 * event in its key's order, and moves the cursor past what is answered. Ends when another process moved the
 * cursor, when a signal says so, or when the store is away; then nothing is lost, only done again.
 */
export class SagaWorker {
  readonly #options: SagaWorkerOptions;
  readonly #saga: Saga;
  readonly #pause: Pause;
  readonly #turns = new Turns(MOST_AT_ONCE);
  /** By key, what its newest event waits for. None of them ever rejects. */
  readonly #chains = new Map<string, Promise<void>>();

  constructor(options: SagaWorkerOptions) {
    this.#options = options;
    this.#saga = options.saga;
    this.#pause = options.pause ?? pause;
  }

  async work(stopping: AbortSignal): Promise<void> {
    const { store } = this.#options;
    const cursor = await SagaCursor.open(store, this.#saga.name);
    const progress = new Progress(cursor.position);
    const failed = new AbortController();
    const signal = AbortSignal.any([stopping, cursor.lost, failed.signal]);
    const moveCursor = () => cursor.move(() => progress.done);
    const range = { after: cursor.position, types: new Set(this.#saga.handles) };
    try {
      for await (const { events, position } of store.follow(range, signal)) {
        for (const event of events) {
          while (progress.openCount >= MOST_OPEN && !signal.aborted)
            await Promise.race(this.#chains.values());
          progress.begin(event.position);
          this.#enqueue(event, signal, () => {
            progress.end(event.position);
            moveCursor();
          });
        }
        progress.readTo(position);
        if (position - cursor.position >= FAR_BEHIND) moveCursor();
      }
    } finally {
      // Whatever ended it: whoever holds the lease next must not meet reactions of this worker.
      failed.abort();
      await Promise.all(this.#chains.values());
      await cursor.settled();
    }
  }

  #enqueue(event: StoredEvent, signal: AbortSignal, answered: () => void): void {
    const key = this.#saga.key(event);
    const before = this.#chains.get(key) ?? Promise.resolve();
    const chain = before.then(async () => {
      if (await this.#answer(event, signal)) answered();
      if (this.#chains.get(key) === chain) this.#chains.delete(key);
    });
    this.#chains.set(key, chain);
  }

  /** False when it was stopped before there was an answer. */
  async #answer(event: StoredEvent, signal: AbortSignal): Promise<boolean> {
    for (let failures = 0, waits = 0; !signal.aborted; ) {
      try {
        await this.#turns.take(() => this.#saga.react(event, this.#reaction(event, failures, signal)));
        // Ended after the signal, it may have ended because of it: then it is rather answered twice than not at all.
        return !signal.aborted;
      } catch (error) {
        if (error instanceof TryAgainLater) {
          await this.#pause(error.afterMs, signal);
          continue;
        }
        const verdict = verdictOn(error, this.#saga.retry, { failures, waits });
        // Of what is away for long, it is told once an event.
        const isNews = verdict.is !== 'wait' || (waits === 0 && !isAway(error));
        if (isNews && !signal.aborted) this.#options.onFailure(this.#saga.name, error);
        if (verdict.is === 'given-up') return this.#abandon(event, failures + 1, error, signal);
        if (verdict.is === 'failure') failures++;
        else if (!isAway(error)) waits++;
        await this.#pause(verdict.pauseMs, signal);
      }
    }
    return false;
  }

  #reaction(event: StoredEvent, failures: number, signal: AbortSignal): Reaction {
    return {
      failures,
      signal,
      run: (command, input, { step = command.name, userId = event.userId ?? '' } = {}) =>
        this.#options.runner.run(command, input, {
          userId,
          correlationId: event.correlationId,
          causationId: event.id,
          commandId: `${this.#saga.name}:${event.id}:${step}`,
        }),
    };
  }

  /** Said for as long as it takes: an event that is neither answered nor given up would hold up its key. */
  async #abandon(
    event: StoredEvent,
    attempts: number,
    error: unknown,
    signal: AbortSignal,
  ): Promise<boolean> {
    const code = isHarkError(error) ? error.code : 'INTERNAL';
    const input = { saga: this.#saga.name, position: event.position, attempts, code };
    while (!signal.aborted) {
      try {
        await this.#reaction(event, attempts, signal).run(abandonWork, input);
        return true;
      } catch {
        await this.#pause(SAID_AGAIN_MS, signal);
      }
    }
    return false;
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}
