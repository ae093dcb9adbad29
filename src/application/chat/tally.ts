import { nothingDone, type TurnMetadata } from '../../events/chat.ts';
import type { Routed } from '../models.ts';
import type { Said } from './step.ts';

/** What is counted of a turn while it runs: who answered, how many steps and tools it took, and what they used. */
export class Tally {
  readonly #startedAt = performance.now();
  #metadata: TurnMetadata = nothingDone;

  /** As it stands at this moment. */
  get metadata(): TurnMetadata {
    return { ...this.#metadata, durationMs: Math.round(performance.now() - this.#startedAt) };
  }

  begin(known: Pick<TurnMetadata, 'slot' | 'intent' | 'recalled' | 'toolTokens'>): void {
    const { slot, intent, recalled, toolTokens } = known;
    this.#metadata = { ...this.#metadata, slot, intent, recalled, toolTokens };
  }

  /** One step that was answered by a fallback makes it a turn that was. */
  route({ provider, model, fallback }: Routed): void {
    this.#metadata = {
      ...this.#metadata,
      provider,
      model,
      fallback: this.#metadata.fallback || fallback,
    };
  }

  step({ finish, calls, usage }: Said, toolTokens: number): void {
    const { stepCount, toolCallCount, usage: before } = this.#metadata;
    this.#metadata = {
      ...this.#metadata,
      finish,
      toolTokens,
      stepCount: stepCount + 1,
      toolCallCount: toolCallCount + calls.length,
      usage: {
        inputTokens: before.inputTokens + usage.inputTokens,
        outputTokens: before.outputTokens + usage.outputTokens,
      },
    };
  }
}
