import type { Place } from '../../commands/chat/state.ts';
import { HarkError, isHarkError } from '../../errors.ts';
import {
  type ChatEvent,
  historySummarized,
  replySent,
  type SpokenPart,
  stepTaken,
  toolCalled,
  toolReturned,
  turnCancelled,
  turnDelegated,
  turnErrorCodes,
  turnFailed,
  turnInterrupted,
} from '../../events/chat.ts';
import { fairShare, hasTime } from '../../fairShare.ts';
import type { ModelMessage, ToolCall } from '../../gateways/models/gateway.ts';
import type { Exchange } from '../../projections/chat/exchange.ts';
import type { SlotName } from '../../vocabulary.ts';
import type { Models } from '../models.ts';
import type { Condensed } from './condense.ts';
import { messagesOf, showImages } from './messages.ts';
import type { Given } from './request.ts';
import { type Said, sayStep } from './step.ts';
import { Tally } from './tally.ts';
import type { ToolContext, TurnTools } from './tool.ts';
import type { Transcript } from './transcript.ts';
import { TurnRecord, type TurnRecordOptions } from './turnRecord.ts';

/** What a turn is told before its first step. */
export interface Briefing {
  readonly slot: SlotName;
  readonly intent: string | null;
  readonly system: string;
  /** What was said before. */
  readonly history: readonly ModelMessage[];
  /** What has just been summed up, to be written down. */
  readonly summed?: Condensed | undefined;
  /** Ids of what memory put in. */
  readonly recalled?: readonly string[];
  readonly tools: TurnTools;
  readonly given?: Given;
}

export interface TurnOptions extends TurnRecordOptions {
  readonly place: Place & { readonly conversationId: string };
  readonly router: Pick<Models, 'complete'>;
  /** Asked once, when the turn begins to work. */
  readonly mostSteps: () => number;
  readonly toolContext: Omit<ToolContext, 'signal'>;
}

/**
 * One turn at work: asks the model, runs the tools that it calls, and again, until there is a reply. Each thing
 * that happens is written down and then told. It ends once, in one of four ways, and does not fail: that it
 * failed is one of the ways.
 */
export class Turn {
  readonly #options: TurnOptions;
  readonly #record: TurnRecord;
  readonly #abort = new AbortController();
  readonly #tally = new Tally();
  #breaksOffAs: 'cancelled' | 'interrupted' = 'interrupted';
  #isRunning = false;
  #stepNumber = 0;
  #saidNothing = false;
  #parts: SpokenPart[] = [];

  constructor(options: TurnOptions) {
    this.#options = options;
    this.#record = new TurnRecord(options);
  }

  get transcript(): Transcript {
    return this.#record.transcript;
  }

  /** What it was when it was over. */
  get ended(): Promise<Exchange> {
    return this.#record.ended;
  }

  get exchange(): Exchange {
    return this.#record.exchange;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Stops what runs, the call to the provider included. */
  breakOff(as: 'cancelled' | 'interrupted'): void {
    if (this.signal.aborted || this.#record.isOver) return;
    this.#breaksOffAs = as;
    this.#abort.abort();
    // One that still waits for others does not wait any longer.
    if (!this.#isRunning) void this.#breakDown(this.signal.reason);
  }

  /** Somebody else ended it, and it is written down already. */
  endedElsewhere(event: ChatEvent, at: number): void {
    if (this.#record.endedElsewhere(event, at)) this.#abort.abort();
  }

  /** `prepare` may take its time, and may fail. */
  async run(prepare: (signal: AbortSignal) => Promise<Briefing>): Promise<void> {
    if (!this.signal.aborted && !this.#record.isOver) {
      this.#isRunning = true;
      try {
        await this.#converse(await prepare(this.signal));
      } catch (error) {
        await this.#breakDown(error);
      }
    }
    await this.ended;
  }

  async #converse(briefing: Briefing): Promise<void> {
    const { slot, intent, tools, summed, given, recalled = [] } = briefing;
    this.#tally.begin({ slot, intent, recalled, toolTokens: tools.tokens });
    if (summed)
      await this.#record.add([{ type: historySummarized.type, data: { ...this.#options.place, ...summed } }]);
    const mostSteps = this.#options.mostSteps();
    for (let step = 1; step <= mostSteps; step++) {
      const said = await this.#takeStep(step, briefing);
      if (said.calls.length > 0 && given?.tools) return this.#delegate(said);
      if (said.calls.length > 0) await this.#call(said, tools);
      else if (this.#isReply(said, given)) return this.#reply(said);
      else await this.#hearNothing(said);
    }
    await this.#record.finish({ type: turnFailed.type, data: { ...this.#brokenOff(), code: 'MAX_STEPS' } });
  }

  /** A client that says how the model is to answer also gets an answer that this leaves no words for. */
  #isReply({ finish }: Said, given: Given | undefined): boolean {
    return this.#parts.some(({ type }) => type === 'content') || (given !== undefined && finish !== 'stop');
  }

  async #takeStep(stepNumber: number, briefing: Briefing): Promise<Said> {
    const { slot, system, tools, given } = briefing;
    if (!hasTime()) await fairShare();
    this.#stepNumber = stepNumber;
    this.#parts = [];
    this.transcript.step(stepNumber);
    const { router, toolContext } = this.#options;
    const messages = this.#messages(briefing);
    const withImages = this.exchange.images.length > 0 || showImages(given?.messages ?? []);
    const asking = { slot, withImages, correlationId: toolContext.correlationId, signal: this.signal };
    const { userId: owner } = toolContext;
    const request = { system, messages, tools: tools.shown, reasoning: true, owner, ...given?.manner };
    const said = await sayStep(router.complete(asking, request), {
      parts: this.#parts,
      onRouted: (routed) => this.#tally.route(routed),
      onText: (type, text) => this.transcript.say(type, text),
    });
    this.signal.throwIfAborted();
    this.#tally.step(said, tools.tokens);
    return said;
  }

  #messages({ history, given }: Briefing): readonly ModelMessage[] {
    const [message, ...said] = messagesOf(this.exchange);
    if (given) return [...given.messages, ...said];
    return message ? [...history, message, ...said] : history;
  }

  async #reply(said: Said): Promise<void> {
    const data = { ...this.#spoken(said), metadata: this.#tally.metadata };
    await this.#record.finish({ type: replySent.type, data });
  }

  /** A model that says nothing is asked once more. */
  async #hearNothing(said: Said): Promise<void> {
    if (this.#saidNothing) throw new HarkError('MODEL_UNAVAILABLE');
    this.#saidNothing = true;
    await this.#record.add([{ type: stepTaken.type, data: this.#spoken(said) }]);
  }

  async #delegate(said: Said): Promise<void> {
    await this.#recordCalls(said);
    const data = { ...this.#options.place, metadata: this.#tally.metadata };
    await this.#record.finish({ type: turnDelegated.type, data });
  }

  async #recordCalls(said: Said): Promise<void> {
    const { place } = this.#options;
    const step = this.#stepNumber;
    const called = said.calls.map((call) => ({
      type: toolCalled.type,
      data: { ...place, step, ...useOf(call) },
    }));
    await this.#record.add([{ type: stepTaken.type, data: this.#spoken(said) }, ...called]);
    this.#parts = [];
    this.transcript.calls(called.map(({ data }) => data));
  }

  async #call(said: Said, tools: TurnTools): Promise<void> {
    await this.#recordCalls(said);
    await Promise.all(said.calls.map((call) => this.#runTool(call, tools)));
    this.signal.throwIfAborted();
  }

  async #runTool(call: ToolCall, tools: TurnTools): Promise<void> {
    const { result, failed, durationMs } = await tools.run(call, this.#options.toolContext, this.signal);
    if (this.signal.aborted) return;
    const data = { ...this.#options.place, callId: call.id, result, failed, durationMs };
    await this.#record.add([{ type: toolReturned.type, data }]);
    this.transcript.returned(data);
  }

  async #breakDown(error: unknown): Promise<void> {
    if (this.#record.isOver) return;
    const { type } = this.#breaksOffAs === 'cancelled' ? turnCancelled : turnInterrupted;
    const brokenOff = { type, data: this.#brokenOff() };
    if (isHarkError(error, 'TURN_OVER')) return this.#record.endAsRecorded(brokenOff);
    if (this.signal.aborted) return this.#record.finish(brokenOff);
    const code = codeOf(error);
    if (code === 'INTERNAL') this.#options.onFailure('chat turn', error);
    // What else was begun, as other tools of the same step, is not needed any more.
    this.#abort.abort(error);
    await this.#record.finish({ type: turnFailed.type, data: { ...this.#brokenOff(), code } });
  }

  #spoken({ routed, reasoning, usage }: Said) {
    const { provider, model } = routed;
    const step = { step: this.#stepNumber, provider, model, parts: this.#parts };
    return { ...this.#options.place, ...step, reasoning: reasoning ?? null, usage };
  }

  #brokenOff() {
    const isSpoken = this.#stepNumber > this.exchange.steps.length;
    const parts = isSpoken ? this.#parts : [];
    return { ...this.#options.place, step: this.#stepNumber, parts, metadata: this.#tally.metadata };
  }
}

function useOf({ id, name, input, malformed }: ToolCall) {
  return { callId: id, name, input: { ...input }, malformed: malformed ?? null };
}

/** Of whatever was thrown, as a client is told. */
function codeOf(error: unknown): (typeof turnErrorCodes)[number] {
  const code = isHarkError(error) ? error.code : undefined;
  return turnErrorCodes.find((known) => known === code) ?? 'INTERNAL';
}
