import { randomUUID } from 'node:crypto';
import { actOnReminder } from '../application/chat/actOnReminder.ts';
import { actOnPrompt } from '../application/chat/askAgent.ts';
import {
  briefingMaker,
  type Heed,
  memoryIfThere,
  prepareTurn,
  type Recall,
} from '../application/chat/briefing.ts';
import { condenser } from '../application/chat/condense.ts';
import type { IntentRouter } from '../application/chat/intentRouter.ts';
import { PastSessions } from '../application/chat/pastSessions.ts';
import type { ChatContext } from '../application/chat/sessions.ts';
import { SessionsInMemory } from '../application/chat/sessionsInMemory.ts';
import { endToForget } from '../application/chat/sessionToForget.ts';
import { Turns } from '../application/chat/turns.ts';
import { forgetWhatWasErased } from '../application/entities/forgetting.ts';
import type { Models } from '../application/models.ts';
import type { HabitsOf } from '../application/timeHabits.ts';
import type { Grace } from '../application/timeout.ts';
import type { TopicActor } from '../application/topicActors.ts';
import type { Clock, Wake } from '../clock.ts';
import { keepAudioKey } from '../commands/chat/afterwards.ts';
import { remind } from '../commands/chat/remind.ts';
import { endSession } from '../commands/chat/turns.ts';
import { eraseConversations } from '../commands/memory/forgetting.ts';
import type { CommandContext } from '../commands/runner.ts';
import { audioKept, chatStream } from '../events/chat.ts';
import { isEvent } from '../events/definition.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import { type AnyOperation, id } from '../interfaces/operation.ts';
import { chatOperations } from '../interfaces/operations/chat.ts';
import { chatConversationOperations } from '../interfaces/operations/chatConversation.ts';
import { chatSessionOperations } from '../interfaces/operations/chatSessions.ts';
import { chatText } from '../interfaces/operations/chatShapes.ts';
import { embeddingOperations } from '../interfaces/operations/embeddings.ts';
import { openAiOperations } from '../interfaces/operations/openai.ts';
import { responseOperations } from '../interfaces/operations/responses.ts';
import type { RuntimeSettings } from '../interfaces/runtimeSettings.ts';
import { openSessions } from '../projections/chat/openSessions.ts';
import { interruptTurns } from '../sagas/chat/interruptTurns.ts';
import type { AnySaga, TimedSaga } from '../sagas/saga.ts';
import { openLogInMemory } from '../store/memory/log.ts';
import type { SlotName } from '../vocabulary.ts';
import type { Tools } from './tools.ts';

interface ChatOptions {
  readonly settings: Pick<RuntimeSettings, 'number' | 'value'>;
  readonly kvstore: Kvstore;
  readonly router: Models;
  readonly intents: Pick<IntentRouter, 'route' | 'prepare'>;
  readonly recall: Recall;
  readonly habitsOf: HabitsOf;
  readonly heed: Heed;
  readonly tools: Pick<Tools, 'selector' | 'tokenizer'>;
  /** Before a session ends: what of a spoken reply was heard is written down first. True of one by voice. */
  readonly leaveVoice: (userId: string, sessionId: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly onFailure: (what: string, error: unknown, correlationId?: string) => void;
}

/** The wiring of everything about chat. */
export class Chat {
  readonly #kvstore: Kvstore;
  readonly #times: Pick<ChatOptions, 'clock' | 'wake'>;
  readonly #models: Models;
  readonly #settings: ChatOptions['settings'];
  readonly #leaveVoice: ChatOptions['leaveVoice'];
  readonly #countTokens: (texts: readonly string[], owner: string) => Promise<readonly number[]>;
  readonly #prepare: (asked: Parameters<typeof prepareTurn>[1]) => Promise<void>;
  /** Where sessions are kept when there is no log. */
  #inMemory: SessionsInMemory | undefined;
  readonly turns: Turns;

  constructor(options: ChatOptions) {
    const { kvstore, settings, router, intents, tools, clock, wake, onFailure } = options;
    this.#kvstore = kvstore;
    this.#times = { clock, wake };
    this.#models = router;
    const context = () => this.#context();
    const memory = memoryIfThere({ ...options, context: kvstore });
    this.#prepare = (asked) => prepareTurn({ ...memory, intents }, asked);
    this.turns = new Turns({
      context,
      router,
      briefing: briefingMaker({
        clock,
        tools: tools.selector,
        intents,
        models: router,
        condense: condenser({
          models: router,
          tokens: tools.tokenizer,
          onFailure,
          context: kvstore,
          share: () => settings.number('chatSummaryShare'),
        }),
        ...memory,
        habitsOf: options.habitsOf,
      }),
      clock,
      newId: randomUUID,
      mostSteps: () => settings.number('agentMaxSteps'),
      onFailure,
    });
    this.#settings = settings;
    this.#leaveVoice = options.leaveVoice;
    this.#countTokens = (texts, owner) => tools.tokenizer.count(texts, owner);
  }

  async sagas(): Promise<readonly AnySaga[]> {
    const context = () => this.#kvstore.connected();
    return [interruptTurns(() => context().views), await this.#endIdleSessions(context)];
  }

  /** Of the sessions that no log keeps. */
  async processSagas(): Promise<readonly TimedSaga[]> {
    return [await this.#endIdleSessions(() => this.#sessionsInMemory())];
  }

  async #endIdleSessions(context: () => Pick<ChatContext, 'runner' | 'views'>): Promise<TimedSaga> {
    const { endIdleSessions } = await import('../sagas/chat/idleSessions.ts');
    return endIdleSessions({
      sessions: () => Object.values(context().views.view(openSessions).byStream),
      runner: () => context().runner,
      idleMs: () => this.#settings.number('sessionIdleMinutes') * 60_000,
    });
  }

  actors(): readonly TopicActor[] {
    const prompt = actOnPrompt(this.turns, { text: chatText(), sessionId: id() });
    return [prompt, actOnReminder(() => this.#kvstore.connected(), chatText())];
  }

  operations(): readonly AnyOperation[] {
    const { turns } = this;
    const store = () => this.#context().store;
    const seesImages = (slot: SlotName) => this.#models.seesImages(slot);
    const takesAnyModel = () => this.#settings.value('v1AnyModel') === true;
    const dependencies = { turns, clock: this.#times.clock, seesImages, takesAnyModel };
    return [
      ...chatOperations({ turns, seesImages: () => seesImages('chat') }),
      ...chatConversationOperations({
        turns,
        runner: () => this.#context().runner,
        forgetSession: (asked) => this.#forget(asked),
        leaveVoice: this.#leaveVoice,
      }),
      ...chatSessionOperations({ turns, sessions: new PastSessions(store), store }),
      ...openAiOperations(dependencies),
      ...responseOperations({ ...dependencies, runner: () => this.#context().runner }),
      ...embeddingOperations({ ...dependencies, models: this.#models, countTokens: this.#countTokens }),
    ];
  }

  /** Whether the session goes on. */
  isOpen(userId: string, sessionId: string): boolean {
    const stream = chatStream(userId, { sessionId, turnId: '' });
    return this.#context().views.view(openSessions).byStream[stream] !== undefined;
  }

  /** Where nothing was said in it, there is nothing to end. */
  async endSession(whose: CommandContext, sessionId: string): Promise<void> {
    if (this.isOpen(whose.userId, sessionId))
      await this.#context().runner.run(endSession, { sessionId }, whose);
  }

  /** The key of a file with what was said in the session; gives its conversation, where one goes on. */
  async keepAudioKey(
    { sessionId, ...whose }: CommandContext & { readonly sessionId: string },
    audio: Omit<Parameters<typeof keepAudioKey.decide>[1], 'sessionId'>,
  ): Promise<string | undefined> {
    const { appended } = await this.#context().runner.run(keepAudioKey, { ...audio, sessionId }, whose);
    return appended.flatMap((event) => (isEvent(event, audioKept) ? event.data.conversationId : []))[0];
  }

  /** What a turn with this text would ask, asked ahead: no turn has to come. It never rejects. */
  prepareTurn(userId: string, text: string): Promise<void> {
    return this.#prepare({ userId, text });
  }

  /** What the assistant said elsewhere, into the session. */
  async note(
    { sessionId, ...whose }: CommandContext & { readonly sessionId: string },
    text: string,
  ): Promise<void> {
    const { runner, instanceId } = this.#context();
    const turnId = randomUUID();
    const from = { platform: 'voice', origin: 'import', source: 'voice' } as const;
    await runner.run(remind, { turnId, sessionId, ...from, text, instanceId }, whose);
  }

  /** To be called before anything is asked. */
  async start(): Promise<void> {
    this.#inMemory = await SessionsInMemory.start({
      ...this.#times,
      openLog: openLogInMemory,
      isIdle: () => this.turns.isIdle,
    });
  }

  async stop(grace: Grace): Promise<void> {
    await this.turns.stop(grace);
    await this.#inMemory?.stop();
  }

  /** With what memory drew from it alone, wherever it is kept. */
  async #forget({ sessionId, ...who }: Parameters<typeof endToForget>[1]): Promise<void> {
    const context = this.#context();
    const said = await endToForget(context, { sessionId, ...who });
    const { version } = await context.runner.run(eraseConversations, said, who);
    await forgetWhatWasErased(context, { ...who, version });
  }

  #context(): ChatContext {
    return this.#kvstore.current ?? this.#sessionsInMemory();
  }

  #sessionsInMemory(): ChatContext {
    if (!this.#inMemory) throw new TypeError('Chat was not started');
    return this.#inMemory.current;
  }
}
