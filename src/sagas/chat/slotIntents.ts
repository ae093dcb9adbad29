import { randomUUID } from 'node:crypto';
import { HarkError } from '../../errors.ts';
import type { Classified, IntentClassifier } from '../../gateways/intent/classifier.ts';
import { intents } from '../../vocabulary.ts';
import type { Models } from '../models.ts';
import { Patience } from '../patience.ts';
import { meaningOfIntent } from './intentSlots.ts';

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

interface SlotIntentsOptions {
  readonly models: Pick<Models, 'complete'>;
  readonly limitMs?: number;
}

/** Asks the model of the `classification` slot, and waits no longer than its limit. */
export class SlotIntents implements IntentClassifier {
  readonly #models: Pick<Models, 'complete'>;
  readonly #limitMs: number;
  readonly #patience = new Patience();

  constructor({ models, limitMs = LIMIT_MS }: SlotIntentsOptions) {
    this.#models = models;
    this.#limitMs = limitMs;
  }

  /** A model gives no measure of how sure it is: what it has chosen has the confidence 1. */
  async classify(text: string, signal: AbortSignal): Promise<Classified> {
    const within = AbortSignal.any([signal, AbortSignal.timeout(LOADING_MS)]);
    const classified = await this.#patience.within(this.#limitMs, () => this.#ask(text, within));
    if (!classified) throw new HarkError('MODEL_TIMEOUT');
    return classified;
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
    const intent = intents.find((known) => known === Object(chosen).intent);
    if (!intent) throw new HarkError('MODEL_UNAVAILABLE');
    return { intent, confidence: 1 };
  }
}
