import type { ProviderId } from '../../../vocabulary.ts';

/** What `chat` is set to while a provider's catalog cannot be had: better a likely model than none. */
export const wellKnown: Readonly<Record<ProviderId, string>> = {
  'cloud-a': 'claude-sonnet-4-5',
  'cloud-b': 'gpt-5-mini',
  gateway: 'anthropic/claude-sonnet-4.5',
  'local-runner': 'llama3.2',
};
