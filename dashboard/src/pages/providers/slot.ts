import type { Output } from '../../api/ask.ts';
import type { words } from './words.ts';

export type View = Output<'GET /api/slots'>;
export type Slot = NonNullable<View['slots'][string]>;
export type SlotName = keyof typeof words.slotNames;
export type ModelRef = Pick<Slot, 'provider' | 'model'>;

export const clouds = [
  { value: 'cloud-a', says: 'Anthropic' },
  { value: 'cloud-b', says: 'OpenAI' },
  { value: 'gateway', says: 'OpenRouter' },
] as const;

export const strategies = ['cloud-backup', 'ollama-local', 'none'] as const;
const names = ['chat', 'reasoning', 'coding', 'tool_calling', 'creative', 'consolidation'] as const;
const behind = ['maintenance', 'summarization', 'extraction', 'classification', 'embedding'] as const;
export const slotNames = [...names, ...behind] as const;

/** All slots as they can be sent back. */
export function slotsOf({ slots }: Pick<View, 'slots'>): Record<string, unknown> {
  return Object.fromEntries(slotNames.map((name) => [name, chainToSend(chainOf(slots[name]))]));
}

export function chainOf(slot: Slot | null | undefined): readonly ModelRef[] {
  return slot ? [slot, ...slot.fallbacks].map(({ provider, model }) => ({ provider, model })) : [];
}

export function chainToSend([first, ...fallbacks]: readonly ModelRef[]): unknown {
  return first ? { ...first, fallbacks } : null;
}

/** What was done, and what the service warns of. */
export function withWarnings(
  done: string,
  { warnings = [] }: { readonly warnings?: readonly { readonly message: string }[] | undefined },
): string {
  return [done, ...warnings.map(({ message }) => message)].join('. ');
}
