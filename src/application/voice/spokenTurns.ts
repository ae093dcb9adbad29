import { isHarkError } from '../../errors.ts';
import type { VoiceOptions } from './conversation.ts';
import { phrasesIn } from './phrases.ts';
import type { SessionEffect, SessionInput, VoiceQuestion } from './sessionState.ts';
import { endingOf, requestOf } from './voiceTurn.ts';
import type { BegunTurn, VoiceTurns } from './voiceTurns.ts';

interface Whose {
  readonly userId: string;
  readonly sessionId: string;
  readonly correlationId: string;
}

interface SpokenTurnsOptions {
  readonly turns: VoiceTurns;
  /** For whom something is done now. */
  readonly whose: () => Whose;
  readonly options: () => VoiceOptions;
  /** Whether a word is said while tools work. */
  readonly fills: () => boolean;
  /** Whether this response is still wanted. */
  readonly isWanted: (responseId: string) => boolean;
  /** One after the other: a turn follows on what was heard of the one before. */
  readonly write: (write: () => Promise<unknown>) => void;
  readonly put: (input: SessionInput) => void;
  /** The first words of an answer are there. */
  readonly onText: () => void;
  readonly keepSaid: () => Promise<void>;
  readonly onFailure: (what: string, error: unknown) => void;
}

const MOST_TURNS = 32;

/** The turns of chat behind the responses of a session: they are begun, listened to, and settled by what was heard. */
export class SpokenTurns {
  readonly #options: SpokenTurnsOptions;
  /** By response. */
  readonly #turns = new Map<string, Promise<BegunTurn | undefined>>();

  constructor(options: SpokenTurnsOptions) {
    this.#options = options;
  }

  ask(responseId: string, question: VoiceQuestion): void {
    const { turns, whose, options, isWanted, write, keepSaid, onFailure } = this.#options;
    const begun = Promise.withResolvers<BegunTurn | undefined>();
    this.#turns.set(responseId, begun.promise);
    for (const oldest of this.#turns.keys()) {
      if (this.#turns.size <= MOST_TURNS) break;
      this.#turns.delete(oldest);
    }
    const [deviceId] = question.devices;
    const request = { ...requestOf(question, options()), ...whose(), deviceId };
    write(async () => {
      if (!isWanted(responseId)) return begun.resolve(undefined);
      try {
        const handle = await turns.begin(request);
        begun.resolve(handle);
        write(keepSaid);
        void this.#listen(responseId, handle).catch((error: unknown) => {
          onFailure('voice turn', error);
          this.#fail(responseId, 'INTERNAL');
        });
      } catch (error) {
        begun.resolve(undefined);
        if (!isHarkError(error)) onFailure('voice turn', error);
        const reason = isHarkError(error) ? error.code : 'INTERNAL';
        this.#fail(responseId, reason);
      }
    });
  }

  async settle({
    responseId,
    turnOf,
    cancels,
    characters,
  }: Extract<SessionEffect, { type: 'settle' }>): Promise<void> {
    const { turns, whose, keepSaid, put } = this.#options;
    try {
      const handle = await this.#turns.get(turnOf);
      if (handle && cancels) await turns.cancel(whose(), handle.turnId);
      if (handle) await handle.ended;
      await keepSaid();
      if (characters !== null) await this.heard(turnOf, characters, true);
    } finally {
      // Also where none of that can be written: else nothing would be said in this session any more.
      put({ type: 'settled', responseId });
    }
  }

  async heard(turnOf: string, characters: number, isLast: boolean): Promise<void> {
    const handle = await this.#turns.get(turnOf);
    if (!handle) return;
    const whose = this.#options.whose();
    const { sessionId } = whose;
    await this.#options.turns.heard(whose, { sessionId, turnId: handle.turnId, characters, isLast });
  }

  async #listen(responseId: string, { transcript, ended }: BegunTurn): Promise<void> {
    const { options, fills, put, onText } = this.#options;
    const over = new AbortController();
    const { moment } = phrasesIn(options().language);
    for await (const signals of transcript.read(undefined, over.signal))
      for (const { signal } of signals) {
        if (signal.type === 'content') {
          onText();
          put({ type: 'text', responseId, text: signal.content ?? '' });
        } else if (signal.type === 'tool_start')
          put({ type: 'working', responseId, filler: fills() ? moment : undefined });
      }
    const ending = endingOf(await ended);
    if (ending.status === 'failed') this.#fail(responseId, ending.reason);
    else put({ type: 'written', responseId, ...ending });
  }

  #fail(responseId: string, reason: string | undefined): void {
    const { options, put } = this.#options;
    const { sorry } = phrasesIn(options().language);
    put({ type: 'written', responseId, status: 'failed', reason, calls: [], sorry });
  }
}
