import { randomUUID } from 'node:crypto';
import type { ChatContext } from '../application/chat/sessions.ts';
import type { Clock, Wake } from '../clock.ts';
import { StoreCommandRunner } from '../commands/runner.ts';
import { eventCatalog } from '../events/catalog.ts';
import { readChatEvent, receivedAs } from '../events/chat.ts';
import { openSessions } from '../projections/chat/openSessions.ts';
import { ProjectionRuntime } from '../projections/runtime.ts';
import { Log } from '../store/log.ts';
import { MemoryAdapter } from '../store/memory/adapter.ts';
import type { EventReader, EventWriter } from '../store/port.ts';

interface Times {
  readonly clock: Clock;
  readonly wake: Wake;
}

/** Beyond this, a log in memory is begun anew with what still goes on. */
const MOST_EVENTS_IN_MEMORY = 1_000;
const TIDY_EVERY_MS = 60_000;

/** Sessions where there is no log to keep them in: what is over does not stay. */
export class SessionsInMemory {
  readonly #clock: Clock;
  readonly #wake: Wake;
  readonly #isIdle: () => boolean;
  #cancelWake: () => void = () => {};
  #tidying: Promise<void> = Promise.resolve();
  #current: ChatContext;

  private constructor(current: ChatContext, { clock, wake }: Times, isIdle: () => boolean) {
    this.#current = current;
    this.#clock = clock;
    this.#wake = wake;
    this.#isIdle = isIdle;
    this.#tidyLater();
  }

  static async start(options: Times, isIdle: () => boolean): Promise<SessionsInMemory> {
    return new SessionsInMemory(await emptyContext(options.clock), options, isIdle);
  }

  get current(): ChatContext {
    return this.#current;
  }

  async stop(): Promise<void> {
    this.#cancelWake();
    await this.#tidying;
  }

  #tidyLater(): void {
    this.#cancelWake = this.#wake(this.#clock() + TIDY_EVERY_MS, () => {
      this.#tidying = this.#tidy();
      this.#tidyLater();
    });
  }

  async #tidy(): Promise<void> {
    const { store, views } = this.#current;
    const { delivered } = store;
    if (delivered <= MOST_EVENTS_IN_MEMORY || !this.#isIdle()) return;
    const fresh = await emptyContext(this.#clock);
    for (const stream of Object.keys(views.view(openSessions).byStream))
      await copy(stream, store, fresh.store);
    // Whatever began meanwhile is in the old log.
    if (this.#isIdle() && store.delivered === delivered) this.#current = fresh;
  }
}

async function emptyContext(clock: Clock): Promise<ChatContext> {
  const store = await Log.open(new MemoryAdapter(), eventCatalog);
  const runner = new StoreCommandRunner({ store, clock, newId: randomUUID });
  const views = new ProjectionRuntime(store, [openSessions]);
  await views.start();
  return { store, runner, views, instanceId: randomUUID() };
}

/** With the ids by which its turns are found again. */
async function copy(
  stream: string,
  from: EventWriter & EventReader,
  to: EventWriter & EventReader,
): Promise<void> {
  for await (const events of from.readStream(stream)) {
    for (const stored of events) {
      const { type, data, at, userId, correlationId, causationId } = stored;
      const event = readChatEvent(stored);
      const received = event?.type === 'chat.message.received' && userId !== null;
      const commandId = received ? { commandId: receivedAs(userId, event.data.turnId) } : {};
      const who = { at, userId, correlationId, causationId };
      await to.append({ stream, events: [{ type, data }], expected: 'any', ...who, ...commandId });
    }
  }
}
