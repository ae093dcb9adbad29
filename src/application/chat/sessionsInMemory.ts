import { randomUUID } from 'node:crypto';
import type { Clock, Wake } from '../../clock.ts';
import { StoreCommandRunner } from '../../commands/runner.ts';
import { readChatEvent } from '../../events/chat.ts';
import { receivedAs } from '../../events/turns.ts';
import { openSessions } from '../../projections/chat/openSessions.ts';
import { ProjectionRuntime } from '../../projections/runtime.ts';
import type { EventReader, EventWriter } from '../../store/port.ts';
import type { ChatContext } from './sessions.ts';

interface Options {
  readonly clock: Clock;
  readonly wake: Wake;
  /** One with nothing in it, that ends with the process. */
  readonly openLog: () => Promise<ChatContext['store']>;
  readonly isIdle: () => boolean;
}

/** Beyond this, a log in memory is begun anew with what still goes on. */
const MOST_EVENTS_IN_MEMORY = 1_000;
const TIDY_EVERY_MS = 60_000;

/** Sessions where there is no log to keep them in: what is over does not stay. */
export class SessionsInMemory {
  readonly #options: Options;
  #cancelWake: () => void = () => {};
  #tidying: Promise<void> = Promise.resolve();
  #current: ChatContext;

  private constructor(options: Options, current: ChatContext) {
    this.#options = options;
    this.#current = current;
    this.#tidyLater();
  }

  static async start(options: Options): Promise<SessionsInMemory> {
    return new SessionsInMemory(options, await emptyContext(options));
  }

  get current(): ChatContext {
    return this.#current;
  }

  async stop(): Promise<void> {
    this.#cancelWake();
    await this.#tidying;
  }

  #tidyLater(): void {
    const { clock, wake } = this.#options;
    this.#cancelWake = wake(clock() + TIDY_EVERY_MS, () => {
      this.#tidying = this.#tidy();
      this.#tidyLater();
    });
  }

  async #tidy(): Promise<void> {
    const { isIdle } = this.#options;
    const { store, views } = this.#current;
    const { delivered } = store;
    if (delivered <= MOST_EVENTS_IN_MEMORY || !isIdle()) return;
    const fresh = await emptyContext(this.#options);
    for (const stream of Object.keys(views.view(openSessions).byStream))
      await copy(stream, store, fresh.store);
    // Whatever began meanwhile is in the old log.
    if (isIdle() && store.delivered === delivered) this.#current = fresh;
  }
}

async function emptyContext({ clock, openLog }: Options): Promise<ChatContext> {
  const store = await openLog();
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
