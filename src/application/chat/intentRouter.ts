import type { ModelRef } from '../../events/providers.ts';
import type { Classified, IntentClassifier } from '../../gateways/intent/builtInIntents.ts';
import type { SlotsView } from '../../projections/providers/slots.ts';
import type { SlotName } from '../../vocabulary.ts';
import { AskedAhead } from '../askedAhead.ts';
import { type SlotIntents, slotOfIntent } from './slotIntents.ts';

export interface IntentRoute extends Classified {
  readonly slot: SlotName;
  /** Who would answer now; undefined when nobody is known who could. */
  readonly model: ModelRef | undefined;
  readonly ms: number;
}

interface IntentRouterOptions {
  readonly builtIn: IntentClassifier;
  readonly bySlot: Pick<SlotIntents, 'classify' | 'isTooSlow'>;
  readonly slots: { view(): SlotsView };
  readonly availability: {
    outlookOf(name: SlotName): Promise<{ readonly answering: ModelRef | undefined }>;
  };
}

/** What nobody waits for yet. */
const AHEAD_MS = 5_000;
const UNAVAILABLE: Classified = { intent: 'none', confidence: 0 };

/** Where a text goes. It always goes somewhere: what fails here, or comes too late, leaves it to `chat`. */
export class IntentRouter {
  readonly #options: IntentRouterOptions;
  readonly #ahead = new AskedAhead<Classified>();

  constructor(options: IntentRouterOptions) {
    this.#options = options;
  }

  /** Asks ahead, for a text that may soon be routed. */
  async prepare(text: string): Promise<void> {
    const { slots } = this.#options.slots.view();
    await this.#ahead.ask(keyOf(slots, text), () =>
      this.#ask({ slots }, text, AbortSignal.timeout(AHEAD_MS)),
    );
  }

  async route(text: string, signal: AbortSignal): Promise<IntentRoute> {
    const started = performance.now();
    const view = this.#options.slots.view();
    const classified = await this.#classify(view, text, signal).catch(() => UNAVAILABLE);
    const own = slotOfIntent[classified.intent];
    const [slot, model] = await this.#firstThatAnswers(view, own);
    return { ...classified, slot, model, ms: performance.now() - started };
  }

  #classify({ slots }: Pick<SlotsView, 'slots'>, text: string, signal: AbortSignal): Promise<Classified> {
    return this.#ahead.take(keyOf(slots, text)) ?? this.#ask({ slots }, text, signal);
  }

  /** Where a small model of this machine was set for it, it decides, unless it is known to be too slow. */
  #ask({ slots }: Pick<SlotsView, 'slots'>, text: string, signal: AbortSignal): Promise<Classified> {
    const { builtIn, bySlot } = this.#options;
    const { classification: set } = slots;
    const isAsked = set?.provider === 'local-runner' && !bySlot.isTooSlow(set);
    return isAsked ? bySlot.classify(text, set, signal) : builtIn.classify(text, signal);
  }

  async #firstThatAnswers(view: SlotsView, own: SlotName): Promise<[SlotName, ModelRef | undefined]> {
    for (const slot of new Set<SlotName>([own, 'chat'])) {
      if (!view.slots[slot]) continue;
      const { answering } = await this.#options.availability.outlookOf(slot);
      if (answering) return [slot, answering];
    }
    return ['chat', undefined];
  }
}

function keyOf({ classification }: SlotsView['slots'], text: string): string {
  return JSON.stringify([classification?.provider, classification?.model, text]);
}
