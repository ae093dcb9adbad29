import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { HarkError } from '../../errors.ts';
import type { ModelRef } from '../../events/providers.ts';
import type { Classified } from '../../gateways/intent/builtInIntents.ts';
import { type Intent, intents, type SlotName } from '../../vocabulary.ts';
import type { Models } from '../models.ts';
import { Timeout } from '../timeout.ts';

/** Which slot answers what a user wants. */
export const slotOfIntent: Readonly<Record<Intent, SlotName>> = {
  general_knowledge: 'chat',
  smart_home: 'tool_calling',
  scheduling: 'tool_calling',
  code: 'coding',
  reasoning: 'reasoning',
  creative: 'creative',
  conversation: 'chat',
  memory: 'chat',
  actions: 'tool_calling',
  language: 'chat',
  system: 'tool_calling',
  none: 'chat',
};

/** What each intent means, as a model is told. */
const meaningOfIntent: Readonly<Record<Intent, string>> = {
  general_knowledge: 'asks for facts or an explanation of the world',
  smart_home: 'controls or asks about devices of the home: lights, heating, locks, media',
  scheduling: 'reminders, alarms, timers, calendar, recurring tasks',
  code: 'writes, explains or mends programs and what belongs to them',
  reasoning: 'mathematics, logic, puzzles, weighing of options, analysis',
  creative: 'wants something invented: stories, poems, names, jokes',
  conversation: 'greetings, thanks, feelings, small talk',
  memory: 'what is known of the user, or is to be remembered or forgotten',
  actions: 'something to be looked up live or done: weather, mail, search, files, shopping',
  language: 'translates, summarises or corrects a text, or asks about words',
  system: 'the state or settings of the assistant itself',
  none: 'none of these, or not to be understood',
};

const LIMIT_MS = 50;
/** What a model may take that has to be loaded first, while nobody waits for it any more. */
const LOADING_MS = 20_000;
/** What is wanted shows in the beginning, and a small model reads slowly. */
const MOST_CHARACTERS = 1_000;

const INSTRUCTION = [
  'Say which category the message of a user belongs to. Answer with the JSON alone.',
  ...intents.map((intent) => `${intent}: ${meaningOfIntent[intent]}`),
].join('\n');

const SCHEMA = {
  type: 'object',
  properties: { intent: { type: 'string', enum: [...intents] } },
  required: ['intent'],
  additionalProperties: false,
};

/** So often in a row a model may be too slow. */
const MOST_TIMES_LATE = 3;
const LEFT_ALONE_MS = 10 * 60_000;

interface SlotIntentsOptions {
  readonly models: Pick<Models, 'complete'>;
  readonly clock: Clock;
  readonly limitMs?: number | undefined;
}

/**
 * Asks the model of the `classification` slot, and waits no longer than its limit. One that is too slow for this
 * machine again and again is left alone for a while: it would cost every turn that time, for nothing.
 */
export class SlotIntents {
  readonly #models: Pick<Models, 'complete'>;
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #timeout = new Timeout();
  #lateness = { model: '', times: 0, since: 0 };

  constructor({ models, clock, limitMs = LIMIT_MS }: SlotIntentsOptions) {
    this.#models = models;
    this.#clock = clock;
    this.#limitMs = limitMs;
  }

  /** Whether it should not be asked now. */
  isTooSlow({ provider, model }: ModelRef): boolean {
    const { model: late, times, since } = this.#lateness;
    const isLate = times >= MOST_TIMES_LATE && late === `${provider}/${model}`;
    return isLate && this.#clock() - since < LEFT_ALONE_MS;
  }

  /** Resolves when nothing goes on any more for which nobody waits. */
  rested(): Promise<void> {
    return this.#timeout.rested();
  }

  /** A model gives no measure of how sure it is: what it has chosen has the confidence 1. */
  async classify(text: string, model: ModelRef, signal: AbortSignal): Promise<Classified> {
    const within = AbortSignal.any([signal, AbortSignal.timeout(LOADING_MS)]);
    if (this.#timeout.isWaiting) throw new HarkError('MODEL_TIMEOUT');
    const classified = await this.#timeout.within(this.#limitMs, () => this.#ask(text, within));
    this.#note(model, classified !== undefined);
    if (!classified) throw new HarkError('MODEL_TIMEOUT');
    return classified;
  }

  #note({ provider, model: name }: ModelRef, inTime: boolean): void {
    const model = `${provider}/${name}`;
    const before = this.#lateness.model === model ? this.#lateness.times : 0;
    this.#lateness = { model, times: inTime ? 0 : before + 1, since: this.#clock() };
  }

  async #ask(text: string, signal: AbortSignal): Promise<Classified> {
    const asking = { slot: 'classification', correlationId: randomUUID(), signal } as const;
    const request = {
      system: INSTRUCTION,
      messages: [{ role: 'user', parts: [{ type: 'text', text: text.slice(0, MOST_CHARACTERS) }] }],
      schema: { name: 'intent', schema: SCHEMA },
      maxOutputTokens: 30,
      temperature: 0,
      reasoning: false,
    } as const;
    let said = '';
    for await (const part of this.#models.complete(asking, request))
      if (part.type === 'text') said += part.text;
    const chosen: unknown = JSON.parse(said);
    const intent = intents.find((one) => one === Object(chosen).intent);
    if (!intent) throw new HarkError('MODEL_UNAVAILABLE');
    return { intent, confidence: 1 };
  }
}
