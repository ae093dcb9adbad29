import { setTimeout as wait } from 'node:timers/promises';
import type { CommandRunner } from '../commands/runner.ts';
import { abandonWork } from '../commands/system/abandonWork.ts';
import { isHarkError } from '../errors.ts';
import type { Cursor, Store } from '../store/port.ts';
import type { StoredEvent } from '../store/storedEvent.ts';
import { Progress } from './progress.ts';
import { type Reaction, type Saga, TryAgainLater } from './saga.ts';

const MOST_TRIES = 5;
const FIRST_PAUSE_MS = 100;
const MOST_AT_ONCE = 32;

/**
 * One saga at work while its process holds the lease: follows the log from the saga's cursor, answers each
 * event in its key's order, and moves the cursor past what is answered. Ends when another process moved the
 * cursor, when the signal says so, or when the store is away; then nothing is lost, only done again.
 */
export class SagaWorker {
  readonly #saga: Saga;
  readonly #store: Store;
  readonly #runner: CommandRunner;
  readonly #firstPauseMs: number;
  readonly #chains = new Map<string, Promise<void>>();

  constructor(saga: Saga, store: Store, runner: CommandRunner, firstPauseMs = FIRST_PAUSE_MS) {
    this.#saga = saga;
    this.#store = store;
    this.#runner = runner;
    this.#firstPauseMs = firstPauseMs;
  }

  async work(signal: AbortSignal): Promise<void> {
    let cursor = await this.#cursor();
    const progress = new Progress(cursor.position);
    const range = { after: cursor.position, types: new Set(this.#saga.handles) };
    let moving = Promise.resolve();
    const stopped = new AbortController();
    const until = AbortSignal.any([signal, stopped.signal]);
    // One move at a time; whoever finds that the cursor is no longer ours stops the work.
    const moveCursor = () => {
      moving = moving.then(async () => {
        if (until.aborted || progress.done <= cursor.position) return;
        const moved = await this.#store
          .moveCursor(this.#saga.name, cursor, progress.done)
          .catch(() => undefined);
        if (moved) cursor = moved;
        else stopped.abort();
      });
      return moving;
    };
    for await (const { events, position } of this.#store.follow(range, until)) {
      for (const event of events) {
        while (progress.openCount >= MOST_AT_ONCE) await Promise.race(this.#chains.values());
        progress.begin(event.position);
        this.#enqueue(event, until, () => {
          if (until.aborted) return;
          progress.end(event.position);
          void moveCursor();
        });
      }
      progress.readTo(position);
      void moveCursor();
    }
    await Promise.all(this.#chains.values());
    await moving;
  }

  /** A saga that is new to this log starts at its end: what is past was past before the saga was there. */
  async #cursor(): Promise<Cursor> {
    const cursor = await this.#store.readCursor(this.#saga.name);
    if (cursor.token > 0) return cursor;
    const moved = await this.#store.moveCursor(this.#saga.name, cursor, await this.#store.head());
    return moved ?? this.#store.readCursor(this.#saga.name);
  }

  #enqueue(event: StoredEvent, signal: AbortSignal, done: () => void): void {
    const key = this.#saga.key(event);
    const before = this.#chains.get(key) ?? Promise.resolve();
    const chain = before
      .then(() => this.#answer(event, signal))
      .then(done)
      .finally(() => {
        if (this.#chains.get(key) === chain) this.#chains.delete(key);
      });
    this.#chains.set(key, chain);
  }

  async #answer(event: StoredEvent, signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      try {
        return await this.#saga.react(event, this.#reaction(event, failures, signal));
      } catch (error) {
        if (isAway(error)) await pause(this.#firstPauseMs * 10, signal);
        else if (error instanceof TryAgainLater) await pause(error.afterMs, signal);
        else if (++failures === MOST_TRIES) return await this.#abandon(event, failures, error);
        else await pause(this.#firstPauseMs * 2 ** (failures - 1), signal);
      }
    }
  }

  #reaction(event: StoredEvent, failures: number, signal: AbortSignal): Reaction {
    return {
      failures,
      signal,
      run: (command, input, step = command.name) =>
        this.#runner.run(command, input, {
          userId: event.userId ?? '',
          correlationId: event.correlationId,
          causationId: event.id,
          commandId: `${this.#saga.name}:${event.id}:${step}`,
        }),
    };
  }

  async #abandon(event: StoredEvent, attempts: number, error: unknown): Promise<void> {
    const code = isHarkError(error) ? error.code : 'INTERNAL';
    const input = { saga: this.#saga.name, position: event.position, attempts, code };
    await this.#reaction(event, attempts, AbortSignal.abort()).run(abandonWork, input);
  }
}

function isAway(error: unknown): boolean {
  return isHarkError(error, 'KVSTORE_UNAVAILABLE', 'STORAGE_FULL');
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}
