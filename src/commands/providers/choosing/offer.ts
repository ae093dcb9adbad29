import type { Capability, ProviderId, SlotName } from '../../../vocabulary.ts';
import type { KnownCatalogs } from '../reviewSlots.ts';

export const cloudProviders = ['cloud-a', 'cloud-b', 'gateway'] as const;

/** What there is to choose from. */
export interface Offer {
  readonly catalogs: KnownCatalogs;
  /** Those that a key or an address is there for. */
  readonly configured: readonly ProviderId[];
}

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

/** What `chat` is set to while a provider's catalog cannot be had: better a likely model than none. */
export const wellKnown: Readonly<Record<ProviderId, string>> = {
  'cloud-a': 'claude-sonnet-4-5',
  'cloud-b': 'gpt-5-mini',
  gateway: 'anthropic/claude-sonnet-4.5',
  'local-runner': 'llama3.2',
};
