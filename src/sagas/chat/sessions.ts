import type { CommandRunner } from '../../commands/runner.ts';
import { StreamStates } from '../../commands/streamStates.ts';
import { type Conversation, conversation } from '../../projections/chat/conversation.ts';
import { type OpenSession, openSessions, turnEndings } from '../../projections/chat/openSessions.ts';
import type { Views } from '../../projections/runtime.ts';
import type { Store } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';

/** Conversations with their text; what is not used for long is read again when it is. */
const MOST_CONVERSATIONS = 500;

/** The log that sessions are kept in: the service's, or one in memory where that is all there is. */
export interface ChatBacking {
  readonly store: Store;
  readonly runner: CommandRunner;
  readonly views: Views;
  /** Names this process among those that share the log. */
  readonly instanceId: string;
}

/** What is known of the sessions in one log, and who waits for a word from them. */
export class Sessions {
  readonly #backing: ChatBacking;
  readonly #conversations: StreamStates;
  /** By stream. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(backing: ChatBacking, onEnding: (event: StoredEvent) => void) {
    this.#backing = backing;
    this.#conversations = new StreamStates(backing.store, MOST_CONVERSATIONS);
    backing.store.onAppended((events) => {
      for (const event of events) {
        if (!turnEndings.includes(event.type)) continue;
        onEnding(event);
        this.#tell(event.stream);
      }
    });
  }

  open(stream: string): OpenSession | undefined {
    return this.#backing.views.view(openSessions).byStream[stream];
  }

  /** As it is now. */
  async conversation(stream: string, userId: string): Promise<Conversation> {
    return (await this.#conversations.get(conversation, stream, userId)).state;
  }

  /** Resolves when all turns before this one are over; false when it is over itself. */
  async isNext(stream: string, turnId: string, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      const open = this.open(stream)?.open ?? [];
      if (open[0]?.turnId === turnId) return true;
      if (!open.some((turn) => turn.turnId === turnId)) return false;
      await this.#change(stream, signal);
    }
    return false;
  }

  async #change(stream: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(stream, [...(this.#waiting.get(stream) ?? []), resolve]);
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
  }

  #tell(stream: string): void {
    const waiting = this.#waiting.get(stream) ?? [];
    this.#waiting.delete(stream);
    for (const look of waiting) look();
  }
}
