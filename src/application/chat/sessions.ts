import type { CommandRunner } from '../../commands/runner.ts';
import { readTurnEnding } from '../../events/turnEndings.ts';
import { StreamStates } from '../../folds/streamStates.ts';
import { type Conversation, conversation } from '../../projections/chat/conversation.ts';
import { type OpenSession, openSessions } from '../../projections/chat/openSessions.ts';
import type { Views } from '../../projections/runtime.ts';
import type { EventLog, Position, Snapshots } from '../../store/port.ts';
import { Journal } from './journal.ts';
import type { RecordedEnding } from './turnState.ts';

/** Conversations with their text; what is not used for long is read again when it is. */
const MOST_CONVERSATIONS = 500;

/** The log that sessions are kept in: the service's, or one in memory where that is all there is. */
export interface ChatContext {
  readonly store: EventLog & Snapshots;
  readonly runner: CommandRunner;
  readonly views: Views;
  /** Names this process among those that share the log. */
  readonly instanceId: string;
}

interface SessionsOptions {
  readonly onFailure: (what: string, error: unknown) => void;
  readonly closing: AbortSignal;
}

/** What is known of the sessions in one log, what is written to them, and who waits for a word from them. */
export class Sessions {
  readonly #context: ChatContext;
  readonly #options: SessionsOptions;
  readonly #conversations: StreamStates;
  readonly #loading = new Map<string, Promise<Conversation>>();
  readonly #journals = new Map<string, Journal>();
  /** By stream. */
  readonly #waiting = new Map<string, Set<() => void>>();
  /** How often another log took the place of this one. */
  #replacements = 0;

  constructor(context: ChatContext, options: SessionsOptions) {
    this.#context = context;
    this.#options = options;
    this.#conversations = new StreamStates(context.store, { mostHeld: MOST_CONVERSATIONS });
    context.store.onAppended((events) => {
      if (this.#waiting.size > 0) for (const { stream } of events) this.#tell(stream);
    });
    context.store.onReplaced(() => {
      this.#replacements++;
      for (const stream of Array.from(this.#waiting.keys())) this.#tell(stream);
    });
  }

  open(stream: string): OpenSession | undefined {
    return this.#context.views.view(openSessions).byStream[stream];
  }

  /** As it is now. */
  async conversation(stream: string, userId: string): Promise<Conversation> {
    // One that is being loaded is shared: what is held of it by now is not all of it.
    const loading =
      this.#loading.get(stream) ??
      this.#conversations
        .get(conversation, stream, userId)
        .then(({ state }) => state)
        .finally(() => this.#loading.delete(stream));
    this.#loading.set(stream, loading);
    return loading;
  }

  /**
   * Before something is said where no conversation goes on: nothing is to be read of what begins. Where the stream
   * holds more than that, as conversations that have ended, what comes does not follow on nothing, and it is read.
   */
  expectNew(stream: string, userId: string): void {
    if (!this.open(stream)) this.#conversations.presumeNew(conversation, stream, userId);
  }

  /** Where what comes of its turns is written down. */
  journal(stream: string): Journal {
    const open = this.#journals.get(stream);
    if (open) return open;
    const { onFailure, closing } = this.#options;
    const onIdle = () => void this.#journals.delete(stream);
    const journal = new Journal({ runner: this.#context.runner, onFailure, closing, onIdle });
    this.#journals.set(stream, journal);
    return journal;
  }

  /** Resolves when all that was written to it so far is in the log; undefined when it is. */
  unsettled(stream: string): Promise<void> | undefined {
    const journal = this.#journals.get(stream);
    return journal?.isAway ? journal.settled() : undefined;
  }

  /**
   * For a turn that was received at `since`, in the log as it is now: resolves when all turns before it are over;
   * false when it is over itself, or lost with its log.
   */
  queued(stream: string, turnId: string, since: Position): (signal: AbortSignal) => Promise<boolean> {
    const replacements = this.#replacements;
    return async (signal) => {
      while (!signal.aborted && replacements === this.#replacements) {
        const open = this.open(stream)?.open ?? [];
        if (open[0]?.turnId === turnId) return true;
        const isHere = this.#context.store.delivered >= since;
        if (isHere && !open.some((turn) => turn.turnId === turnId)) return false;
        await this.#change(stream, signal);
      }
      return false;
    };
  }

  /** How the log says that a turn ended; nothing where it does not, or is away. */
  async endingOf(stream: string, turnId: string): Promise<RecordedEnding | undefined> {
    try {
      for await (const events of this.#context.store.readStream(stream)) {
        for (const stored of events) {
          const event = readTurnEnding(stored);
          if (event?.data.turnId === turnId) return { event, at: stored.at };
        }
      }
    } catch (error) {
      this.#options.onFailure('chat turn', error);
    }
    return undefined;
  }

  async #change(stream: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(stream) ?? new Set();
    this.#waiting.set(stream, waiting.add(resolve));
    const wake = () => resolve();
    signal.addEventListener('abort', wake, { once: true });
    await promise;
    signal.removeEventListener('abort', wake);
    waiting.delete(resolve);
    if (waiting.size === 0 && this.#waiting.get(stream) === waiting) this.#waiting.delete(stream);
  }

  #tell(stream: string): void {
    const waiting = this.#waiting.get(stream);
    this.#waiting.delete(stream);
    for (const look of waiting ?? []) look();
  }
}
