import { z } from 'zod';
import { lazily } from '../lazily.ts';
import { type ProviderId, providerLabels, providerNamed } from '../vocabulary.ts';

/** One of these providers, by its id or by the name that people know it by; what is read is the id. */
export function providerAmong<Id extends ProviderId>(ids: readonly Id[]) {
  const names = ids.map((id) => providerLabels[id].toLowerCase()).join(', ');
  return z
    .preprocess((named) => providerNamed(named) ?? named, z.enum(ids))
    .describe(`Or by its name: ${names}`);
}

/** What a provider is called, wherever one is shown. */
export const providerLabel = lazily(() => z.string().describe('What people call the provider'));

export function labelOf(provider: ProviderId): string {
  return providerLabels[provider];
}

const SCOPE = 'provider-';

/**
 * The scope of a provider's key: named by itself, by the name of the provider, or by both. The bare id is no scope, as
 * the specification has it.
 */
export function scopeNamed(text: string): string {
  const hasPrefix = text.startsWith(SCOPE);
  const provider = providerNamed(hasPrefix ? text.slice(SCOPE.length) : text);
  return provider === undefined || (!hasPrefix && provider === text) ? text : `${SCOPE}${provider}`;
}

/** Undefined for what is no scope of a provider. */
export function labelOfScope(scope: string): string | undefined {
  const provider = scope.startsWith(SCOPE) ? providerNamed(scope.slice(SCOPE.length)) : undefined;
  return provider && labelOf(provider);
}

/** The scope of a key, as part of what is given. */
export function scopeAmong<const Scope extends string>(scopes: readonly [Scope, ...Scope[]]) {
  return z
    .preprocess((text) => (typeof text === 'string' ? scopeNamed(text) : text), z.enum(scopes))
    .describe('Or by the name of the provider: anthropic, openai, openrouter, ollama');
}
