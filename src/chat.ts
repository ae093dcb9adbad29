import { randomUUID } from 'node:crypto';
import type { Clock, Wake } from './clock.ts';
import { StoreCommandRunner } from './commands/runner.ts';
import { eventCatalog } from './events/catalog.ts';
import { readChatEvent, receivedAs } from './events/chat.ts';
import type { ModelRef } from './events/providers.ts';
import type { Kvstore } from './interfaces/kvstore.ts';
import type { AnyOperation } from './interfaces/operation.ts';
import { chatOperations } from './interfaces/operations/chat.ts';
import { openAiOperations } from './interfaces/operations/openai.ts';
import type { RuntimeSettings } from './interfaces/runtimeSettings.ts';
import { openSessions } from './projections/chat/openSessions.ts';
import { catalogs } from './projections/providers/catalogs.ts';
import { ProjectionRuntime } from './projections/runtime.ts';
import { briefingMaker, type Condense, type Recall } from './sagas/chat/briefing.ts';
import { condense } from './sagas/chat/condense.ts';
import { IdleSessions } from './sagas/chat/idleSessions.ts';
import type { IntentRouter } from './sagas/chat/intentRouter.ts';
import { interruptTurns } from './sagas/chat/interruptTurns.ts';
import { contextOf } from './sagas/chat/pastTurns.ts';
import type { ChatBacking } from './sagas/chat/sessions.ts';
import { Turns } from './sagas/chat/turns.ts';
import type { Models } from './sagas/models.ts';
import type { Saga } from './sagas/saga.ts';
import { Log } from './store/log.ts';
import { MemoryAdapter } from './store/memory/adapter.ts';
import type { Store } from './store/port.ts';
import type { Tools } from './tools.ts';
import type { SlotName } from './vocabulary.ts';

interface ChatOptions {
  readonly settings: Pick<RuntimeSettings, 'number'>;
  readonly kvstore: Kvstore;
  readonly router: Models;
  readonly intents: Pick<IntentRouter, 'route'>;
  readonly recall: Recall;
  readonly tools: Pick<Tools, 'selector' | 'tokenizer'>;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** The wiring of everything about chat. */
export class Chat {
  readonly #kvstore: Kvstore;
  readonly #idle: IdleSessions;
  readonly #times: Pick<ChatOptions, 'clock' | 'wake'>;
  readonly #models: Models;
  /** Where sessions are kept when there is no log. */
  #inMemory: SessionsInMemory | undefined;
  readonly turns: Turns;

  constructor(options: ChatOptions) {
    const { kvstore, settings, router, intents, tools, clock, wake, onFailure } = options;
    this.#kvstore = kvstore;
    this.#times = { clock, wake };
    this.#models = router;
    const backing = () => this.#backing();
    this.turns = new Turns({
      backing,
      router,
      briefing: briefingMaker({
        clock,
        tools: tools.selector,
        intents,
        models: router,
        condense: condenser(options),
        recall: recaller(options),
      }),
      clock,
      newId: randomUUID,
      mostSteps: () => settings.number('agentMaxSteps'),
      onFailure,
    });
    const idleMs = () => settings.number('sessionIdleMinutes') * 60_000;
    this.#idle = new IdleSessions({ backing, idleMs, clock, wake, onFailure });
  }

  sagas(): readonly Saga[] {
    return [interruptTurns(() => this.#backing().views)];
  }

  operations(): readonly AnyOperation[] {
    const { turns } = this;
    const seesImages = (slot: SlotName) => this.#models.seesImages(slot);
    return [
      ...chatOperations({
        turns,
        runner: () => this.#backing().runner,
        seesImages: () => seesImages('chat'),
      }),
      ...openAiOperations({ turns, clock: this.#times.clock, seesImages }),
    ];
  }

  /** To be called before anything is asked. */
  async start(): Promise<void> {
    this.#inMemory = await SessionsInMemory.start(this.#times, () => this.turns.isIdle);
    this.#idle.start();
  }

  async stop(): Promise<void> {
    await this.#idle.stop();
    await this.turns.stop();
    await this.#inMemory?.stop();
  }

  #backing(): ChatBacking {
    const backing = this.#kvstore.current ?? this.#inMemory?.current;
    if (!backing) throw new TypeError('Chat was not started');
    return backing;
  }
}

/** Beyond this, a log in memory is begun anew with what still goes on. */
const MOST_EVENTS_IN_MEMORY = 1_000;
const TIDY_EVERY_MS = 60_000;

/** Sessions where there is no log to keep them in: what is over does not stay. */
class SessionsInMemory {
  readonly #clock: Clock;
  readonly #wake: Wake;
  readonly #isIdle: () => boolean;
  #callOff: () => void = () => {};
  #tidying: Promise<void> = Promise.resolve();
  #current: ChatBacking;

  private constructor(
    current: ChatBacking,
    { clock, wake }: Pick<ChatOptions, 'clock' | 'wake'>,
    isIdle: () => boolean,
  ) {
    this.#current = current;
    this.#clock = clock;
    this.#wake = wake;
    this.#isIdle = isIdle;
    this.#tidyLater();
  }

  static async start(
    options: Pick<ChatOptions, 'clock' | 'wake'>,
    isIdle: () => boolean,
  ): Promise<SessionsInMemory> {
    return new SessionsInMemory(await emptyBacking(options.clock), options, isIdle);
  }

  get current(): ChatBacking {
    return this.#current;
  }

  async stop(): Promise<void> {
    this.#callOff();
    await this.#tidying;
  }

  #tidyLater(): void {
    this.#callOff = this.#wake(this.#clock() + TIDY_EVERY_MS, () => {
      this.#tidying = this.#tidy();
      this.#tidyLater();
    });
  }

  async #tidy(): Promise<void> {
    const { store, views } = this.#current;
    const { delivered } = store;
    if (delivered <= MOST_EVENTS_IN_MEMORY || !this.#isIdle()) return;
    const fresh = await emptyBacking(this.#clock);
    for (const stream of Object.keys(views.view(openSessions).byStream))
      await copy(stream, store, fresh.store);
    // Whatever began meanwhile is in the old log.
    if (this.#isIdle() && store.delivered === delivered) this.#current = fresh;
  }
}

async function emptyBacking(clock: Clock): Promise<ChatBacking> {
  const store = await Log.open(new MemoryAdapter(), eventCatalog);
  const runner = new StoreCommandRunner({ store, clock, newId: randomUUID });
  const views = new ProjectionRuntime(store, [openSessions]);
  await views.start();
  return { store, runner, views, instanceId: randomUUID() };
}

/** With the ids by which its turns are found again. */
async function copy(stream: string, from: Store, to: Store): Promise<void> {
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

/** Conversations are summed up when they take too much of the model that is going to be asked. */
function condenser({ kvstore, settings, router: models, tools, onFailure }: ChatOptions): Condense {
  const lengthOf = ({ provider, model }: ModelRef) => {
    const listed = kvstore.current?.views.view(catalogs).byProvider[provider]?.models;
    return contextOf(provider, listed?.find(({ id }) => id === model)?.contextLength ?? null);
  };
  return async (conversation, model) => {
    if (!model) return undefined;
    const share = settings.number('chatSummaryShare');
    const parts = { models, tokens: tools.tokenizer, onFailure };
    return condense(parts, { ...conversation, contextLength: lengthOf(model), share });
  };
}

/** A turn is not worse off without memory than it would be had nothing been remembered. */
function recaller({ kvstore, recall, onFailure }: ChatOptions): Recall {
  return async (request) => {
    if (!kvstore.current) return { context: '', items: [] };
    return recall(request).catch((error) => {
      onFailure('recall', error);
      return { context: '', items: [] };
    });
  };
}
