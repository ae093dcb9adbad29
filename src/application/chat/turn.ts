import type { Clock } from '../../clock.ts';
import { isHarkError } from '../../errors.ts';
import type { ChatEvent, TurnPlace } from '../../events/chat.ts';
import { turnErrorCodes } from '../../events/turnEndings.ts';
import { fairShare, hasTime } from '../../fairShare.ts';
import type { ModelMessage, ToolCall } from '../../gateways/models/gateway.ts';
import type { Exchange } from '../../projections/chat/exchange.ts';
import { named } from '../../tracing/context.ts';
import { handedOn } from '../../tracing/live.ts';
import type { AttemptFailed, Models } from '../models.ts';
import type { Briefing } from './briefing.ts';
import { messagesOf, showImages } from './messages.ts';
import type { CallerContext } from './tool.ts';
import { Transcript } from './transcript.ts';
import { beginTurn, next } from './turnMachine.ts';
import type { RecordedEnding, TurnInput, TurnOutput, TurnState } from './turnState.ts';

export interface TurnOptions {
  readonly place: TurnPlace & { readonly conversationId: string };
  readonly exchange: Exchange;
  readonly router: Pick<Models, 'complete'>;
  /** Asked once, when the turn begins to work. */
  readonly mostSteps: () => number;
  readonly toolContext: CallerContext;
  /** May take its time, and may fail. */
  readonly brief: (signal: AbortSignal) => Promise<Briefing>;
  /** Resolves when it is written down, or will be when the log is back. Rejects when the turn is over. */
  readonly write: (events: readonly ChatEvent[]) => Promise<unknown>;
  /** How the log says that the turn ended. */
  readonly recordedEnding: () => Promise<RecordedEnding | undefined>;
  /** Called once, with what it was when it was over. */
  readonly remember: (exchange: Exchange) => void;
  readonly clock: Clock;
  readonly onFailure: (what: string, error: unknown, correlationId?: string) => void;
}

/**
 * One turn at work. What it is and what comes next says the machine; here is done what that puts out, and what comes of
 * it is put in. It ends once, and does not fail: that it failed is one of the ways to end.
 */
export class Turn {
  readonly transcript = new Transcript();
  readonly #options: TurnOptions;
  readonly #abort = new AbortController();
  readonly #ended = Promise.withResolvers<Exchange>();
  #state: TurnState;

  constructor(options: TurnOptions) {
    const { place, exchange } = options;
    this.#options = options;
    this.#state = beginTurn({ place, exchange, startedMs: performance.now() });
  }

  /** What it was when it was over. */
  get ended(): Promise<Exchange> {
    return this.#ended.promise;
  }

  /** Those before it are over. Resolves when it is too. */
  async run(): Promise<void> {
    this.#put({ type: 'due' });
    await this.ended;
  }

  /** Stops what runs, the call to the provider included. */
  stop(as: 'cancelled' | 'interrupted'): void {
    this.#put({ type: 'stopped', as });
  }

  /** Its end is in the log, whoever ended it. */
  hear(ending: RecordedEnding): void {
    this.#put({ type: 'recorded', ending });
  }

  #put(input: TurnInput): void {
    const { state, outputs } = next(this.#state, input, performance.now());
    this.#state = state;
    for (const output of outputs) this.#perform(output);
  }

  #perform(output: TurnOutput): void {
    switch (output.type) {
      case 'tell':
        this.transcript.tell(output.signal);
        break;
      case 'write':
        void this.#write(output.events);
        break;
      case 'remember':
        this.#options.remember(output.exchange);
        this.#ended.resolve(output.exchange);
        break;
      case 'brief':
        void this.#brief();
        break;
      case 'ask':
        void this.#ask(output.briefing, output.exchange);
        break;
      case 'call':
        for (const call of output.calls) void this.#call(call, output.briefing);
        break;
      case 'look up':
        void this.#lookUp();
        break;
      case 'stop':
        this.#abort.abort();
    }
  }

  async #write(events: readonly ChatEvent[]): Promise<void> {
    const { write, clock } = this.#options;
    try {
      await write(events);
    } catch (error) {
      const code = codeOf(error);
      const isLast = this.#state.phase === 'ending';
      if (code !== 'TURN_OVER' && (isLast || this.#isNews(code))) this.#tellFailure(error);
      this.#put({ type: 'refused', code, at: clock() });
      return;
    }
    // Many may have been written at once; what follows a step takes its share before the next.
    if (this.#state.phase === 'ending' && !hasTime()) await fairShare();
    this.#put({ type: 'kept', events, at: clock() });
  }

  async #brief(): Promise<void> {
    const { brief, mostSteps } = this.#options;
    try {
      const briefing = await brief(this.#abort.signal);
      this.#put({ type: 'briefed', briefing, mostSteps: mostSteps(), toolTokens: briefing.tools.tokens });
    } catch (error) {
      this.#fail(error);
    }
  }

  async #ask(briefing: Briefing, exchange: Exchange): Promise<void> {
    const { slot, system, tools, given } = briefing;
    const { router, toolContext } = this.#options;
    const { correlationId, userId: owner } = toolContext;
    const { signal } = this.#abort;
    try {
      if (!hasTime()) await fairShare();
      signal.throwIfAborted();
      const withImages = exchange.images.length > 0 || showImages(given?.messages ?? []);
      const messages = messagesFor(briefing, exchange);
      const request = {
        ...{ system, messages, tools: tools.shown, reasoning: true, owner, ...given?.manner },
        traceparent: this.#handedOn(correlationId),
      };
      const onAttemptFailed = (attempt: AttemptFailed) => this.#put({ type: 'attempt failed', attempt });
      const asking = { slot, withImages, correlationId, signal, onAttemptFailed };
      const answer = router.complete(asking, request);
      for await (const part of answer) this.#put(part);
      this.#put({ type: 'answered', toolTokens: tools.tokens });
    } catch (error) {
      const ruled = isUnavailable(error) && this.#hasHeardNothing ? briefing.byRule?.(exchange) : undefined;
      if (ruled) this.#put({ type: 'ruled', ...ruled });
      else this.#fail(error);
    }
  }

  #handedOn(correlationId: string): string | undefined {
    const { turnId } = this.#options.place;
    return this.#state.phase === 'asking'
      ? handedOn(correlationId, named.step(turnId, this.#state.step))
      : undefined;
  }

  async #call(call: ToolCall, { tools }: Briefing): Promise<void> {
    try {
      const outcome = await tools.run(call, this.#options.toolContext, this.#abort.signal);
      const { output: _, ...returned } = outcome;
      this.#put({ type: 'returned', result: { callId: call.id, ...returned } });
    } catch (error) {
      this.#fail(error);
    }
  }

  async #lookUp(): Promise<void> {
    const ending = await this.#options.recordedEnding();
    this.#put({ type: 'looked up', ending, at: this.#options.clock() });
  }

  get #hasHeardNothing(): boolean {
    return (
      this.#state.phase === 'asking' && this.#state.said === null && this.#state.heard.calls.length === 0
    );
  }

  #fail(error: unknown): void {
    const code = codeOf(error);
    if (this.#isNews(code)) this.#tellFailure(error);
    this.#put({ type: 'failed', code });
  }

  #tellFailure(error: unknown): void {
    const { onFailure, toolContext } = this.#options;
    onFailure('chat turn', error, toolContext.correlationId);
  }

  /** What fails since it was stopped has not failed; of a provider that does, whoever asked it tells. */
  #isNews(code: ReturnType<typeof codeOf>): boolean {
    return code === 'INTERNAL' && !this.#abort.signal.aborted;
  }
}

function messagesFor({ history, given }: Briefing, exchange: Exchange): readonly ModelMessage[] {
  const [message, ...said] = messagesOf(exchange);
  if (given?.messages) return [...given.messages, ...said];
  return message ? [...history, message, ...said] : history;
}

/** No model is there to answer: none is set, or none can be reached or paid. */
function isUnavailable(error: unknown): boolean {
  return isHarkError(error, 'MODEL_UNAVAILABLE', 'BILLING_EXHAUSTED');
}

/** Of whatever was thrown, as a client is told. */
function codeOf(error: unknown): (typeof turnErrorCodes)[number] | 'TURN_OVER' {
  const code = isHarkError(error) ? error.code : undefined;
  if (code === 'TURN_OVER') return code;
  return turnErrorCodes.find((one) => one === code) ?? 'INTERNAL';
}
