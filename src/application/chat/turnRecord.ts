import type { Clock } from '../../clock.ts';
import { isHarkError } from '../../errors.ts';
import type { ChatEvent } from '../../events/chat.ts';
import { fairShare, hasTime } from '../../fairShare.ts';
import { continueExchange, type Exchange } from '../../projections/chat/exchange.ts';
import type { RecordedEnding } from './sessions.ts';
import { Transcript } from './transcript.ts';

export interface TurnRecordOptions {
  readonly exchange: Exchange;
  /** Resolves when it is written down, or will be when the log is back. Rejects when the turn is over. */
  readonly write: (events: readonly ChatEvent[]) => Promise<unknown>;
  /** How the log says that the turn ended. */
  readonly recordedEnding: () => Promise<RecordedEnding | undefined>;
  readonly clock: Clock;
  readonly onFailure: (what: string, error: unknown) => void;
}

/**
 * What is known of a turn: each thing that happens is written down and then told. It ends once, whoever ends it:
 * the log takes one ending, and that is what is told.
 */
export class TurnRecord {
  readonly transcript = new Transcript();
  readonly #options: TurnRecordOptions;
  readonly #ended = Promise.withResolvers<Exchange>();
  #exchange: Exchange;
  #isFinishing = false;
  /** How it ended, as the log has it. */
  #ending: RecordedEnding | undefined;

  constructor(options: TurnRecordOptions) {
    this.#options = options;
    this.#exchange = options.exchange;
  }

  /** What it was when it was over. */
  get ended(): Promise<Exchange> {
    return this.#ended.promise;
  }

  get exchange(): Exchange {
    return this.#exchange;
  }

  get isOver(): boolean {
    return this.#exchange.end !== null;
  }

  async add(events: readonly ChatEvent[]): Promise<void> {
    await this.#options.write(events);
    const at = this.#options.clock();
    for (const event of events) this.#exchange = continueExchange(this.#exchange, event, at);
  }

  /** Writes down the last of it. What cannot be written for good is told all the same. */
  async finish(event: ChatEvent): Promise<void> {
    this.#isFinishing = true;
    try {
      await this.#options.write([event]);
      if (!hasTime()) await fairShare();
    } catch (error) {
      if (isHarkError(error, 'TURN_OVER')) return this.endAsRecorded(event);
      this.#options.onFailure('chat turn', error);
    }
    // It may have been kept as cancelled: of what was forgotten nothing is.
    this.#end(this.#ending?.event ?? event, this.#ending?.at ?? this.#options.clock());
  }

  /** Somebody else ended it, and the log knows how; unless it was lost, and knows nothing of the turn. */
  async endAsRecorded(otherwise: ChatEvent): Promise<void> {
    this.#isFinishing = true;
    const recorded = this.#ending ?? (await this.#options.recordedEnding());
    this.#end(recorded?.event ?? otherwise, recorded?.at ?? this.#options.clock());
  }

  /** Somebody ended it, and it is written down already. Says whether it is news that it is over. */
  endedElsewhere(event: ChatEvent, at: number): boolean {
    this.#ending = { event, at };
    if (this.#isFinishing || this.isOver) return false;
    this.#end(event, at);
    return true;
  }

  #end(event: ChatEvent, at: number): void {
    if (this.isOver) return;
    this.#exchange = continueExchange(this.#exchange, event, at);
    if (this.#exchange.end) this.transcript.end(this.#exchange, this.#exchange.end);
    this.#ended.resolve(this.#exchange);
  }
}
