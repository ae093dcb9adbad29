import type { Capability, SlotName } from '../../../vocabulary.ts';

export interface Need {
  /** A model without one of these is no choice. */
  readonly requires: readonly Capability[];
  /** The more of these, the better. */
  readonly prefers: readonly Capability[];
  /**
   * What is taken of models that are equally able: the cheapest, or the dearest that does not cost more than
   * this (USD for a million tokens, see `blendedPrice`), because within one provider price goes with quality.
   */
  readonly upTo: number | 'cheapest';
}

const BALANCED = 6;
const BEST = 12;

/** What each slot looks for. `maintenance` is left to fall back to `consolidation`. */
export const needs: Readonly<Partial<Record<SlotName, Need>>> = {
  chat: { requires: ['chat'], prefers: ['tool-use', 'streaming', 'vision'], upTo: BALANCED },
  reasoning: { requires: ['chat'], prefers: ['thinking', 'reasoning'], upTo: BEST },
  coding: { requires: ['chat'], prefers: ['coding', 'tool-use'], upTo: BEST },
  tool_calling: { requires: ['chat', 'tool-use'], prefers: ['json', 'streaming'], upTo: BALANCED },
  creative: { requires: ['chat'], prefers: ['creative', 'streaming'], upTo: BALANCED },
  consolidation: { requires: ['chat'], prefers: ['json', 'summarization'], upTo: BALANCED },
  summarization: { requires: ['chat'], prefers: ['summarization'], upTo: 'cheapest' },
  extraction: { requires: ['chat'], prefers: ['json'], upTo: 'cheapest' },
  classification: { requires: ['chat'], prefers: ['classification', 'json'], upTo: 'cheapest' },
  embedding: { requires: ['embedding'], prefers: [], upTo: 'cheapest' },
};
